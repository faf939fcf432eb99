import { sql, type SqlBool } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import { daysAgo } from '../../db/expressions.ts'
import type { Principal } from '../../plugins/security/access/index.ts'
import { domainsOfToken } from '../domains/access/access.ts'
import type { Origin } from '../../schemas/records/origin.ts'
import type { OperationRow } from './mapper.ts'

const KEPT_DAYS = 30

/** Counts unfinished operations of the user and of all; locks the user until the transaction ends. */
export async function countUnfinished(trx: Executor, userId: string): Promise<{ own: number; all: number }> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  return trx
    .selectFrom('operations')
    .select(sql<number>`count(*) filter (where user_id = ${userId})::int`.as('own'))
    .select(sql<number>`count(*)::int`.as('all'))
    .where('state', '<>', 'finished')
    .executeTakeFirstOrThrow()
}

interface OperationInsert {
  id: string
  kind: string
  domain_id: string | null
  user_id: string
  token_id: string | null
  origin: Origin
  ip: string
  request_id: string
  sight: string
  input: string
  total: number
}

export async function insertOperation(trx: Executor, operation: OperationInsert): Promise<string> {
  await trx.insertInto('operations').values(operation).execute()
  return operation.id
}

/** All but the large columns. */
const shown = (db: Executor) =>
  db
    .selectFrom('operations')
    .leftJoin('domains', 'domains.id', 'operations.domain_id')
    .innerJoin('users', 'users.id', 'operations.user_id')
    .select([
      'operations.id',
      'kind',
      'domain_id',
      'user_id',
      'state',
      'outcome',
      'done',
      'total',
      'change_id',
    ])
    .select(['operations.created_at', 'started_at', 'finished_at'])
    .select(['domains.name as domain_name', 'users.username', 'users.account_kind'])

export const findOperation = (db: Executor, id: string): Promise<OperationRow | undefined> =>
  shown(db).where('operations.id', '=', id).executeTakeFirst()

/** The result of an operation. */
export const findAnswer = (db: Executor, id: string) =>
  db.selectFrom('operations').select(['sight', 'result', 'problem']).where('id', '=', id).executeTakeFirst()

/** For a token restricted to domains: their operations, and its own ones over many domains. */
const ofToken = (principal: Principal) =>
  sql<SqlBool>`(${sql.join([sql`true`, ...domainsOfToken(principal)], sql` and `)}
    or (operations.domain_id is null and operations.token_id = ${principal.token?.id ?? null}::uuid))`

/** An operation of the user, or any for administrators. */
export const findVisibleOperation = (
  db: Executor,
  principal: Principal,
  id: string,
): Promise<OperationRow | undefined> =>
  shown(db)
    .where('operations.id', '=', id)
    .where(ofToken(principal))
    .$if(principal.role !== 'admin', (query) => query.where('user_id', '=', principal.userId))
    .executeTakeFirst()

/** The caller's own, newest first. */
export const listOperations = (
  db: Executor,
  principal: Principal,
  { limit, offset }: { limit: number; offset: number },
): Promise<OperationRow[]> =>
  shown(db)
    .where('user_id', '=', principal.userId)
    .where(ofToken(principal))
    .orderBy('operations.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export async function countOperations(db: Executor, principal: Principal): Promise<number> {
  const row = await db
    .selectFrom('operations')
    .leftJoin('domains', 'domains.id', 'operations.domain_id')
    .select(sql<number>`count(*)::int`.as('total'))
    .where('user_id', '=', principal.userId)
    .where(ofToken(principal))
    .executeTakeFirstOrThrow()
  return row.total
}

export const forgetOldOperations = (db: Executor) =>
  db
    .deleteFrom('operations')
    .where('state', '=', 'finished')
    .where('finished_at', '<', daysAgo(KEPT_DAYS))
    .execute()
