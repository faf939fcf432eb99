/** Label of a field and its help. */
export interface FieldWords {
  title?: string
  help?: string
}

/** Translations of the fields that the service describes. */
export interface FieldTable {
  /** By field name, for all owners. */
  common: Readonly<Record<string, FieldWords>>
  /** Exceptions, by provider or kind of channel. */
  of: Readonly<Record<string, Readonly<Record<string, FieldWords>>>>
  /** Permissions that credentials need, by provider. */
  rights: Readonly<Record<string, string>>
}

/** Translated title and help of a field; null if there are none. `{address}` becomes the address in the description. */
export function fieldWords(
  { common, of }: FieldTable,
  owner: string,
  { name, description }: { name: string; description?: string },
): { title: string | null; help: string | null } {
  const own = of[owner]?.[name]
  const usual = common[name]
  const [address] = /https?:\/\/\S+?(?=[,.]?(?:\s|$))/.exec(description ?? '') ?? []
  const help = own?.help ?? usual?.help ?? null
  return {
    title: own?.title ?? usual?.title ?? null,
    help:
      help?.includes('{address}') && address === undefined
        ? null
        : (help?.replace('{address}', address ?? '') ?? null),
  }
}
