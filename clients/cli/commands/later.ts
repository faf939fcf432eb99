import { InvalidArgumentError, type Command } from 'commander'
import type { Change } from '../../typescript/index.ts'
import { every } from '../../typescript/paging.ts'
import { findDomain } from '../../domain-names.ts'
import { change, given, time } from '../options.ts'
import { whatOf } from './history.ts'
import type { GlobalOptions, Session } from '../session.ts'
import { minuteOf } from '../terminal/table.ts'

const LIMIT = 100
const MAX_MINUTES = 1440

function minutes(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1 || number > MAX_MINUTES)
    throw new InvalidArgumentError(`Give a number of minutes, from 1 to ${MAX_MINUTES}.`)
  return number
}

/** Adds the options that apply a change at a time, and revert it unless it is confirmed. */
export const withLater = (command: Command): Command =>
  command
    .option('--at <TIME>', 'apply it at this time, such as 2026-12-04T22:00:00Z', time)
    .option('--confirm-within <MINUTES>', 'revert it unless it is confirmed in this time', minutes)

/** The part of a body that says when to apply a change, and whether it must be confirmed. */
export const laterOf = ({ at, confirmWithin }: Pick<GlobalOptions, 'at' | 'confirmWithin'>) =>
  given({ applyAt: at, confirmWithin })

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
