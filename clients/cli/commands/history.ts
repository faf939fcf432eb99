import type { Command } from 'commander'
import type { Change, Operation, Origin, RecordType } from '../../typescript/index.ts'
import { every } from '../../typescript/paging.ts'
import { confirmAndApplyInDomains, DOMAINS_AT_A_TIME } from '../domains-plan.ts'
import { EXIT, CliError } from '../failures.ts'
import { findDomain } from '../../domain-names.ts'
import { confirmAndApply, isAccepted } from '../terminal/plan-view.ts'
import { withReview } from '../requests/review.ts'
import { firstOf, minuteOf } from '../terminal/table.ts'
import type { Session } from '../session.ts'
import { change, count, given, time } from '../options.ts'

const LIMIT = 100

interface HistoryOptions {
  name?: string
  type?: RecordType
  actor?: string
  token?: string
  origin?: Origin
  from?: string
  to?: string
  number: number
}

/** Adds the history, and the commands that revert or retry changes. */
export function addHistory(program: Command, session: Session): void {
  program
    .command('history DOMAIN')
    .description('list changes, newest first')
    .option('--name <NAME>', 'changes of records with this name')
    .option('--type <TYPE>', 'changes of records of this type')
    .option('--actor <USER>', 'user name or id')
    .option('--token <TOKEN>', 'name or id of the personal token')
    .option('--origin <ORIGIN>', 'such as console, api, cli or ddns')
    .option('--from <TIME>', 'not before this time, such as 2026-11-21T12:00:00Z', time)
    .option('--to <TIME>', 'before this time', time)
    .option('-n, --number <N>', 'number of changes', count, 20)
    .action(async (domain: string, { number, ...filters }: HistoryOptions) => {
      const client = await session.client()
      const { id } = await findDomain(client, domain)
      const limit = Math.min(number, LIMIT)
      const changes = every('changes', (page) =>
        client.GET('/api/v1/domains/{id}/changes', {
          path: { id },
          query: { ...given(filters), limit, ...page },
        }),
      )
      await session.list<Change>(
        [
          { title: 'WHEN', of: ({ createdAt }) => minuteOf(createdAt) },
          { title: 'WHO', of: ({ actor }) => actor.name },
          { title: 'HOW', of: ({ source }) => source },
          { title: 'VIA', of: viaOf },
          { title: 'STATUS', of: ({ status }) => status },
          { title: 'WHAT', of: whatOf, long: true },
          { title: 'CHANGE', of: ({ id: is }) => is },
        ],
        firstOf(changes, number),
      )
    })

  withReview(
    program
      .command('undo')
      .argument('DOMAIN')
      .argument('CHANGE', 'id, as shown by history', change)
      .description('revert a change: restore its records to their previous state'),
  ).action(async (name: string, changeId: string) => {
    const client = await session.client()
    const domain = await findDomain(client, name)
    const plan = await client.POST('/api/v1/domains/{id}/changes/{changeId}/revert', {
      path: { id: domain.id, changeId },
      query: { keep: true },
    })
    if (isAccepted(plan)) throw new CliError(EXIT.failed, 'The service started to revert instead of planning')
    await confirmAndApply(session, client, domain, plan)
  })

  const operations = program
    .command('operations')
    .description('list large changes and changes of many domains')

  operations
    .command('list', { isDefault: true })
    .description('list your own operations, newest first')
    .option('-n, --number <N>', 'number of operations', count, 20)
    .action(async ({ number }: { number: number }) => {
      const client = await session.client()
      const { operations: some } = await client.GET('/api/v1/operations', {
        query: { limit: Math.min(number, LIMIT) },
      })
      await session.list<Operation>(
        [
          { title: 'WHEN', of: ({ createdAt }) => minuteOf(createdAt) },
          { title: 'HOW', of: ({ kind }) => kind },
          { title: 'DOMAIN', of: ({ domainName }) => domainName ?? '' },
          { title: 'OUTCOME', of: ({ outcome, state }) => outcome ?? state },
          { title: 'DONE', of: ({ done, total }) => `${done} of ${total}` },
          { title: 'OPERATION', of: ({ id }) => id },
        ],
        some,
      )
    })

  operations
    .command('undo')
    .argument('OPERATION', 'id, as shown by the list', change)
    .description('revert the record changes of an operation in all its domains')
    .action(async (id: string) => {
      const client = await session.client()
      const plan = await client.POST('/api/v1/operations/{id}/revert', {
        path: { id },
        body: {},
        query: { dryRun: true, limit: DOMAINS_AT_A_TIME },
      })
      if (isAccepted(plan))
        throw new CliError(EXIT.failed, 'The service started to revert instead of planning')
      await confirmAndApplyInDomains(session, client, plan, async (planId) => {
        const begun = await client.POST('/api/v1/operations/{id}/revert', { path: { id }, body: { planId } })
        if (isAccepted(begun)) return begun
        throw new CliError(EXIT.failed, 'The service planned but did not revert')
      })
    })

  operations
    .command('confirm')
    .argument('OPERATION', 'id, as shown by the list', change)
    .description('confirm the changes of an operation in all its domains, so that they stay')
    .action(async (id: string) => {
      const client = await session.client()
      const done = await client.POST('/api/v1/operations/{id}/confirm', { path: { id } })
      if (session.options.json) await session.answer(done)
      else await session.say(`Operation ${id}: ${done.confirmed} confirmed`)
      const missed = done.leftCount + done.hidden
      if (missed === 0) return
      const lines = done.left.map(({ domainId, code, detail }) => `  ${domainId} ${code}: ${detail}`)
      throw new CliError(EXIT.failed, [`${missed} not confirmed`, ...lines].join('\n'))
    })

  withReview(
    program
      .command('retry')
      .argument('DOMAIN')
      .argument('CHANGE', 'id, as shown by history', change)
      .description('apply the steps of a change that were not applied'),
  ).action(async (name: string, changeId: string) => {
    const client = await session.client()
    const domain = await findDomain(client, name)
    const plan = await client.POST('/api/v1/domains/{id}/changes/{changeId}/retry', {
      path: { id: domain.id, changeId },
      query: { keep: true },
    })
    if (isAccepted(plan)) throw new CliError(EXIT.failed, 'The service started to retry instead of planning')
    await confirmAndApply(session, client, domain, plan)
  })

  withReview(
    program
      .command('restore')
      .argument('DOMAIN')
      .argument('TIME', 'such as 2026-11-21T12:00:00Z', time)
      .description('restore all records to their state at a point in time'),
  ).action(async (name: string, at: string) => {
    const client = await session.client()
    const domain = await findDomain(client, name)
    const plan = await client.POST('/api/v1/domains/{id}/restore', {
      path: { id: domain.id },
      body: { at, keep: true },
    })
    if (isAccepted(plan))
      throw new CliError(EXIT.failed, 'The service started to restore instead of planning')
    await confirmAndApply(session, client, domain, plan)
  })
}

/** Returns the origin, and the token if one was used: `cli deploy …x7Qd`. */
const viaOf = ({ origin, token }: Change): string =>
  [origin ?? '', token?.name, token?.suffix && `…${token.suffix}`].filter(Boolean).join(' ')

const SIGNS = { create: '+', update: '~', delete: '-' } as const

/** The first record of a change, and how many more there are. */
export function whatOf({ items, itemCount }: Change): string {
  const [first] = items
  const content = first?.after ?? first?.before
  if (!first || !content) return ''
  const rest = itemCount > 1 ? ` and ${itemCount - 1} more` : ''
  return `${SIGNS[first.action]} ${content.name} ${content.recordType} ${content.value}${rest}`
}
