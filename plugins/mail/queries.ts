import { sql, type RawBuilder } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import { signalOf } from '../../schemas/events/events.ts'
import { notify } from '../events/queries.ts'
import type { DueTime } from '../work/due-times-queries.ts'

interface NewMail {
  id: string
  recipient: string
  /** Sealed. */
  content: Buffer
  validSeconds: number
}

const after = (seconds: number | RawBuilder<unknown>) =>
  sql<Date>`now() + make_interval(secs => (${seconds})::float8)`

/** Stores emails to be sent after the commit, and wakes the queue. */
export const insertMails = (db: Executor, mails: readonly NewMail[]) =>
  sql`
    insert into mails (id, recipient, content, expires_at)
    select id, recipient, content, ${after(sql`valid_seconds`)}
    from unnest(
      ${mails.map(({ id }) => id)}::uuid[], ${mails.map(({ recipient }) => recipient)}::text[],
      ${mails.map(({ content }) => content)}::bytea[], ${mails.map(({ validSeconds }) => validSeconds)}::float8[]
    ) as mail (id, recipient, content, valid_seconds)
    returning ${notify(signalOf('mails.added'))}
  `.execute(db)

export interface DueMail {
  id: string
  recipient: string
  content: Buffer
  /** Including this one. */
  tries: number
}

/** Claims the emails that have been due longest. */
export const claimMails = (db: Executor, limit: number, leaseSeconds: number): Promise<DueMail[]> =>
  db
    .with('due', (cte) =>
      cte
        .selectFrom('mails')
        .select('id')
        .where('next_try_at', '<=', sql<Date>`now()`)
        .where('expires_at', '>', sql<Date>`now()`)
        .orderBy('next_try_at')
        .orderBy('id')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('mails')
    .from('due')
    .whereRef('mails.id', '=', 'due.id')
    .set(({ eb }) => ({ tries: eb('tries', '+', 1), next_try_at: after(leaseSeconds) }))
    .returning(['mails.id', 'recipient', 'content', 'tries'])
    .execute()

export const renewMails = (db: Executor, ids: readonly string[], leaseSeconds: number) =>
  db
    .updateTable('mails')
    .set({ next_try_at: after(leaseSeconds) })
    .where('id', 'in', ids)
    .execute()

/** How long an email can wait for its next try, or be claimed. */
export const mailsDue = (leaseSeconds: number, retrySeconds: readonly number[]): DueTime => {
  const afterTries = sql`coalesce((${[...retrySeconds]}::float8[])[tries], ${sql.lit(retrySeconds.at(-1) ?? 0)})`
  return {
    table: 'mails',
    column: 'next_try_at',
    longest: sql`case when tries = 0 then 0 else greatest(${sql.lit(leaseSeconds)}, ${afterTries}) end`,
  }
}

export const deleteMail = (db: Executor, id: string) => db.deleteFrom('mails').where('id', '=', id).execute()

/** Puts the next try off; false when the email expires before it. */
export async function postponeMail(db: Executor, id: string, seconds: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mails')
    .set({ next_try_at: after(seconds) })
    .where('id', '=', id)
    .where('expires_at', '>', after(seconds))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Returns how many there were. */
export async function deleteExpiredMails(db: Executor): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('mails')
    .where('expires_at', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
