import type { RecordType } from '../../schemas/record-type.ts'
import { checkA } from './a.ts'
import { checkAaaa } from './aaaa.ts'
import { checkCaa } from './caa.ts'
import { checkCname } from './cname.ts'
import { checkMx } from './mx.ts'
import { checkNs } from './ns.ts'
import { priorityError, type ValueCheck, type ValueError } from './result.ts'
import { checkSrv } from './srv.ts'
import { checkTxt } from './txt.ts'

export { type ValueCheck, type ValueError } from './result.ts'
export { checkTxtStrings } from './txt.ts'

const CHECKS: Record<RecordType, (value: string, priority: number | null) => ValueCheck> = {
  A: checkA,
  AAAA: checkAaaa,
  CNAME: checkCname,
  NS: checkNs,
  MX: checkMx,
  TXT: checkTxt,
  SRV: checkSrv,
  CAA: checkCaa,
}

/**
 * Checks what a user wants as the value of a record, and answers its canonical form: what we store,
 * compare and show. Checking a canonical value again answers it unchanged. Never throws.
 * `priority` is the field beside the value: for MX and SRV instead of the value's first number or equal
 * to it, for other types null or missing.
 */
export function checkValue(type: RecordType, value: string, priority: number | null = null): ValueCheck {
  const check = CHECKS[type](value, priority)
  if (type === 'MX' || type === 'SRV' || priority === null) return check
  const errors: ValueError[] = check.ok ? [] : check.errors
  return {
    ok: false,
    errors: [
      ...errors,
      priorityError('priority_not_allowed', 'Only MX and SRV have a priority; leave it null'),
    ],
  }
}
