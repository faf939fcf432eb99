import type { Command } from 'commander'
import type { Plan, Zonekeeper } from '../../typescript/index.ts'
import { EXIT, CliError } from '../failures.ts'
import { findDomain } from '../../domain-names.ts'
import { changeInput, withChanges, type ChangeInput, type ChangeOptions } from '../changes.ts'
import { applyPlan, isEmpty, showPlan } from '../terminal/plan-view.ts'
import { withReview } from '../requests/review.ts'
import type { Session } from '../session.ts'
import { planFile } from '../zone-files.ts'
import { plan } from '../options.ts'

/** Adds plan and apply. */
export function addPlans(program: Command, session: Session): void {
  withChanges(
    program
      .command('plan DOMAIN [FILE]')
      .description('plan changes and keep the plan for an hour, for apply'),
  ).action(async (name: string, file: string | undefined, options: ChangeOptions) => {
    const client = await session.client()
    const domain = await findDomain(client, name)
    const input = await changeInput(session, client, domain, file, options)
    if (!input) throw new CliError(EXIT.usage, 'Give a FILE, --add, --set or --rm')
    const planned = await planOf(client, domain, input)
    if (session.options.json) await session.answer(planned)
    else await showPlan(session, domain.name, planned)
    if (planned.conflicts.length > 0)
      throw new CliError(EXIT.refused, 'The plan has conflicts and cannot be applied')
    if (!session.options.json && !isEmpty(planned))
      await session.say(
        `To apply it before ${planned.planExpiresAt}: zonekeeper apply ${domain.name} ${planned.planId}`,
      )
  })

  withReview(
    program
      .command('apply')
      .argument('DOMAIN')
      .argument('PLAN', 'id, as shown by plan', plan)
      .description('apply a plan as it was shown, or nothing if records changed since'),
  ).action(async (name: string, planId: string) => {
    const client = await session.client()
    await applyPlan(session, client, await findDomain(client, name), planId)
  })

  async function planOf(
    client: Zonekeeper,
    domain: { id: string; name: string },
    input: ChangeInput,
  ): Promise<Plan> {
    if ('changes' in input)
      return client.POST('/api/v1/domains/{id}/records/plan', {
        path: { id: domain.id },
        body: { changes: input.changes, keep: true },
      })
    const { zonefile: text } = input
    return (await planFile(session, client, domain, { text, mode: 'merge', format: 'bind' })).plan
  }
}
