import { AppError } from '../../../plugins/http/errors.ts'
import type { RequestOutcome } from '../../../plugins/http/request-effects.ts'
import type { ChangeStatus } from '../../../schemas/record-changes.ts'
import { providerFailure } from '../../providers/errors.ts'
import type { Applied } from './apply.ts'
import type { StepOutcome } from './journal/journal-queries.ts'

/** Rejects when the provider failed, with the change and how much of it was done. */
export function requireApplied(applied: Applied): Applied {
  if (!applied.failure) return applied
  const { status, code, message, headers, extra } = providerFailure(applied.failure)
  throw new AppError(status, code, message, {
    headers,
    extra: {
      ...extra,
      changeId: applied.changeId,
      outcome: outcomeOf(applied),
      ...(status >= 500 && extentOf(applied)),
    },
    cause: applied.failure,
  })
}

/** Whether anything of the change may have been done. */
const outcomeOf = ({ outcomes }: Applied): RequestOutcome =>
  outcomes.every((step) => step.outcome === 'failed' && step.unconfirmed !== true) ? 'none' : 'unknown'

/** How much of the change was done. */
function extentOf({ outcomes }: Applied) {
  const count = (wanted: StepOutcome['outcome']) =>
    outcomes.filter(({ outcome }) => outcome === wanted).length
  const [done, pending] = [count('applied'), count('pending')]
  const changeStatus: ChangeStatus = pending > 0 ? 'pending' : done > 0 ? 'partial' : 'failed'
  return { changeStatus, done, total: outcomes.length }
}
