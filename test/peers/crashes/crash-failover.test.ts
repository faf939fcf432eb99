import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { settings, type Monitor } from '../../failover/failing-zone.ts'
import { startTargets, type Target } from '../../failover/targets.ts'
import { until } from '../../helpers/until.ts'
import { startPowerDnsSimulator } from '../../conformance/simulators/powerdns.ts'
import { addDomain, signIn } from '../zonekeeper.ts'
import { killable, killedZoneOf } from './killable.ts'

/* Instances are killed at each step of a failover switch: one switch for one outage, none is lost, and others take over. */
t.setTimeout(600_000)
const SOON = { within: 120 }

const fake = await startPowerDnsSimulator()
t.teardown(() => fake.close())
fake.createZone('killed.test')
const { port, targets } = await startTargets(t, 2)
const [primary, backup] = targets as [Target, Target]
const { database, start } = await killable({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const { db } = database
const { there, writesOf } = killedZoneOf(fake)
const values = (name: string) => there(name).map(({ content }) => content)

let service = await start()
let session = await signIn(service.url)
const domainId = await addDomain(session, { apiUrl: fake.url, apiKey: fake.apiKey }, 'killed.test')
const url = `/api/domains/${domainId}`
const restart = async () => {
  service = await start()
  session = await signIn(service.url)
}
const FINE = { status: 200, body: 'all fine', hangs: false }
const BROKEN = { ...FINE, status: 503 }
const read = async (id: string): Promise<Monitor> => (await session.get(`/api/failover-monitors/${id}`)).body
const when = (id: string, what: string, condition: (monitor: Monitor) => boolean) =>
  until(
    what,
    async () => {
      const monitor = await read(id)
      return !monitor.isSwitching && condition(monitor) && monitor
    },
    SOON,
  )
const isUp = ({ alternatives }: Monitor) => alternatives.every(({ health }: Monitor) => health === 'up')
const isOver = ({ active }: Monitor) => active === 'backup'

/** A monitor for a new name whose alternatives are found up. A second passes for an interval of 10 s. */
async function watch(name: string): Promise<string> {
  const { body: earlier } = await session.get(`${url}/failover-monitors`)
  for (const { id } of earlier.monitors) await session.delete(`/api/failover-monitors/${id}`)
  primary.answers = FINE
  await session.post(`${url}/records`, { recordType: 'A', name, value: primary.address, ttl: 60 })
  const more = { failures: 1, successes: 1 }
  const { body } = await session.post(
    `${url}/failover-monitors`,
    settings({ port, primary, backup }, name, more),
  )
  const { id } = body as { id: string }
  await sql`update failover_monitors set interval_seconds = 1, revision = revision + 1 where id = ${id}`.execute(
    db,
  )
  await when(id, 'both up', isUp)
  return id
}

const switches = async (name: string): Promise<string[]> => {
  const { body } = await session.get(`${url}/changes?limit=100`)
  return body.changes
    .filter(
      ({ origin, items }: Monitor) =>
        origin === 'failover' && items.some(({ before, after }: Monitor) => (after ?? before).name === name),
    )
    .map(({ status }: Monitor) => status)
}
const told = async (id: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(distinct event_id)::int as count from notifications
    where event = 'failover.switched' and metadata ->> 'monitorId' = ${id}
  `.execute(db)
  return rows[0]?.count ?? 0
}
/** The next attempt, without the pause after a failed one. */
const hurry = (id: string) =>
  sql`update failover_monitors set retry_at = null where id = ${id} and retry_at is not null`.execute(db)
/** Several checks later, nothing more has been done. */
async function stays(id: string): Promise<void> {
  const count = primary.hosts.length
  await until('it is checked again', () => Promise.resolve(primary.hosts.length > count + 3), SOON)
  await when(id, 'it stays', isOver)
}

void t.test('killed before the switch is opened', async (t) => {
  const id = await watch('before')
  const count = writesOf('before')
  await db.transaction().execute(async (trx) => {
    await sql`select from domains where id = ${domainId} for no key update`.execute(trx)
    primary.answers = BROKEN
    await when(id, 'down', ({ alternatives }) => alternatives[0].health === 'down')
    await sleep(500)
    await service.kill()
  })
  t.same(values('before'), [primary.address])
  await restart()
  await when(id, 'another instance switches', isOver)
  await stays(id)
  t.same(values('before'), [backup.address])
  t.equal(writesOf('before'), count + 1)
  t.same(await switches('before'), ['applied'])
  await until('it is told', async () => (await told(id)) === 1, SOON)
})

void t.test('killed while the provider writes the switch, and after it has', async (t) => {
  for (const [name, applied] of [
    ['unsent', false],
    ['unheard', true],
  ] as const) {
    const id = await watch(name)
    const count = writesOf(name)
    fake.fail({ on: 'write', kind: 'silent', applied })
    primary.answers = BROKEN
    await until('it was sent', () => Promise.resolve(writesOf(name) === count + 1), SOON)
    await service.kill()
    fake.heal()
    await restart()
    await until(
      `${name}: switched`,
      async () => {
        await hurry(id)
        const monitor = await read(id)
        return !monitor.isSwitching && isOver(monitor)
      },
      SOON,
    )
    await stays(id)
    t.same(values(name), [backup.address], name)
    t.equal(writesOf(name), applied ? count + 1 : count + 2, `${name}: sent once more at most`)
    const ended = (await switches(name)).toSorted()
    t.same(ended, applied ? ['applied'] : ['applied', 'failed'], name)
    await until('it is told', async () => (await told(id)) === 1, SOON)
  }
})

void t.test('killed after the switch, in the same outage', async (t) => {
  const id = await watch('after')
  const count = writesOf('after')
  primary.answers = BROKEN
  await when(id, 'switched', isOver)
  await service.kill()
  await restart()
  await stays(id)
  t.equal(writesOf('after'), count + 1)
  t.same(await switches('after'), ['applied'])
  t.equal(await until('it is told', () => told(id), SOON), 1)
})

void t.test('of two instances, one is killed as the outage begins: the other decides', async (t) => {
  const second = await start()
  const id = await watch('two')
  await when(id, 'both see it', ({ instances }) => instances === 2)
  const count = writesOf('two')
  await service.kill()
  const begun = Date.now()
  primary.answers = BROKEN
  service = second
  session = await signIn(second.url)
  await when(id, 'switched', isOver)
  // A dead instance counts for 8 s.
  t.ok(Date.now() - begun < 30_000, `after ${Date.now() - begun} ms`)
  await stays(id)
  t.equal(writesOf('two'), count + 1)
  t.same(await switches('two'), ['applied'])
  t.equal(await until('it is told', () => told(id), SOON), 1)
})
