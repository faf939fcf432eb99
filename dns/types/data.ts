/** What a field of a record's data is, as JSON: `data` of a record has one such value a field. */
export type DataValue =
  | string
  | number
  | boolean
  | readonly DataValue[]
  | { readonly [key: string]: DataValue }

/** The data of a record, by the names of its type's fields. */
export type RecordData = Readonly<Record<string, DataValue>>
