import { Option, type Command } from 'commander'
import type { ChangeRequest, ChangeRequestItem, Schemas } from '../../typescript/index.ts'
import { every } from '../../typescript/paging.ts'
import { findDomain } from '../../domain-names.ts'
import { EXIT, CliError } from '../failures.ts'
import { count, given, plan, request } from '../options.ts'
import { withChanges, type ChangeOptions } from '../changes.ts'
import { confirm } from '../terminal/questions.ts'
import { wantedIn } from '../requests/input.ts'
import { showRequest } from '../requests/view.ts'
import { firstOf, minuteOf } from '../terminal/table.ts'
import type { Session } from '../session.ts'
import { laterOf, withLater } from '../requests/later.ts'

const LIMIT = 100
const STATUSES = ['open', 'approved', 'applied', 'failed', 'rejected', 'withdrawn', 'outdated']

interface ListOptions {
  domain?: string
  status?: Schemas['ChangeRequestStatus']
  author?: string
  canApprove?: boolean
  number: number
}

interface OpenOptions extends ChangeOptions {
  at?: string
  confirmWithin?: number
  title: string
  reason?: string
  plan?: string
}

/** Adds the commands for change requests. */
export function addChangeRequests(program: Command, session: Session): void {
  const requests = program
    .command('requests')
    .description('changes that a second person approves: list, show, open, approve')

  requests
    .command('list', { isDefault: true })
    .description('list change requests, newest first')
    .option('--domain <DOMAIN>', 'only of this domain')
    .addOption(new Option('--status <STATUS>').choices(STATUSES))
    .option('--author <USER>', 'user name or id')
    .option('--can-approve', 'only open requests that you may approve')
    .option('-n, --number <N>', 'number of requests', count, 20)
    .action(async ({ domain, number, ...filters }: ListOptions) => {
      const client = await session.client()
      const domainId = domain === undefined ? undefined : (await findDomain(client, domain)).id
      const query = { ...given({ ...filters, domainId }), limit: Math.min(number, LIMIT) }
      const list = every('requests', (page) =>
        client.GET('/api/v1/change-requests', { query: { ...query, ...page } }),
      )
      await session.list<ChangeRequestItem>(COLUMNS, firstOf(list, number))
    })

  requests
    .command('show')
    .argument('REQUEST', 'id, as shown by the list', request)
    .description('show a change request: its plan, author, reason and timeline')
    .action(async (id: string) => {
      const client = await session.client()
      await tell(await client.GET('/api/v1/change-requests/{id}', { path: { id } }))
    })

  withChanges(
    withLater(
      requests
        .command('open DOMAIN [FILE]')
        .description('request a change of records; nothing changes until it is approved'),
    )
      .requiredOption('--title <TITLE>')
      .option('--reason <REASON>', 'why the change is wanted')
      .option('--plan <PLAN>', 'id of a plan, instead of FILE, --add, --set and --rm', plan),
  ).action(
    async (
      name: string,
      file: string | undefined,
      { title, reason, at, confirmWithin, ...options }: OpenOptions,
    ) => {
      const client = await session.client()
      const domain = await findDomain(client, name)
      const wanted = await wantedIn(session, client, domain, file, options)
      if (!wanted) throw new CliError(EXIT.usage, 'Give a FILE, --plan, --add, --set or --rm')
      await tell(
        await client.POST('/api/v1/domains/{id}/change-requests', {
          path: { id: domain.id },
          body: { title, ...given({ reason }), ...laterOf(given({ at, confirmWithin })), ...wanted },
        }),
      )
    },
  )

  withChanges(
    withLater(
      requests
        .command('edit')
        .argument('REQUEST', 'id, as shown by the list', request)
        .argument('[FILE]')
        .description('change a request, or plan the same changes again; it then needs a new approval'),
    )
      .option('--title <TITLE>')
      .option('--reason <REASON>', 'why the change is wanted')
      .option('--plan <PLAN>', 'id of a plan, instead of FILE, --add, --set and --rm', plan),
  ).action(
    async (
      id: string,
      file: string | undefined,
      { title, reason, at, confirmWithin, ...options }: Partial<OpenOptions>,
    ) => {
      const client = await session.client()
      const { domainId, domainName } = await client.GET('/api/v1/change-requests/{id}', { path: { id } })
      const domain = { id: domainId, name: domainName }
      const wanted = await wantedIn(session, client, domain, file, options)
      const body = { ...given({ title, reason }), ...laterOf(given({ at, confirmWithin })), ...wanted }
      await tell(await client.PUT('/api/v1/change-requests/{id}', { path: { id }, body }))
    },
  )

  requests
    .command('approve')
    .argument('REQUEST', 'id, as shown by the list', request)
    .description('approve the change request of another person, which applies it')
    .option('--revision <N>', 'only if it is still at this revision', count)
    .option('--comment <TEXT>', 'a remark for the timeline')
    .action(async (id: string, { revision, comment }: { revision?: number; comment?: string }) => {
      const client = await session.client()
      const seen = await client.GET('/api/v1/change-requests/{id}', { path: { id } })
      if (!session.options.json) await showRequest(session, seen)
      await confirm(session, 'Approve and apply?')
      const decided = await client.POST('/api/v1/change-requests/{id}/approve', {
        path: { id },
        body: { revision: revision ?? seen.revision, ...given({ text: comment }) },
      })
      if (session.options.json) await session.answer(decided)
      requireDone(decided)
      if (session.options.json) return
      await session.say(
        decided.status === 'applied'
          ? `Done. To revert it: zonekeeper undo, change ${decided.changeId}`
          : decided.applyAt === null
            ? 'Approved; the DNS provider has not confirmed it yet.'
            : `Approved; it is applied at ${decided.applyAt}.`,
      )
    })

  requests
    .command('apply')
    .argument('REQUEST', 'id, as shown by the list', request)
    .description('apply an approved change request now instead of at its time')
    .action(async (id: string) => {
      const client = await session.client()
      const applied = await client.POST('/api/v1/change-requests/{id}/apply', { path: { id } })
      if (session.options.json) await session.answer(applied)
      requireDone(applied)
      if (!session.options.json) await tellStatus(applied)
    })

  requests
    .command('reject')
    .argument('REQUEST', 'id, as shown by the list', request)
    .description('reject a change request')
    .requiredOption('--reason <REASON>', 'shown to its author')
    .action(async (id: string, body: { reason: string }) => {
      const client = await session.client()
      await tellStatus(await client.POST('/api/v1/change-requests/{id}/reject', { path: { id }, body }))
    })

  requests
    .command('withdraw')
    .argument('REQUEST', 'id, as shown by the list', request)
    .description('withdraw your own change request')
    .action(async (id: string) => {
      const client = await session.client()
      await tellStatus(await client.POST('/api/v1/change-requests/{id}/withdraw', { path: { id } }))
    })

  requests
    .command('comment')
    .argument('REQUEST', 'id, as shown by the list', request)
    .argument('TEXT')
    .description('comment on a change request')
    .action(async (id: string, text: string) => {
      const client = await session.client()
      const body = { text }
      await tell(await client.POST('/api/v1/change-requests/{id}/comments', { path: { id }, body }))
    })

  const tell = (one: ChangeRequest) =>
    session.options.json ? session.answer(one) : showRequest(session, one)

  const tellStatus = (one: ChangeRequest) =>
    session.options.json ? session.answer(one) : session.say(`Change request ${one.id}: ${one.status}`)
}

/** Rejects with CliError unless the approved request is applied, or about to be. */
function requireDone({ id, status, problem }: ChangeRequest): void {
  if (status === 'applied' || status === 'approved') return
  if (status === 'outdated')
    throw new CliError(
      EXIT.refused,
      `Nothing was changed, because the records have changed since; "zonekeeper requests edit ${id}" plans it again`,
    )
  throw new CliError(EXIT.failed, `Not applied, or only in part: ${problem?.detail ?? 'see the history'}`)
}

const COLUMNS = [
  { title: 'WHEN', of: ({ createdAt }: ChangeRequestItem) => minuteOf(createdAt) },
  { title: 'DOMAIN', of: ({ domainName }: ChangeRequestItem) => domainName, long: true },
  { title: 'STATUS', of: ({ status }: ChangeRequestItem) => status },
  { title: 'AUTHOR', of: ({ author }: ChangeRequestItem) => author.name },
  {
    title: 'RECORDS',
    of: ({ created, updated, deleted }: ChangeRequestItem) => `+${created} ~${updated} -${deleted}`,
  },
  { title: 'TITLE', of: ({ title }: ChangeRequestItem) => title, long: true },
  { title: 'REQUEST', of: ({ id }: ChangeRequestItem) => id },
]
