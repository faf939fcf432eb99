import type { DnsCode } from '../text/codes.ts'
import type { DataValue } from './data.ts'

/** Why a value isn't accepted, in words for a user. */
export interface ValueError {
  path: 'value' | 'priority' | 'strings' | 'data' | `data/${string}`
  message: string
  /** Which rule it breaks, for programs. */
  code: DnsCode
  /** What the words name. */
  params?: Record<string, DataValue>
}

/** The value in canonical form; `priority` is the first number of MX and SRV, else null. */
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
