/** Why a check failed. */
export type CheckReason =
  | 'timeout'
  | 'unreachable'
  | 'status'
  | 'text'
  | 'certificate'
  | 'rcode'
  | 'answer'
  | 'blocked'

/** What a check of one target found. `ok` null: this instance could not tell, such as when the guard forbids the target. */
export interface CheckResult {
  ok: boolean | null
  /** Milliseconds until the answer; null without one. */
  ms: number | null
  reason: CheckReason | null
  /** For people. */
  detail: string | null
  certificateExpires: Date | null
}

/** The result of a check that passed. */
export const passed = (more: Partial<CheckResult> = {}): CheckResult => ({
  ok: true,
  ms: null,
  reason: null,
  detail: null,
  certificateExpires: null,
  ...more,
})

/** The result of a check that failed. */
export const failed = (
  reason: CheckReason,
  detail: string,
  certificateExpires: Date | null = null,
): CheckResult => ({ ok: false, ms: null, reason, detail, certificateExpires })
