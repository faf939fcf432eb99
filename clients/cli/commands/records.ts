import type { Command } from 'commander'
import type { DnsRecord, RecordType, Zonekeeper } from '../../typescript/index.ts'
import { every } from '../../typescript/paging.ts'
import { changeToSet, readRrset, type RequestedChange } from '../changes.ts'
import { EXIT, CliError } from '../failures.ts'
import { findDomain, isId } from '../../domain-names.ts'
import { confirmAndApply, isEmpty } from '../terminal/plan-view.ts'
import { withReview } from '../requests/review.ts'
import type { Session } from '../session.ts'
import { given, repeated, seconds } from '../options.ts'

const LIMIT = 1000

interface ListOptions {
  type?: RecordType[]
  search?: string
}

/** Adds the commands for records. Changes are planned, shown, and applied after confirmation. */
export function addRecords(program: Command, session: Session): void {
  const records = program.command('records').description('list and change the records of a domain')

  records
    .command('list DOMAIN')
    .description('list the records of a domain')
    .option('--type <TYPE>', 'only this type; can be given several times', repeated)
    .option('--search <TEXT>', 'text in names and values')
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

  withReview(
    records
      .command('add DOMAIN NAME TYPE VALUE...')
      .description('add records to a name (@ for the apex); existing records stay')
      .option('--ttl <SECONDS>', 'time to live in seconds', seconds),
  ).action((domain: string, name: string, type: string, values: string[], { ttl }: { ttl?: number }) =>
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

  withReview(
    records
      .command('set DOMAIN NAME TYPE VALUE...')
      .description(
        'make these the only values of a name and type; also deletes records only the DNS provider has',
      )
      .option('--ttl <SECONDS>', 'time to live in seconds', seconds),
  ).action((domain: string, name: string, type: string, values: string[], { ttl }: { ttl?: number }) =>
    change(domain, async () => [changeToSet(type.toUpperCase(), name, values, given({ ttl }))]),
  )

  withReview(
    records
      .command('rm DOMAIN NAME [TYPE] [VALUE...]')
      .description('delete the records of a name, or the record with an id'),
  ).action((domain: string, name: string, type: string | undefined, values: string[]) =>
    change(domain, async (client, at) => {
      if (isId(name)) return [{ action: 'delete', recordId: name }]
      const there = await readRrset(client, at, name, type?.toUpperCase())
      const deleted = there.filter(({ value }) => values.length === 0 || values.includes(value))
      if (deleted.length === 0) throw new CliError(EXIT.notFound, 'No such record')
      return deleted.map((record) => ({ action: 'delete', recordId: record.id, version: record.version }))
    }),
  )

  withReview(
    records
      .command('comment DOMAIN NAME TEXT')
      .description('set the comment of the records of a name, or of the record with an id; "" removes it')
      .option('--type <TYPE>', 'only of this type')
      .option('--value <VALUE>', 'only of this value'),
  ).action(
    (domain: string, name: string, comment: string, { type, value }: { type?: string; value?: string }) =>
      change(domain, (client, at) =>
        edits(client, at, { name, type, values: value === undefined ? [] : [value] }, { comment }),
      ),
  )

  for (const [action, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const)
    withReview(
      records
        .command(`${action} DOMAIN NAME [TYPE] [VALUE...]`)
        .description(
          enabled
            ? 'serve the disabled records of a name, or the record with an id, again'
            : 'keep the records of a name, or the record with an id, without serving them',
        ),
    ).action((domain: string, name: string, type: string | undefined, values: string[]) =>
      change(domain, (client, at) => edits(client, at, { name, type, values }, { enabled })),
    )

  type Decide = (client: Zonekeeper, at: { id: string; name: string }) => Promise<RequestedChange[]>

  async function change(nameOrId: string, decide: Decide): Promise<void> {
    const client = await session.client()
    const domain = await findDomain(client, nameOrId)
    const changes = await decide(client, domain)
    const plan = await client.POST('/api/v1/domains/{id}/records/plan', {
      path: { id: domain.id },
      body: { changes, keep: true },
    })
    if (isEmpty(plan) && plan.conflicts.length === 0) return session.note('Nothing to change.')
    await confirmAndApply(session, client, domain, plan)
  }
}

interface Chosen {
  /** Name or id. */
  name: string
  type: string | undefined
  /** Empty: all. */
  values: string[]
}

/** Returns the same edit of all chosen records. Rejects with CliError if there are none. */
async function edits(
  client: Zonekeeper,
  domain: { id: string; name: string },
  { name, type, values }: Chosen,
  edit: { comment: string } | { enabled: boolean },
): Promise<RequestedChange[]> {
  if (isId(name)) return [{ action: 'update', recordId: name, ...edit }]
  const there = await readRrset(client, domain, name, type?.toUpperCase())
  const chosen = there.filter(({ value }) => values.length === 0 || values.includes(value))
  if (chosen.length === 0) throw new CliError(EXIT.notFound, 'No such record')
  return chosen.map(({ id, version }) => ({ action: 'update', recordId: id, version, ...edit }))
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
