/** Translated titles, help and choices of record types, keyed by the service's English. */
export const recordTypes: Readonly<Record<string, string>> = {}
