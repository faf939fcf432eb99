import type { Schemas, Zonekeeper } from '../../typescript/index.ts'
import { EXIT, CliError } from '../failures.ts'
import { changeInput, type ChangeOptions } from '../changes.ts'
import { showPlan } from '../terminal/plan-view.ts'
import type { Session } from '../session.ts'
import { planFile } from '../zone-files.ts'

/**
 * Returns what a change request asks for: changes, or the id of a plan; null if nothing is given. A zone file is planned
 * first, because requests don't take one. Rejects with CliError if its plan has conflicts.
 */
export async function wantedIn(
  session: Session,
  client: Zonekeeper,
  domain: { id: string; name: string },
  file: string | undefined,
  { plan: planId, ...options }: ChangeOptions & { plan?: string },
): Promise<Pick<Schemas['EditedChangeRequest'], 'changes' | 'planId'> | null> {
  const input = await changeInput(session, client, domain, file, options)
  if (input && planId !== undefined)
    throw new CliError(EXIT.usage, 'Give either --plan or a FILE, --add, --set and --rm')
  if (planId !== undefined) return { planId }
  if (!input || 'changes' in input) return input
  const { zonefile: text } = input
  const { plan } = await planFile(session, client, domain, { text, mode: 'merge', format: 'bind' })
  if (plan.planId && plan.conflicts.length === 0) return { planId: plan.planId }
  await showPlan(session, domain.name, plan)
  throw new CliError(EXIT.refused, 'No change request was opened, because the plan has conflicts')
}
