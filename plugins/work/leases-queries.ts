import {
  sql,
  type AliasableExpression,
  type InsertQueryBuilder,
  type InsertResult,
  type RawBuilder,
} from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import { anyOf, inSeconds } from '../../db/expressions.ts'
import type { Database } from '../../db/tables/index.ts'

/** Work done by one instance at a time. The subject is the id of a domain, channel or mirror; of `change`, that of a write lock. */
export type LeaseKind =
  | 'sync'
  | 'copy'
  | 'expiry_check'
  | 'channel'
  | 'change'
  | 'operation'
  | 'zone_settings'
  | 'failover'
  | 'mirror'

interface Lease {
  kind: LeaseKind
  subject: string
  holder: string
}

/** Takes the lease; false when another has it. */
export async function takeLease(
  db: Executor,
  { kind, subject, holder, seconds }: Lease & { seconds: number },
): Promise<boolean> {
  const taken = await takingLapsed(
    db.insertInto('leases').values({ kind, subject, holder, until: inSeconds(seconds) }),
  ).executeTakeFirst()
  return taken !== undefined
}

/** Part of a statement: takes the lease on each `id` of the candidates, and returns them as `subject`. */
export const takingLeases = (
  db: Executor,
  { kind, holder, seconds }: Omit<Lease, 'subject'> & { seconds: number },
  candidates: AliasableExpression<{ id: string }>,
) =>
  takingLapsed(
    db
      .insertInto('leases')
      .columns(['kind', 'subject', 'holder', 'until'])
      .expression(
        db
          .selectFrom(candidates.as('candidates'))
          .select([sql<string>`${kind}::text`.as('kind'), 'id', sql<string>`${holder}::uuid`.as('holder')])
          .select(inSeconds(seconds).as('until')),
      ),
  )

const takingLapsed = (insert: InsertQueryBuilder<Database, 'leases', InsertResult>) =>
  insert
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subject'])
        .doUpdateSet((eb) => ({ holder: eb.ref('excluded.holder'), until: eb.ref('excluded.until') }))
        .where('leases.until', '<', sql<Date>`now()`),
    )
    .returning('subject')

/** Whether anyone has the lease; `subject` is a column. */
export const isLeased = (kind: LeaseKind, subject: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from leases where kind = ${kind} and subject = ${subject} and until > now())`

/** Whether `holder` still has the lease. */
export const isLeasedBy = (kind: LeaseKind, subject: RawBuilder<unknown>, holder: string) =>
  sql<boolean>`exists (select from leases where kind = ${kind} and subject = ${subject} and holder = ${holder})`

/** `keys`: kind and subject, separated by a space. Leases that another has taken since stay theirs. */
export const renewLeases = (db: Executor, holder: string, keys: readonly string[], seconds: number) =>
  db
    .updateTable('leases')
    .set({ until: inSeconds(seconds) })
    .where('holder', '=', holder)
    .where(sql<string>`kind || ' ' || subject`, '=', anyOf(keys))
    .execute()

export const endLease = (db: Executor, { kind, subject, holder }: Lease) =>
  db
    .deleteFrom('leases')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('holder', '=', holder)
    .execute()

/** For the start of an instance that is alone on its database. */
export async function endAllLeases(db: Executor): Promise<void> {
  await db.deleteFrom('leases').execute()
}
