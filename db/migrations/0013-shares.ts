import { sql, type Kysely } from 'kysely'

/** How much one person may add to the lists and mailboxes of others; see modules/notifications. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `alter table notification_receivers
    add column actor_id uuid,
    add column security boolean not null default false`,

  // Notification emails in the hour that ends at `resets_at`.
  `create table notification_mails (
    recipient text not null,
    by_person boolean not null,
    sent integer not null,
    held_back integer not null default 0,
    resets_at timestamptz not null,
    primary key (recipient, by_person)
  )`,
]
