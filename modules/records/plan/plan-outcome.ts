import type { ReasonCode } from '../../../schemas/codes/reason-codes.ts'
import type { FieldError } from '../../../plugins/http/errors.ts'
import type { RecordState, Step } from './change.ts'

/** Why a requested change can't be done. */
export interface Refusal {
  index: number
  kind: 'invalid' | 'conflict' | 'not_found' | 'outdated' | 'forbidden'
  /** The rule that refuses it, for programs, with the values that the text names. */
  code: ReasonCode
  params: Params
  detail: string
  /** With `invalid`. */
  errors: FieldError[]
  /** With `conflict` the conflicting record, with `outdated` the current record. */
  record: RecordState | null
}

export interface Plan {
  steps: Step[]
  refusals: Refusal[]
  warnings: PlanWarning[]
}

type Params = Record<string, string | number | null>

export interface PlanWarning {
  /** The kind of warning, for programs, with the values that the text names. */
  code: ReasonCode
  params: Params
  /** Position of the request; null when it concerns all. */
  index: number | null
  message: string
}

/**
 * Maps positions of requests to those of the caller's changes; one change may have become several requests.
 */
export function byOrigin(plan: Plan, origins: number[] | undefined): Plan {
  if (!origins) return plan
  const of = <T extends { index: number | null }>(one: T): T => ({
    ...one,
    index: one.index === null ? null : (origins[one.index] ?? one.index),
  })
  const { steps, refusals, warnings } = plan
  return { steps: steps.map(of), refusals: refusals.map(of), warnings: warnings.map(of) }
}
