import type { Command } from 'commander'
import type { DnsRecord } from '../../typescript/index.ts'
import { every } from '../../typescript/paging.ts'
import type { Session } from '../session.ts'
import { RECORD_COLUMNS } from './records.ts'

const LIMIT = 200

type Found = DnsRecord & { domainName: string }

/** Adds the search over all domains. */
export function addSearch(program: Command, session: Session): void {
  program
    .command('search TEXT')
    .description('search the records of all domains by part of a name or value, or by address')
    .action(async (q: string) => {
      const client = await session.client()
      await session.list<Found>(
        [{ title: 'DOMAIN', of: ({ domainName }) => domainName, long: true }, ...RECORD_COLUMNS],
        every('records', (page) =>
          client.GET('/api/v1/records/search', { query: { q, limit: LIMIT, ...page } }),
        ),
      )
    })
}
