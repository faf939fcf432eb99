import { sql } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'

/** Notification emails to one address per hour: caused by people, and by the service. */
const PER_HOUR = { byPerson: 20, byService: 50 }

/** Counts an email to each of these addresses; returns those whose hourly share has room for it. */
export async function takeShares(
  trx: Executor,
  addresses: readonly string[],
  byPerson: boolean,
): Promise<string[]> {
  const share = byPerson ? PER_HOUR.byPerson : PER_HOUR.byService
  const { rows } = await sql<{ recipient: string; has_room: boolean }>`
    insert into notification_mails as mails (recipient, by_person, sent, resets_at)
    select distinct address, ${byPerson}::boolean, 1, now() + interval '1 hour'
    from unnest(${[...addresses]}::text[]) as address
    on conflict (recipient, by_person) do update set
      sent = least(mails.sent + 1, ${share}),
      held_back = mails.held_back + (mails.sent >= ${share})::int
    returning recipient, held_back = 0 as has_room
  `.execute(trx)
  return rows.filter(({ has_room }) => has_room).map(({ recipient }) => recipient)
}

/** Ends the hours that are over; returns the recipients of held-back emails who still want emails. */
export async function endShares(trx: Executor): Promise<{ recipient: string; heldBack: number }[]> {
  const { rows } = await sql<{ recipient: string; heldBack: number }>`
    with over as (
      delete from notification_mails as mails using (
        select recipient, by_person from notification_mails where resets_at <= now() limit 100 for update skip locked
      ) as due
      where mails.recipient = due.recipient and mails.by_person = due.by_person
      returning mails.recipient, mails.held_back
    )
    select recipient, sum(held_back)::int as "heldBack" from over
    where exists (
      select from users where email = recipient and email_verified and email_notifications_enabled and disabled_at is null
    )
    group by recipient having sum(held_back) > 0
  `.execute(trx)
  return rows
}
