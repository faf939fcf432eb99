import { sql } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import { signalOf } from '../../schemas/events/events.ts'
import type { DueTime } from '../work/due-times-queries.ts'
import { notify } from '../events/queries.ts'

interface NewMail {
  id: string
  recipient: string
  /** Sealed. */
  content: Buffer
  validSeconds: number
}

/** Stores e-mails to be sent after the commit, and wakes those who send. */
export const insertMails = (db: Executor, mails: readonly NewMail[]) =>
  sql`
    insert into mails (id, recipient, content, expires_at)
    select id, recipient, content, now() + make_interval(secs => valid_seconds)
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
  /** This one included. */
  tries: number
}

/** Takes the mail that waits longest; unless it is settled before, others take it after `leaseSeconds`. */
export async function claimMail(db: Executor, leaseSeconds: number): Promise<DueMail | undefined> {
  const { rows } = await sql<DueMail>`
    update mails set tries = tries + 1, next_try_at = now() + make_interval(secs => ${leaseSeconds})
    where id = (
      select id from mails where next_try_at <= now() and expires_at > now()
      order by next_try_at, id limit 1 for update skip locked
    )
    returning id, recipient, content, tries
  `.execute(db)
  return rows[0]
}

/** Those that are being sent stay taken. */
export const renewMails = (db: Executor, ids: readonly string[], leaseSeconds: number) =>
  sql`
    update mails set next_try_at = now() + make_interval(secs => ${leaseSeconds}) where id = any(${ids}::uuid[])
  `.execute(db)

/** How long mails wait for their next try, or are held by whoever sends them. */
export const mailsDue = (leaseSeconds: number, retrySeconds: readonly number[]): DueTime => {
  const afterTries = sql`coalesce((${[...retrySeconds]}::float8[])[tries], ${sql.lit(retrySeconds.at(-1) ?? 0)})`
  return {
    table: 'mails',
    column: 'next_try_at',
    longest: sql`case when tries = 0 then 0 else greatest(${sql.lit(leaseSeconds)}, ${afterTries}) end`,
  }
}

export const deleteMail = (db: Executor, id: string) => db.deleteFrom('mails').where('id', '=', id).execute()

/** To be tried again later. Answers false when it is not worth it by then, and gone. */
export async function postponeMail(db: Executor, id: string, seconds: number): Promise<boolean> {
  const { rows } = await sql<{ kept: boolean }>`
    with over as (
      delete from mails where id = ${id} and expires_at <= now() + make_interval(secs => ${seconds})
    )
    update mails set next_try_at = now() + make_interval(secs => ${seconds})
    where id = ${id} and expires_at > now() + make_interval(secs => ${seconds})
    returning true as kept
  `.execute(db)
  return rows.length > 0
}

export const deleteExpiredMails = (db: Executor) =>
  sql<{ id: string }>`delete from mails where expires_at <= now() returning id`.execute(db)
