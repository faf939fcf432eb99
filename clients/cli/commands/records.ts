import type { Command } from 'commander'
import type { DnsRecord, RecordType, Zonekeeper } from '../../typescript/index.ts'
import { every } from '../../typescript/paging.ts'
import { changeToSet, readRrset, type Change } from '../changes.ts'
import { EXIT, Failure } from '../failures.ts'
import { findDomain, isId } from '../../domain-names.ts'
import { carryOut, isEmpty } from '../plan-view.ts'
import type { Session } from '../session.ts'
import { given, repeated, seconds } from '../options.ts'

const LIMIT = 1000

interface ListOptions {
  type?: RecordType[]
  search?: string
}

/** The records of a domain: what changes them is planned, shown, and done when it is wanted. */
export function addRecords(program: Command, session: Session): void {
  const records = program.command('records').description('list and change the records of a domain')

  records
    .command('list DOMAIN')
    .description('its records, as they are stored here')
    .option('--type <TYPE>', 'of this type alone; may be said several times', repeated)
    .option('--search <TEXT>', 'in names and values')
    .action(async (name: string, { type, search }: ListOptions) => {
      const client = await session.client()
      const { id } = await findDomain(client, name)
      const types = type?.map((one) => one.toUpperCase())
      const filters = {
        limit: LIMIT,
        ...given({ type: types, search }),
        ...(search && { in: 'name,value' as const }),
      }
      await session.list<DnsRecord>(
        RECORD_COLUMNS,
        every('records', (page) =>
          client.GET('/api/v1/domains/{id}/records', { path: { id }, query: { ...filters, ...page } }),
        ),
      )
    })

  records
    .command('add DOMAIN NAME TYPE VALUE...')
    .description('create records of a name (@: the domain itself), beside those that are there')
    .option('--ttl <SECONDS>', 'how long it may be kept by those who asked', seconds)
    .action((domain: string, name: string, type: string, values: string[], { ttl }: { ttl?: number }) =>
      change(domain, async () =>
        values.map((value) => ({
          action: 'create',
          recordType: type.toUpperCase(),
          name,
          value,
          ...given({ ttl }),
        })),
      ),
    )

  records
    .command('set DOMAIN NAME TYPE VALUE...')
    .description(
      'make these the values of that name and type, and delete all others, also those that only the provider knows',
    )
    .option('--ttl <SECONDS>', 'how long it may be kept by those who asked', seconds)
    .action((domain: string, name: string, type: string, values: string[], { ttl }: { ttl?: number }) =>
      change(domain, async () => [changeToSet(type.toUpperCase(), name, values, given({ ttl }))]),
    )

  records
    .command('rm DOMAIN NAME [TYPE] [VALUE...]')
    .description('delete what is at a name, or the record of an id')
    .action((domain: string, name: string, type: string | undefined, values: string[]) =>
      change(domain, async (client, at) => {
        if (isId(name)) return [{ action: 'delete', recordId: name }]
        const there = await readRrset(client, at, name, type?.toUpperCase())
        const doomed = there.filter(({ value }) => values.length === 0 || values.includes(value))
        if (doomed.length === 0) throw new Failure(EXIT.notFound, 'There is no such record')
        return doomed.map((record) => ({ action: 'delete', recordId: record.id, version: record.version }))
      }),
    )

  type Wish = (client: Zonekeeper, at: { id: string; name: string }) => Promise<Change[]>

  async function change(nameOrId: string, wish: Wish): Promise<void> {
    const client = await session.client()
    const domain = await findDomain(client, nameOrId)
    const changes = await wish(client, domain)
    const plan = await client.POST('/api/v1/domains/{id}/records/plan', {
      path: { id: domain.id },
      body: { changes, keep: true },
    })
    if (isEmpty(plan) && plan.conflicts.length === 0) return session.note('There is nothing to do.')
    await carryOut(session, client, domain, plan)
  }
}

export const RECORD_COLUMNS = [
  { title: 'NAME', of: ({ name }: DnsRecord) => name, long: true },
  { title: 'TYPE', of: ({ recordType }: DnsRecord) => recordType },
  { title: 'TTL', of: ({ ttl }: DnsRecord) => ttl },
  { title: 'VALUE', of: ({ value }: DnsRecord) => value, long: true },
  {
    title: 'COMMENT',
    of: ({ enabled, comment }: DnsRecord) => (enabled ? comment : `(disabled) ${comment}`),
    long: true,
  },
]
