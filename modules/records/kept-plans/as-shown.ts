import type { Executor } from '../../../db/connection/connect.ts'
import type { DomainRow } from '../../domains/access/access.ts'
import { planOutdated } from '../errors.ts'
import type { KeptIntent } from '../plan/intent.ts'
import { isAsShown, toPlan } from '../plan/plan-mapper.ts'
import type { Plan } from '../plan/plan-outcome.ts'
import { holdPlan } from './service.ts'

/** Locks the kept plan. Rejects when it was applied before, or the domain is no longer in the state it was made for. */
export async function holdKept(
  trx: Executor,
  domain: Pick<DomainRow, 'record_version' | 'provider_config_id'>,
  { planId, expected }: Pick<KeptIntent, 'planId' | 'expected'>,
): Promise<void> {
  if (planId !== null) await holdPlan(trx, planId)
  if (Array.isArray(expected)) return
  const { recordsVersion, providerConfigId } = expected
  if (domain.record_version !== recordsVersion || domain.provider_config_id !== providerConfigId) {
    throw planOutdated()
  }
}

/** Rejects when the plan does something else than was shown. Missing permissions are refused as such. */
export function requireAsShown(plan: Plan, { expected }: Pick<KeptIntent, 'expected'>): void {
  if (!Array.isArray(expected) || plan.refusals.some(({ kind }) => kind === 'forbidden')) return
  if (!isAsShown(plan, expected)) throw planOutdated({ plan: toPlan(plan, null) })
}
