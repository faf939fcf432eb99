import { shown } from '../../../dns/text/messages.ts'
import type { ValueError } from '../../../dns/types/values.ts'
import type { LineRule, ReasonCode } from '../../../schemas/codes/reason-codes.ts'

/** What is wrong with a line of a file. */
export interface LineFault {
  /** Text for the user. */
  message: string
  /** Its code, for programs. */
  rule: LineRule
  /** Values that the text names; values from the file are truncated to 60 characters. */
  params?: Record<string, unknown>
}

/** A fault in the syntax of a file. `given`: the faulty text, which may be long. */
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

/** Merges the faults of a value into one, with the texts of all and the code of the first. */
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
