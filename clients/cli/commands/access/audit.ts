import type { Command } from 'commander'
import type { Answer, OpenApi } from '../../../typescript/index.ts'
import { every } from '../../../typescript/paging.ts'
import { count, given, time } from '../../options.ts'
import { firstOf, minuteOf } from '../../terminal/table.ts'
import type { Session } from '../../session.ts'

type Entry = Answer<OpenApi, '/api/v1/audit', 'GET'>['entries'][number]

const LIMIT = 100
const SHOWN = 50

interface AuditOptions {
  actor?: string
  action?: string
  target?: string
  from?: string
  to?: string
  number: number
}

/** Adds the audit trail. */
export function addAudit(program: Command, session: Session): void {
  program
    .command('audit')
    .description('list the audit trail, newest first (administrators)')
    .option('--actor <USER>', 'only what this user did')
    .option('--action <ACTION>', 'only this action, or all of an area: auth.*')
    .option('--target <TARGET>', 'only about this id, or this type of target: domain')
    .option('--from <TIME>', 'at or after, such as 2026-11-21T12:00:00Z', time)
    .option('--to <TIME>', 'before', time)
    .option('--number <NUMBER>', 'how many entries', count, SHOWN)
    .action(async ({ number, ...options }: AuditOptions) => {
      const client = await session.client()
      const filters = { limit: Math.min(LIMIT, number), ...given(options) }
      const entries = every('entries', (page) =>
        client.GET('/api/v1/audit', { query: { ...filters, ...page } }),
      )
      await session.list<Entry>(
        [
          { title: 'AT', of: ({ at }) => minuteOf(at) },
          { title: 'ACTOR', of: ({ actor }) => actor.name },
          { title: 'ORIGIN', of: ({ origin }) => origin },
          { title: 'ACTION', of: ({ action }) => action },
          { title: 'TARGET', of: ({ target }) => target.name ?? target.id, long: true },
          { title: 'FROM', of: ({ ip }) => ip },
          { title: 'TOKEN', of: ({ token }) => token?.name ?? '', long: true },
        ],
        firstOf(entries, number),
      )
    })
}
