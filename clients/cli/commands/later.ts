import type { Command } from 'commander'
import type { Change } from '../../typescript/index.ts'
import { every } from '../../typescript/paging.ts'
import { findDomain } from '../../domain-names.ts'
import { change } from '../options.ts'
import { EXIT, CliError } from '../failures.ts'
import { whatOf } from './history.ts'
import type { Session } from '../session.ts'
import { minuteOf } from '../terminal/table.ts'

const LIMIT = 100
/** Adds the commands for changes that wait for their time, or to be confirmed. */
export function addLater(changes: Command, session: Session): void {
  changes
    .command('scheduled DOMAIN')
    .description('list changes that wait for their time, the next one first')
    .action(async (name: string) => {
      const client = await session.client()
      const { id } = await findDomain(client, name)
      await session.list<Change>(
        [
          { title: 'WHEN', of: ({ applyAt }) => minuteOf(applyAt ?? '') },
          { title: 'WHO', of: ({ actor }) => actor.name },
          { title: 'WHAT', of: whatOf, long: true },
          { title: 'CHANGE', of: ({ id: is }) => is },
        ],
        every('changes', (page) =>
          client.GET('/api/v1/domains/{id}/changes', {
            path: { id },
            query: { status: 'scheduled', limit: LIMIT, ...page },
          }),
        ),
      )
    })

  changes
    .command('cancel')
    .argument('DOMAIN')
    .argument('CHANGE', 'id, as shown by "changes scheduled"', change)
    .description('cancel a scheduled change')
    .action(async (name: string, changeId: string) => {
      const client = await session.client()
      const path = { id: (await findDomain(client, name)).id, changeId }
      const cancelled = await client.POST('/api/v1/domains/{id}/changes/{changeId}/cancel', { path })
      if (session.options.json) await session.answer(cancelled)
      else await session.say(`Change ${changeId}: cancelled`)
    })

  changes
    .command('apply')
    .argument('DOMAIN')
    .argument('CHANGE', 'id, as shown by "changes scheduled"', change)
    .description('apply a scheduled change now instead of at its time')
    .action(async (name: string, changeId: string) => {
      const client = await session.client()
      const path = { id: (await findDomain(client, name)).id, changeId }
      const done = await client.POST('/api/v1/domains/{id}/changes/{changeId}/apply', { path })
      if (session.options.json) await session.answer(done)
      else await session.say(`Change ${changeId}: ${done.status}`)
      if (done.status !== 'applied')
        throw new CliError(EXIT.failed, done.problem?.detail ?? 'The change is not applied yet')
    })

  changes
    .command('confirm')
    .argument('DOMAIN')
    .argument('CHANGE', 'id, as shown when it was applied', change)
    .description('confirm an applied change, so that it stays')
    .action(async (name: string, changeId: string) => {
      const client = await session.client()
      const path = { id: (await findDomain(client, name)).id, changeId }
      const confirmed = await client.POST('/api/v1/domains/{id}/changes/{changeId}/confirm', { path })
      if (session.options.json) await session.answer(confirmed)
      else await session.say(`Change ${changeId}: confirmed`)
    })
}
