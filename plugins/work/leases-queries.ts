import { sql, type RawBuilder } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'

/** Work done by one instance at a time. The subject is the id of a domain or channel; of `change`, that of a write lock. */
export type LeaseKind =
  | 'sync'
  | 'copy'
  | 'expiry_check'
  | 'channel'
  | 'change'
  | 'operation'
  | 'zone_settings'

interface Lease {
  kind: LeaseKind
  subject: string
  holder: string
}

const until = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`

const orLapsed = sql`
  on conflict (kind, subject) do update set holder = excluded.holder, until = excluded.until
    where leases.until < now() returning subject
`

/** Takes the lease; false when another has it. */
export async function takeLease(
  db: Executor,
  { kind, subject, holder, seconds }: Lease & { seconds: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into leases (kind, subject, holder, until) values (${kind}, ${subject}, ${holder}, ${until(seconds)}) ${orLapsed}
  `.execute(db)
  return rows.length > 0
}

/** The part of a statement that takes the lease on each `id` of the part `candidates`, and returns them as `subject`. */
export const takingLeases = (
  { kind, holder, seconds }: Omit<Lease, 'subject'> & { seconds: number },
  candidates: RawBuilder<unknown>,
) => sql`
  insert into leases (kind, subject, holder, until)
  select ${kind}, id, ${holder}::uuid, ${until(seconds)} from ${candidates} ${orLapsed}
`

/** Whether anyone has the lease; `subject` is a column. */
export const isLeased = (kind: LeaseKind, subject: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from leases where kind = ${kind} and subject = ${subject} and until > now())`

/** Whether `holder` still has the lease. */
export const isLeasedBy = (kind: LeaseKind, subject: RawBuilder<unknown>, holder: string) =>
  sql<boolean>`exists (select from leases where kind = ${kind} and subject = ${subject} and holder = ${holder})`

/** `keys`: kind and subject, separated by a space. Leases that another has taken since stay theirs. */
export const renewLeases = (db: Executor, holder: string, keys: readonly string[], seconds: number) =>
  sql`
    update leases set until = ${until(seconds)}
    where holder = ${holder} and kind || ' ' || subject = any(${keys}::text[])
  `.execute(db)

export const endLease = (db: Executor, { kind, subject, holder }: Lease) =>
  sql`delete from leases where kind = ${kind} and subject = ${subject} and holder = ${holder}`.execute(db)

/** For the start of an instance that is alone on its database. */
export async function endAllLeases(db: Executor): Promise<void> {
  await sql`delete from leases`.execute(db)
}
