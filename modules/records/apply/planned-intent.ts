import type { Executor } from '../../../db/connection/connect.ts'
import { toState, type RecordRow } from '../list/mapper.ts'
import { knownValues, type KnownValues, type RequestedChange } from '../plan/change.ts'
import type { ChangeIntent } from '../plan/intent.ts'
import { planChanges, type Plan } from '../plan/plan.ts'
import { byOrigin } from '../plan/plan-outcome.ts'
import type { ZoneFacts } from '../plan/zone-rules.ts'

interface PlannedIntent {
  plan: Plan
  requests: RequestedChange[]
  /** Values that are not news when the provider holds them. */
  known: KnownValues
}

/** Plans an intent on the stored records of its names, which are locked. */
export async function planIntent(
  trx: Executor,
  zone: ZoneFacts,
  intent: ChangeIntent,
  records: readonly RecordRow[],
): Promise<PlannedIntent> {
  if (intent.kind === 'enforced') {
    const { current, requests, toStep } = await intent.against(trx, records)
    const plan = await planChanges(zone, current, requests, { verbatim: true })
    const known = knownValues([...records, ...current])
    return { plan: { ...plan, steps: plan.steps.map(toStep) }, requests, known }
  }
  const known = knownValues(records)
  const states = records.map(toState)
  if (intent.kind === 'decided') {
    const requests = intent.decide(records)
    return { plan: await planChanges(zone, states, requests), requests, known }
  }
  const { requests, verbatim, origins } = intent
  const plan = await planChanges(zone, states, requests, { verbatim })
  return { plan: byOrigin(plan, origins), requests, known }
}
