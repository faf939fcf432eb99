/** What one field is called, and the help beside it. */
export interface FieldWords {
  title?: string
  help?: string
}

/** Words for the fields that the service describes, in languages that it does not speak. */
export interface FieldTable {
  /** By the name of the field, for all owners that call theirs so. */
  common: Readonly<Record<string, FieldWords>>
  /** By provider or kind of channel, what is not as usual there. */
  of: Readonly<Record<string, Readonly<Record<string, FieldWords>>>>
  /** By provider: what its credentials must be allowed to do. */
  rights: Readonly<Record<string, string>>
}

/**
 * Title and help of a field in the language of the table, null where it has none. `{address}` in a help is the address that
 * the description names.
 */
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
