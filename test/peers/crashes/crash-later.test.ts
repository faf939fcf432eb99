import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { until } from '../../helpers/until.ts'
import { startPowerDnsSimulator } from '../../conformance/simulators/powerdns.ts'
import { addDomain, signIn } from '../zonekeeper.ts'
import { killable, killedZoneOf } from './killable.ts'

/*
 * Instances are killed at each step of a scheduled change and of the revert of an unconfirmed one: nothing is applied twice,
 * nothing is lost, and nothing is reverted that was confirmed.
 */
t.setTimeout(600_000)
const SOON = { within: 120 }

const fake = await startPowerDnsSimulator()
t.teardown(() => fake.close())
fake.createZone('killed.test')
const { database, start } = await killable()
const { db } = database
const killed = killedZoneOf(fake)
const { writesOf } = killed
const there = (name: string) => killed.there(name).length

let service = await start()
let session = await signIn(service.url)
const domainId = await addDomain(session, { apiUrl: fake.url, apiKey: fake.apiKey }, 'killed.test')
const changes = `/api/domains/${domainId}/changes`
const restart = async () => {
  service = await start()
  session = await signIn(service.url)
}
const apply = async (name: string, more: object): Promise<string> => {
  const wanted = [{ action: 'create', recordType: 'A', name, value: '192.0.2.1', ttl: 300 }]
  const { status, body } = await session.post(`/api/domains/${domainId}/records/apply`, {
    changes: wanted,
    ...more,
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.changeId as string
}
const schedule = (name: string) => apply(name, { applyAt: new Date(Date.now() + 3_600_000).toISOString() })
const comes = (id: string) =>
  sql`update scheduled_changes set apply_at = now(), due_at = now() where id = ${id}`.execute(db)
const ends = (id: string) =>
  sql`update confirmations set confirm_by = now(), due_at = now() where change_id = ${id}`.execute(db)
const statusOf = async (id: string) => (await session.get(`${changes}/${id}`)).body.status as string
const confirmationOf = async (id: string) =>
  (await session.get(`${changes}/${id}`)).body.confirmation?.status as string | undefined
const told = async (event: string, id: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(distinct event_id)::int as count from notifications
    where event = ${event} and metadata ->> 'changeId' = ${id}
  `.execute(db)
  return rows[0]?.count ?? 0
}

void t.test('killed after its time has come, before its change is opened', async (t) => {
  const id = await schedule('claimed')
  await db.transaction().execute(async (trx) => {
    await sql`select from domains where id = ${domainId} for update`.execute(trx)
    await comes(id)
    await until('it is claimed', async () => {
      const { rows } = await sql<{ claimed: boolean }>`
        select due_at > apply_at as claimed from scheduled_changes where id = ${id}
      `.execute(db)
      return rows[0]?.claimed
    })
    await sleep(300)
    await service.kill()
  })
  t.equal(there('claimed'), 0)
  await restart()
  await until('another instance applies it', async () => (await statusOf(id)) === 'applied', SOON)
  t.equal(writesOf('claimed'), 1)
})

void t.test('killed while the provider writes a scheduled change, and after it has', async (t) => {
  for (const [name, applied] of [
    ['during', false],
    ['after', true],
  ] as const) {
    const id = await schedule(name)
    fake.fail({ on: 'write', kind: 'silent', applied })
    await comes(id)
    await until('it was sent', () => Promise.resolve(writesOf(name) === 1))
    await service.kill()
    fake.heal()
    await restart()
    const wanted = applied ? 'applied' : 'failed'
    await until(`${name}: ${wanted}`, async () => (await statusOf(id)) === wanted, SOON)
    t.equal(there(name), applied ? 1 : 0, name)
    t.equal(writesOf(name), 1, 'it is not sent again')
    await until('it is told', async () => (await told(`change.${wanted}`, id)) === 1, SOON)
  }
})

void t.test(
  'killed while a change is applied that must be confirmed: its time runs nevertheless',
  async (t) => {
    fake.fail({ on: 'write', kind: 'silent', applied: true })
    void apply('unanswered', { confirmWithin: 5 }).catch(() => {})
    await until('it was sent', () => Promise.resolve(writesOf('unanswered') === 1))
    await service.kill()
    fake.heal()
    await restart()
    const unconfirmed = async () => (await session.get(`${changes}?status=unconfirmed`)).body.changes[0]
    await until('its time runs', async () => (await unconfirmed())?.confirmation.confirmBy, SOON)
    const { id } = await unconfirmed()
    await ends(id)
    await until('it is reverted', async () => (await confirmationOf(id)) === 'reverted', SOON)
    t.equal(there('unanswered'), 0)
  },
)

void t.test('killed before the revert is opened, while it is sent, and after', async (t) => {
  const id = await apply('before', { confirmWithin: 5 })
  await db.transaction().execute(async (trx) => {
    await sql`select from domains where id = ${domainId} for update`.execute(trx)
    await ends(id)
    await sleep(2_500)
    await service.kill()
  })
  t.equal(there('before'), 1)
  await restart()
  await until('another instance reverts it', async () => (await confirmationOf(id)) === 'reverted', SOON)
  t.equal(there('before'), 0)
  t.equal(writesOf('before'), 2)

  for (const [name, applied] of [
    ['unsent', false],
    ['unheard', true],
  ] as const) {
    const other = await apply(name, { confirmWithin: 5 })
    fake.fail({ on: 'write', kind: 'silent', applied })
    await ends(other)
    await until('the revert was sent', () => Promise.resolve(writesOf(name) === 2))
    await service.kill()
    fake.heal()
    await restart()
    t.equal(
      (await session.post(`${changes}/${other}/confirm`)).status,
      409,
      'what is being reverted is not confirmed',
    )
    await until(
      `${name} is reverted`,
      async () => {
        // A revert that was not made is tried again after a pause.
        if ((await confirmationOf(other)) === 'unconfirmed') await ends(other)
        return (await confirmationOf(other)) === 'reverted'
      },
      SOON,
    )
    t.equal(there(name), 0, name)
    t.equal(writesOf(name), applied ? 2 : 3, name)
    await until('it is told', async () => (await told('change.reverted', other)) === 1, SOON)
  }
})

void t.test('killed around confirmations: what was confirmed stays', async (t) => {
  const ids: string[] = []
  for (let n = 0; n < 12; n++) ids.push(await apply(`race-${n}`, { confirmWithin: 5 }))
  const answers = ids.map((id) =>
    session
      .post(`${changes}/${id}/confirm`)
      .then(({ status }) => status)
      .catch(() => 0),
  )
  void sql`update confirmations set confirm_by = now(), due_at = now() where change_id = any(${ids}::uuid[])
    and status = 'unconfirmed'`
    .execute(db)
    .catch(() => {})
  await sleep(100)
  await service.kill()
  const statuses = await Promise.all(answers)
  await restart()
  for (const [n, id] of ids.entries()) {
    await until(
      'it is decided',
      async () => {
        const status = await confirmationOf(id)
        if (status === 'unconfirmed') await ends(id)
        return status === 'confirmed' || status === 'reverted'
      },
      SOON,
    )
    const isConfirmed = (await confirmationOf(id)) === 'confirmed'
    if (statuses[n] === 200) t.ok(isConfirmed, `race-${n} was confirmed`)
    t.equal(there(`race-${n}`), isConfirmed ? 1 : 0, `race-${n}`)
    t.equal(writesOf(`race-${n}`), isConfirmed ? 1 : 2, `race-${n} is reverted once at most`)
  }
})
