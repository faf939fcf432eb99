import type { Provider } from '../../providers/contract.ts'
import type { FieldError } from '../../../plugins/http/errors.ts'
import type { Step } from './change.ts'
import type { Plan, Refusal } from './plan-outcome.ts'
import { toEdits } from '../apply/provider/provider-edits.ts'

/** As the fields of a record are named on the wire. */
const PATHS = { name: '/name', type: '/recordType', value: '/value', ttl: '/ttl' }

/**
 * The plan without what its provider says that it will refuse: users hear of that before anything is sent. Of a request
 * that is refused nothing is done.
 */
export function auditPlan(
  { name: provider, audit, capabilities }: Pick<Provider, 'name' | 'audit' | 'capabilities'>,
  zoneName: string,
  plan: Plan,
): Plan {
  if (audit === undefined || plan.steps.length === 0) return plan
  const { edits, parts } = toEdits(plan.steps, capabilities)
  const found = audit(zoneName, edits)
  if (found.length === 0) return plan
  const steps = new Map([...parts].flatMap(([step, changes]) => changes.map((change) => [change, step])))
  const refused = new Set<Step>()
  const errors = new Map<number, FieldError[]>()
  for (const { edit, change, field, code, message } of found) {
    const refusedChange = edits[edit]?.changes[change]
    const step = refusedChange && steps.get(refusedChange)
    if (step === undefined) continue
    refused.add(step)
    const index = step.index ?? 0
    errors.set(index, [
      ...(errors.get(index) ?? []),
      { path: PATHS[field], code, message, params: { provider } },
    ])
  }
  return {
    ...plan,
    // Others that follow from a request, as those of a TTL do, are nobody's alone.
    steps: plan.steps.filter(
      (step) => !refused.has(step) && (step.index === null || !errors.has(step.index)),
    ),
    refusals: [...plan.refusals, ...[...errors].map(toRefusal)],
  }
}

const toRefusal = ([index, all]: [number, FieldError[]]): Refusal => {
  // Of a record that moves, both places may be refused for the same reason.
  const errors = all.filter(({ path, message }, i) =>
    all.slice(0, i).every((other) => other.path !== path || other.message !== message),
  )
  const detail = errors.map(({ path, message }) => `${path.slice(1)}: ${message}`).join('; ')
  return { index, kind: 'invalid', code: 'invalid', params: {}, detail, errors, record: null }
}
