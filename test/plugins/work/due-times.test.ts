import { sql } from 'kysely'
import t from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { countRequest } from '../../../plugins/security/rate-limit/queries.ts'
import { addChannel, happen } from '../../channels/helpers.ts'
import { startReceiver } from '../../channels/simulators/receiver.ts'
import { startApp } from '../../helpers/app.ts'
import { startMailbox } from '../../helpers/mailbox.ts'
import { until } from '../../helpers/until.ts'
import { startZone, unsettled } from '../../helpers/zone.ts'

/* A clock that was an hour ahead for a moment has stored times that come only now: nothing waits until then. */
// They wait at the same time.
t.jobs = 12
const mailbox = await startMailbox(t)
const service = await startApp(t, {
  jobs: true,
  environment: mailbox.environment,
  reconcileTimes: { afterLostAnswer: [0.2, 0.6, 2], afterDeath: [0, 1], sweep: 0.2 },
})
const { app, admin, database } = service
const { db } = database

const anHour = sql`interval '1 hour'`

/** How far the furthest of these times is ahead, in seconds. */
async function ahead(table: string, column: string): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from max(${sql.ref(column)}) - now())::float8 as seconds from ${sql.table(table)}
  `.execute(db)
  return rows[0]?.seconds ?? 0
}

void t.test('channels', async (t) => {
  const receiver = await startReceiver(t)
  const id = await addChannel(service, 'webhook', receiver.config)
  await sql`
    update channel_configs set next_try_at = now() + ${anHour}, paced_until = now() + ${anHour},
      created_at = now() + ${anHour}, updated_at = now() + ${anHour}
    where id = ${id}
  `.execute(db)
  await happen(app, 'example.com')
  await until('it is told', () => receiver.told.length > 0)
})

void t.test(
  'a channel that failed when the clock was ahead waits no longer than it would have',
  async (t) => {
    const receiver = await startReceiver(t)
    const id = await addChannel(service, 'webhook', receiver.config)
    await sql`
    update channel_configs set last_delivery_at = now() + ${anHour}, failures = 1,
      next_try_at = now() + ${anHour} + interval '2 seconds'
    where id = ${id}
  `.execute(db)
    await happen(app, 'example.com')
    await until('it is told', () => receiver.told.length > 0)
  },
)

void t.test('events', async (t) => {
  const receiver = await startReceiver(t)
  await addChannel(service, 'webhook', receiver.config)
  await sql`alter table events alter column next_try_at set default now() + interval '1 hour'`.execute(db)
  await happen(app, 'example.com')
  await sql`alter table events alter column next_try_at set default now()`.execute(db)
  await until('it is told', () => receiver.told.length > 0)
})

void t.test('e-mails', async () => {
  await sql`alter table mails alter column next_try_at set default now() + interval '1 hour'`.execute(db)
  await app.mail.send(db, 'ada@example.com', { subject: 'ahead', text: 'x', html: 'x' })
  await sql`alter table mails alter column next_try_at set default now()`.execute(db)
  await mailbox.next('ada@example.com')
})

void t.test('changes whose answer was lost', async (t) => {
  const zone = await startZone(t, { app: service })
  zone.fake.fail({ on: 'write', kind: 'cut' })
  t.match(await zone.admin.post(zone.url, { recordType: 'A', name: 'a', value: '192.0.2.1' }), {
    status: 502,
  })
  await sql`update changes set lease_until = now() + ${anHour} where status = 'pending'`.execute(db)
  await until('it is settled', async () => (await unsettled(zone)).every((count) => count === 0), {
    within: 80,
  })
})

void t.test('leases of an instance that is gone', async (t) => {
  const zone = await startZone(t, { app: service, name: 'leased.example' })
  await sql`
    insert into leases (kind, subject, holder, until) values ('sync', ${zone.domainId}, ${uuidv7()}, now() + ${anHour})
  `.execute(db)
  const sync = async () => (await admin.post(`/api/domains/${zone.domainId}/sync`)).status
  await until('a sync', async () => (await sync()) === 200)
})

void t.test('accounts that are left alone, or take one change at a time', async (t) => {
  const zone = await startZone(t, { app: service, name: 'paused.example' })
  await sql`
    update provider_configs set breaker_failures = 5, breaker_since = now(), breaker_next_try = now() + ${anHour},
      in_turn_until = now() + ${anHour}
    where id = ${zone.configId}
  `.execute(db)
  const sync = async () => (await admin.post(`/api/domains/${zone.domainId}/sync`)).status
  await until('a sync', async () => (await sync()) === 200)
  await until('turns', async () => (await ahead('provider_configs', 'in_turn_until')) <= 601)
})

void t.test('automatic syncs', async (t) => {
  const zone = await startZone(t, { app: service, name: 'automatic.example' })
  await admin.put(`/api/domains/${zone.domainId}`, { syncInterval: 5 })
  await sql`update domains set sync_due_at = now() + interval '1 day' where id = ${zone.domainId}`.execute(db)
  await until('it is due', async () => (await ahead('domains', 'sync_due_at')) < 330)
})

void t.test('registries, streams, mail shares and schedules', async () => {
  await sql`
    insert into registry_turns (server, next_at, noted_at)
    values ('whois.example', now() + ${anHour} + interval '2 seconds', now() + ${anHour})
  `.execute(db)
  await sql`
    insert into stream_slots (user_id, slot, stream_id, lease_until)
    values (${admin.userId}, 1, ${uuidv7()}, now() + ${anHour})
  `.execute(db)
  await sql`
    insert into notification_mails (recipient, by_person, sent, resets_at)
    values ('ada@example.com', true, 1, now() + interval '2 hours')
  `.execute(db)
  await sql`update scheduled_tasks set due_at = now() + ${anHour} where name = 'records.sync'`.execute(db)
  await until('registries', async () => (await ahead('registry_turns', 'next_at')) < 5)
  await until('streams', async () => (await ahead('stream_slots', 'lease_until')) < 35)
  await until('mail shares', async () => (await ahead('notification_mails', 'resets_at')) < 3_605)
  await until('schedules', async () => {
    const { rows } = await sql`
      select from scheduled_tasks where name = 'records.sync' and due_at > now() + interval '61 seconds'
    `.execute(db)
    return rows.length === 0
  })
})

void t.test('limits of requests', async (t) => {
  await sql`
    insert into rate_limit_counters (key, count, resets_at) select sha256('a'), 1000, now() + ${anHour}
  `.execute(db)
  const { rows } = await sql<{ key: Buffer }>`select key from rate_limit_counters limit 1`.execute(db)
  t.match(await countRequest(db, (rows[0] as { key: Buffer }).key, 60_000), { current: 1 })
})
