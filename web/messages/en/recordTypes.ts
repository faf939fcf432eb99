/** Titles, help and choices of record types, by what the service itself says in English. */
export const recordTypes: Readonly<Record<string, string>> = {}
