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
export const endShares = (trx: Executor): Promise<{ recipient: string; heldBack: number }[]> =>
  trx
    .with('due', (cte) =>
      cte
        .selectFrom('notification_mails')
        .select(['recipient', 'by_person'])
        .where('resets_at', '<=', sql<Date>`now()`)
        .limit(100)
        .forUpdate()
        .skipLocked(),
    )
    .with('over', (cte) =>
      cte
        .deleteFrom('notification_mails as mails')
        .using('due')
        .whereRef('mails.recipient', '=', 'due.recipient')
        .whereRef('mails.by_person', '=', 'due.by_person')
        .returning(['mails.recipient', 'mails.held_back']),
    )
    .selectFrom('over')
    .select(['recipient', sql<number>`sum(held_back)::int`.as('heldBack')])
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('users')
          .whereRef('email', '=', 'recipient')
          .where('email_verified', '=', true)
          .where('email_notifications_enabled', '=', true)
          .where('disabled_at', 'is', null),
      ),
    )
    .groupBy('recipient')
    .having(sql`sum(held_back)`, '>', 0)
    .execute()
