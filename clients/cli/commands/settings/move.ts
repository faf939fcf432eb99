import { Option, type Command } from 'commander'
import type { Schemas } from '../../../typescript/index.ts'
import { findDomain } from '../../../domain-names.ts'
import { printable } from '../../../printable.ts'
import { EXIT, CliError } from '../../failures.ts'
import { given } from '../../options.ts'
import { isAccepted, isEmpty, showPlan } from '../../terminal/plan-view.ts'
import { followed } from '../../terminal/progress.ts'
import { confirm } from '../../terminal/questions.ts'
import type { Session } from '../../session.ts'
import { findProvider } from './connections.ts'

interface CopyOptions {
  to: string
  zone?: string
  createZone?: boolean
  replace?: boolean
  skipRefused?: boolean
  dryRun?: boolean
}

/** Adds `domains copy` and `domains switch`, which move a domain to another DNS provider. */
export function addMoves(domains: Command, session: Session): void {
  domains
    .command('copy DOMAIN')
    .description(
      'copy the records of a domain to a zone at another provider connection; the domain stays where it is',
    )
    .requiredOption('--to <CONNECTION>', 'name or id of the provider connection')
    .option('--zone <ZONE>', 'id of one of several zones of the name')
    .option('--create-zone', 'create the zone if there is none')
    .option('--replace', 'also delete records that only the other zone has')
    .option('--skip-refused', 'leave out records that the other provider does not support')
    .option('--dry-run', 'only show the plan')
    .action(async (name: string, { to, zone, replace, dryRun, ...options }: CopyOptions) => {
      const client = await session.client()
      const domain = await findDomain(client, name)
      const body = {
        providerConfigId: await findProvider(client, to),
        mode: replace === true ? ('replace' as const) : ('merge' as const),
        ...given({ zoneId: zone, ...options }),
      }
      const path = { id: domain.id }
      const planned = await client.POST('/api/v1/domains/{id}/copy', {
        path,
        body: { ...body, dryRun: true },
      })
      if (isAccepted(planned)) throw new CliError(EXIT.failed, 'The service copied instead of planning')
      const { json, yes } = session.options
      if (!json) await showPlan(session, domain.name, planned.plan)
      else if (dryRun || yes !== true) await session.answer(planned)
      if (planned.plan.conflicts.length > 0 && options.skipRefused !== true)
        throw new CliError(EXIT.refused, 'The plan has conflicts and cannot be applied')
      if (dryRun) return
      if (isEmpty(planned.plan) && planned.zoneId !== null)
        return json ? undefined : session.say('Nothing to copy.')
      await confirm(session, 'Copy?')
      const done = await client.POST('/api/v1/domains/{id}/copy', { path, body })
      if (isAccepted(done)) {
        const operation = await followed(session, client, done)
        if (json) await session.answer(operation)
        else await session.say(`${operation.done} of ${operation.total} changes applied`)
        if (operation.outcome !== 'succeeded') session.exit = EXIT.failed
        return
      }
      if (json) return session.answer(done)
      for (const { record, error } of done.failed)
        await session.note(printable(`${record?.name ?? ''} ${record?.recordType ?? ''} left out: ${error}`))
      await session.say(`Copied to zone ${done.zoneId}`)
    })

  domains
    .command('switch DOMAIN')
    .description('manage a domain at another provider connection from now on, after copy')
    .requiredOption('--to <CONNECTION>', 'name or id of the provider connection')
    .option('--zone <ZONE>', 'id of one of several zones of the name')
    .addOption(
      new Option('--force', 'even if the zone there is missing records, which are then deleted here'),
    )
    .action(async (name: string, { to, zone, force }: { to: string; zone?: string; force?: boolean }) => {
      const client = await session.client()
      const domain = await findDomain(client, name)
      const providerConfigId = await findProvider(client, to)
      await confirm(session, `Switch ${domain.name} to ${printable(to)}?`)
      const done = await client.POST('/api/v1/domains/{id}/switch', {
        path: { id: domain.id },
        body: { providerConfigId, ...given({ zoneId: zone, force }) },
      })
      if (session.options.json) return session.answer(done)
      await tellSwitch(session, domain.name, done)
    })
}

async function tellSwitch(session: Session, name: string, done: Schemas['SwitchAnswer']): Promise<void> {
  const { created, updated, deleted, nameServers, dsToRemove, dsToSet } = done
  await session.say(`${name} switched: ${created} new, ${updated} changed, ${deleted} deleted records`)
  const steps: [string, readonly string[] | null][] = [
    ['Remove this DS at the registrar first', dsToRemove],
    ['Then set these name servers at the registrar', nameServers],
    ['Once they have spread, set this DS', dsToSet],
  ]
  for (const [step, values] of steps)
    for (const value of values ?? []) await session.say(printable(`${step}: ${value}`))
}
