import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'

/** Purpose of a plan. */
export interface Place {
  /** Names the code that can apply it. */
  kind: string
  /** Null: several domains. */
  domainId: string | null
}

interface PlanOwner {
  userId: string
  tokenId: string | null
}

interface PlanRow extends Place, PlanOwner {
  id: string
  /** JSON. */
  body: string
  shown: string
  bytes: number
}

const KEPT_SECONDS = 3600

/** Maximum plans per user. */
const MAX_OF_USER = 100

/** Stores a plan, and deletes the user's oldest ones beyond the limit. Returns when it expires. */
export async function insertPlan(
  db: Executor,
  { id, userId, tokenId, kind, domainId, body, shown, bytes }: PlanRow,
  maxBytes: number,
): Promise<Date> {
  const { rows } = await sql<{ expires_at: Date }>`
    with outgrown as (
      delete from kept_plans using (
        select id, row_number() over newest as place, sum(bytes) over newest as held
        from kept_plans where user_id = ${userId} and change_id is null and operation_id is null
        window newest as (order by created_at desc, id desc)
      ) as old
      where kept_plans.id = old.id and (old.place >= ${MAX_OF_USER} or old.held > ${maxBytes - bytes})
    )
    insert into kept_plans (id, user_id, token_id, kind, domain_id, body, shown, bytes, expires_at)
    values (${id}, ${userId}, ${tokenId}, ${kind}, ${domainId}, ${body}, ${shown}, ${bytes},
      now() + make_interval(secs => ${KEPT_SECONDS}))
    returning expires_at
  `.execute(db)
  return (rows[0] as { expires_at: Date }).expires_at
}

/**
 * Returns the plan, and what it was applied as; undefined if it does not exist, has expired, or belongs to
 * another user.
 */
export const findPlan = (db: Executor, id: string, { userId, tokenId, kind, domainId }: Place & PlanOwner) =>
  db
    .selectFrom('kept_plans')
    .select(['body', 'shown', 'change_id', 'operation_id'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('token_id', 'is not distinct from', tokenId)
    .where('kind', '=', kind)
    .where('domain_id', 'is not distinct from', domainId)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()

/** Returns the domain of a plan for one domain; undefined if it does not exist, has expired, or belongs to another user. */
export const findPlanDomain = (
  db: Executor,
  id: string,
  { userId, tokenId, kind }: PlanOwner & Pick<Place, 'kind'>,
) =>
  db
    .selectFrom('kept_plans')
    .innerJoin('domains', 'domains.id', 'kept_plans.domain_id')
    .select(['domains.id as domain_id', 'kept_plans.expires_at'])
    .where('kept_plans.id', '=', id)
    .where('user_id', '=', userId)
    .where('token_id', 'is not distinct from', tokenId)
    .where('kind', '=', kind)
    .where('kept_plans.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()

/** Returns what it was applied as, and locks it against being applied concurrently. */
export const lockPlan = (trx: Executor, id: string) =>
  trx
    .selectFrom('kept_plans')
    .select(['change_id', 'operation_id'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Drops the content of an applied plan and stores what it was applied as. */
export const endPlan = (
  trx: Executor,
  id: string,
  { changeId, operationId }: { changeId?: string; operationId?: string },
) =>
  trx
    .updateTable('kept_plans')
    .set({
      change_id: changeId ?? null,
      operation_id: operationId ?? null,
      body: '{}',
      shown: '{}',
      bytes: 0,
    })
    .where('id', '=', id)
    .execute()

export const forgetOldPlans = (db: Executor) =>
  db
    .deleteFrom('kept_plans')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
