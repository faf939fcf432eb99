import type { ReasonCode } from '../../../schemas/reason-codes.ts'
import type { FieldError } from '../../../plugins/http/errors.ts'
import type { RecordState, Step } from './change.ts'

/** Why a request can't be done. */
export interface Refusal {
  index: number
  kind: 'invalid' | 'conflict' | 'not_found' | 'outdated' | 'forbidden'
  /** Which rule stands against it, for programs, with what the words name. */
  code: ReasonCode
  params: Params
  detail: string
  /** With `invalid`. */
  errors: FieldError[]
  /** With `conflict` the record in the way, with `outdated` the record as it is now. */
  record: RecordState | null
}

export interface Plan {
  steps: Step[]
  refusals: Refusal[]
  warnings: PlanWarning[]
}

type Params = Record<string, string | number | null>

export interface PlanWarning {
  /** Which warning it is, for programs, with what the words name. */
  code: ReasonCode
  params: Params
  /** Which request it is about; null when it concerns all. */
  index: number | null
  message: string
}

/** The plan in terms of the caller's changes, of which one may have become several requests. */
export function byOrigin(plan: Plan, origins: number[] | undefined): Plan {
  if (!origins) return plan
  const of = <T extends { index: number | null }>(one: T): T => ({
    ...one,
    index: one.index === null ? null : (origins[one.index] ?? one.index),
  })
  const { steps, refusals, warnings } = plan
  return { steps: steps.map(of), refusals: refusals.map(of), warnings: warnings.map(of) }
}
