import { shown } from '../../../dns/text/messages.ts'
import type { ValueError } from '../../../dns/types/result.ts'
import type { LineRule, ReasonCode } from '../../../schemas/reason-codes.ts'

/** What is wrong with a line of a file. */
export interface LineFault {
  /** In words for a user. */
  message: string
  /** What it is, for programs. */
  rule: LineRule
  /** What the words name; what the file says is cut to 60 characters. */
  params?: Record<string, unknown>
}

/** A fault of how a file is written. `given` is what the file has there, which may be long. */
export const lineFault = (
  rule: LineRule,
  message: string,
  { given, ...params }: { given?: string; [name: string]: unknown } = {},
): LineFault => ({
  message,
  rule,
  params: given === undefined ? params : { ...params, given: shown(given).slice(1, -1) },
})

/** A fault of a name. */
export const faultOfName = ({ code, reason }: { code: LineRule; reason: string }): LineFault =>
  lineFault(code, reason)

/** What is wrong with a value, as one fault: told in the words of all, and called as the first. */
export const faultOfValue = (first: ValueError, others: ValueError[]): LineFault => ({
  message: [first, ...others].map(({ message }) => message).join('; '),
  rule: first.code,
  params: { ...first.params },
})

/** Why a record of a file is left out. */
export interface LeftOut {
  reason: string
  code: Extract<ReasonCode, 'soa_of_provider' | 'type_not_managed'>
  params?: { recordType: string }
}
