import type { ProviderErrorKind } from '../provider-error.ts'

/**
 * Looks up what an error code of a provider means. `codes`: by meaning, separated by spaces. A code also stands for
 * those that continue it after a dot, unless they have a meaning of their own. Undefined: the code is not listed.
 */
export function kindsOf(codes: Partial<Record<ProviderErrorKind, string | readonly string[]>>) {
  const kinds = new Map(
    Object.entries(codes).flatMap(([kind, all]) =>
      [all].flat().flatMap((some) => some.split(' ').map((code) => [code, kind as ProviderErrorKind])),
    ),
  )
  return (code: string): ProviderErrorKind | undefined => {
    const parts = code.split('.')
    for (let length = parts.length; length > 0; length--) {
      const kind = kinds.get(parts.slice(0, length).join('.'))
      if (kind !== undefined) return kind
    }
    return undefined
  }
}
