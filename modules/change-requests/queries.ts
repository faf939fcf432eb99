import { sql, type Expression, type Selectable, type SqlBool } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { StoredPlan } from '../records/service.ts'
import { CHANGE_REQUESTS } from '../../db/tables/columns.ts'
import type { Executor } from '../../db/connection/connect.ts'
import type { ChangeRequestEntriesTable, ChangeRequestsTable, ChangesTable } from '../../db/tables/index.ts'
import type { Principal } from '../../plugins/security/access/index.ts'
import { grantsOf, recordsVisibleTo, visibleTo, type Grant } from '../domains/access/access.ts'
import type { RequestStatus } from './schemas.ts'

export type Row = Selectable<ChangeRequestsTable>
export type EntryRow = Selectable<ChangeRequestEntriesTable>

/** A request with its domain, its change, and what the caller is granted on the domain. */
export type RequestRow = Row & {
  domain_name: string
  owner_id: string
  grants: readonly Grant[]
  change_status: ChangesTable['status'] | null
}

/** Columns that lists don't show. */
const LARGE: ReadonlySet<string> = new Set([
  'change_requests.body',
  'change_requests.plan',
  'change_requests.problem',
])
const LISTED = CHANGE_REQUESTS.filter((name) => !LARGE.has(name))

export interface RequestFilter {
  status?: RequestStatus
  /** Username or id. */
  author?: string
  domainId?: string
  page: number
  limit: number
}

/** The change decides whether an approved request was applied. */
const STATUS = sql<RequestStatus>`case
  when change_requests.status <> 'approved' or changes.status is null then change_requests.status
  when changes.status = 'applied' then 'applied'
  when changes.status = 'pending' then 'approved'
  else 'failed' end`

/** Requests whose names and types the caller all sees: a part of a plan could not be judged. */
const isSeen = (principal: Principal): Expression<SqlBool> =>
  sql<SqlBool>`not exists (
    select from (
      select domains.id as domain_id, touched.name, touched.type
      from jsonb_to_recordset(change_requests.touched) as touched (name text, type text)
    ) as records
    where not (true and ${sql.join(recordsVisibleTo(principal), sql` and `)})
  )`

const visible = (db: Executor, principal: Principal) =>
  db
    .selectFrom('change_requests')
    .innerJoin('domains', 'domains.id', 'change_requests.domain_id')
    .leftJoin('changes', 'changes.id', 'change_requests.change_id')
    .where(visibleTo(principal))
    .$if(recordsVisibleTo(principal).length > 0, (query) => query.where(isSeen(principal)))

const matching = (
  db: Executor,
  principal: Principal,
  { status, author, domainId }: Omit<RequestFilter, 'page' | 'limit'>,
) =>
  visible(db, principal)
    .$if(status !== undefined, (query) => query.where(STATUS, '=', status as RequestStatus))
    .$if(domainId !== undefined, (query) => query.where('change_requests.domain_id', '=', domainId as string))
    .$if(author !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(change_requests.author_name = ${author?.toLowerCase()} or change_requests.author_id::text = ${author?.toLowerCase()})`,
      ),
    )

export const listRequests = (
  db: Executor,
  principal: Principal,
  filter: RequestFilter,
): Promise<Omit<RequestRow, 'body' | 'plan' | 'problem'>[]> =>
  matching(db, principal, filter)
    .select(LISTED)
    .select(['domains.name as domain_name', 'domains.owner_id', 'changes.status as change_status'])
    .select(grantsOf(principal).as('grants'))
    .orderBy('change_requests.id', 'desc')
    .limit(filter.limit)
    .offset((filter.page - 1) * filter.limit)
    .execute()

export async function countRequests(
  db: Executor,
  principal: Principal,
  filter: RequestFilter,
): Promise<number> {
  const { count } = await matching(db, principal, filter)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the request if the caller sees it. */
export const findRequest = (
  db: Executor,
  principal: Principal,
  id: string,
  { lock = false } = {},
): Promise<RequestRow | undefined> =>
  visible(db, principal)
    .select(CHANGE_REQUESTS)
    .select(['domains.name as domain_name', 'domains.owner_id', 'changes.status as change_status'])
    .select(grantsOf(principal).as('grants'))
    .where('change_requests.id', '=', id)
    .$if(lock, (query) => query.forUpdate('change_requests'))
    .executeTakeFirst()

export const entriesOf = (db: Executor, id: string, limit: number): Promise<EntryRow[]> =>
  db
    .selectFrom('change_request_entries')
    .selectAll()
    .where('change_request_id', '=', id)
    .orderBy('id')
    .limit(limit)
    .execute()

export async function countEntries(db: Executor, id: string): Promise<number> {
  const { count } = await db
    .selectFrom('change_request_entries')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('change_request_id', '=', id)
    .executeTakeFirstOrThrow()
  return count
}

export const insertEntry = (
  db: Executor,
  request: Pick<Row, 'id' | 'revision'>,
  {
    kind,
    by,
    text = '',
  }: { kind: EntryRow['kind']; by: { userId: string; username: string } | null; text?: string },
) =>
  db
    .insertInto('change_request_entries')
    .values({
      id: uuidv7(),
      change_request_id: request.id,
      revision: request.revision,
      actor_id: by?.userId ?? null,
      actor_name: by?.username ?? null,
      kind,
      text,
    })
    .execute()

export const insertRequest = (
  db: Executor,
  row: StoredPlan &
    Pick<Row, 'id' | 'domain_id' | 'title' | 'reason' | 'author_name' | 'apply_at' | 'confirm_minutes'> & {
      author_id: string
    },
) =>
  db
    .insertInto('change_requests')
    .values({ ...row, status: 'open' })
    .execute()

/** Stores a new plan, which needs a new approval. Without `applyAt`, a time that is still ahead is kept. */
export const replan = (
  db: Executor,
  id: string,
  {
    applyAt,
    ...plan
  }: StoredPlan & Pick<Row, 'title' | 'reason' | 'confirm_minutes'> & { applyAt?: string | null },
) =>
  db
    .updateTable('change_requests')
    .set((eb) => ({
      ...plan,
      apply_at:
        applyAt === undefined
          ? sql<Date | null>`case when apply_at > now() then apply_at end`
          : applyAt === null
            ? null
            : new Date(applyAt),
      status: 'open',
      revision: eb('revision', '+', 1),
      approver_id: null,
      approver_name: null,
      approved_at: null,
      due_at: null,
      tries: 0,
      problem: null,
      updated_at: sql<Date>`now()`,
    }))
    .where('id', '=', id)
    .execute()

export const countOpen = async (db: Executor, domainId: string, authorId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('change_requests')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('domain_id', '=', domainId)
    .where('author_id', '=', authorId)
    .where('status', 'in', ['open', 'outdated'])
    .executeTakeFirstOrThrow()
  return count
}

export const findDomainName = (db: Executor, id: string) =>
  db.selectFrom('domains').select('name').where('id', '=', id).executeTakeFirst()

/** Whether the account belongs to a person. */
export async function isPerson(db: Executor, userId: string): Promise<boolean> {
  const user = await db.selectFrom('users').select('account_kind').where('id', '=', userId).executeTakeFirst()
  return user?.account_kind === 'person'
}

/** Owner and users with write permissions of a domain, with what each may write; and its name. */
export async function findWriters(db: Executor, domainId: string) {
  const domain = await db
    .selectFrom('domains')
    .select(['name', 'owner_id'])
    .where('id', '=', domainId)
    .executeTakeFirst()
  const grants = await db
    .selectFrom('assignments')
    .select(['user_id', 'pattern', 'permission', 'record_types as recordTypes'])
    .where('domain_id', '=', domainId)
    .where('permission', '=', 'write')
    .where(sql<SqlBool>`(expires_at is null or expires_at > now())`)
    .execute()
  return domain && { ...domain, grants }
}

export const findAdministrators = (db: Executor) =>
  db.selectFrom('users').select('id').where('role', '=', 'admin').where('disabled_at', 'is', null).execute()
