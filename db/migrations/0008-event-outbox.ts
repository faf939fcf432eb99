import { sql, type Kysely } from 'kysely'

/** Events, notifications and emails are stored with the change that causes them and sent from there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  // Events not yet distributed; see plugins/events/outbox.
  `create table events (
    position bigint generated always as identity primary key,
    id uuid not null,
    name text not null,
    payload jsonb not null,
    domain_id uuid,
    tries integer not null default 0,
    next_try_at timestamptz not null default now(),
    failed_at timestamptz,
    created_at timestamptz not null default now()
  )`,
  'create index events_waiting on events (position) where failed_at is null',
  'create index events_domain on events (domain_id, position) where failed_at is null',

  // One row for all receivers of the same notification.
  `create table notifications (
    position bigint generated always as identity primary key,
    event_id uuid not null,
    event text not null,
    title text not null,
    content text not null,
    level text not null,
    metadata jsonb not null,
    created_at timestamptz not null
  )`,
  `create table notification_receivers (
    user_id uuid not null references users on delete cascade,
    event_id uuid not null,
    position bigint not null references notifications,
    read boolean not null,
    primary key (user_id, event_id)
  )`,
  'create index notification_receivers_newest on notification_receivers (user_id, position)',
  'create index notification_receivers_message on notification_receivers (position)',

  // Emails to be sent; the content is encrypted because it has codes and links.
  `create table mails (
    id uuid primary key,
    recipient text not null,
    content bytea not null,
    tries integer not null default 0,
    next_try_at timestamptz not null default now(),
    expires_at timestamptz not null,
    created_at timestamptz not null default now()
  )`,
  'create index mails_due on mails (next_try_at)',

  // Reminders are now events, stored in the transaction that notes them. The columns stay for instances of
  // the previous version, which may still be running.
  `insert into events (id, name, payload, domain_id)
    select reminder.event_id,
      case when lead_days < 0 then 'domain.expired' else 'domain.expiring' end,
      jsonb_build_object('actorId', null, 'metadata', jsonb_build_object(
        'domainId', domains.id, 'domainName', domains.name,
        'expiresAt', to_char(reminder.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'daysLeft', greatest(0, (reminder.expires_at at time zone 'UTC')::date - (now() at time zone 'UTC')::date),
        'leadDays', nullif(lead_days, -1))),
      domains.id
    from expiry_reminders as reminder join domains on domains.id = reminder.domain_id
    where announced_at is null and reminder.expires_at = domains.expires_at`,
  'update expiry_reminders set announced_at = now() where announced_at is null',
  'alter table expiry_reminders alter column event_id drop not null, alter column announced_at set default now()',
]
