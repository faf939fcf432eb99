/** JSON value of a field in a record's `data`, which has one such value per field. */
export type DataValue =
  | string
  | number
  | boolean
  | readonly DataValue[]
  | { readonly [key: string]: DataValue }

/** The data of a record, by field name of its type. */
export type RecordData = Readonly<Record<string, DataValue>>
