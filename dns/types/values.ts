import type { DnsCode } from '../text/codes.ts'

/** JSON value of a field in a record's `data`, which has one such value per field. */
export type DataValue =
  | string
  | number
  | boolean
  | readonly DataValue[]
  | { readonly [key: string]: DataValue }

/** The data of a record, by field name of its type. */
export type RecordData = Readonly<Record<string, DataValue>>

/** User-facing reason why a value isn't accepted. */
export interface ValueError {
  path: 'value' | 'priority' | 'strings' | 'data' | `data/${string}`
  message: string
  /** The violated rule, for programs. */
  code: DnsCode
  /** Values used in the message. */
  params?: Record<string, DataValue>
}

/** The value in canonical form; `priority` is the first number of MX and SRV, otherwise null. */
export type ValueCheck =
  | { ok: true; value: string; priority: number | null }
  | { ok: false; errors: ValueError[] }

export const accepted = (value: string, priority: number | null = null): ValueCheck => ({
  ok: true,
  value,
  priority,
})

export const refused = (code: DnsCode, message: string): ValueCheck => ({
  ok: false,
  errors: [valueError(code, message)],
})

export const valueError = (code: DnsCode, message: string): ValueError => ({ path: 'value', message, code })

export const priorityError = (code: DnsCode, message: string): ValueError => ({
  path: 'priority',
  message,
  code,
})
