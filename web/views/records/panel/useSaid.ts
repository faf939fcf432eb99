import { useState } from 'react'

/**
 * Whether to show a field's error: from an attempt to stage until the field is edited. Showing it on blur would move the
 * button away from under the pointer. `tried`: number of attempts.
 */
export function useSaid(tried: number) {
  const [typed, setTyped] = useState<Readonly<Record<string, number>>>({})
  return {
    isSaid: (field: string | number): boolean => tried > (typed[field] ?? 0),
    onType: (field: string | number): void => setTyped((before) => ({ ...before, [field]: tried })),
  }
}
