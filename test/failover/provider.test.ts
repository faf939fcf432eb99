import { sql } from 'kysely'
import t from 'tap'
import { hear } from '../helpers/events.ts'
import { until } from '../helpers/until.ts'
import { startFailingZone, type Monitor } from './failing-zone.ts'

/* A DNS provider whose answer to a switch is lost, or that is away. */
const zone = await startFailingZone(t, {
  providerBudgetMs: 2500,
  reconcileTimes: { afterLostAnswer: [0.3, 0.6], sweep: 0.2 },
})
const { app, admin, domainId, database, there, primary, backup, watch, when, read } = zone
const heard = hear(app, 'failover.switched', 'failover.failed')
const FINE = { status: 200, body: 'all fine', hangs: false }
const BROKEN = { ...FINE, status: 503 }
const isUp = ({ alternatives }: Monitor) => alternatives.every(({ health }: Monitor) => health === 'up')

/** Settles what no instance waits for, as the scheduled task does, until the monitor is as the condition says. */
const settled = (id: string, condition: (monitor: Monitor) => boolean) =>
  until('it is settled', async () => {
    await app.work.run('failover.settle')
    const monitor = await read(id)
    return !monitor.isSwitching && condition(monitor) && monitor
  })
const failovers = async () => {
  const { body } = await admin.get(`/api/domains/${domainId}/changes?limit=50`)
  return body.changes.filter(({ origin }: Monitor) => origin === 'failover').length
}
/** Those that changed this name. */
const failoversOf = async (name: string) => {
  const { body } = await admin.get(`/api/domains/${domainId}/changes?limit=50`)
  return body.changes.filter(
    ({ origin, items }: Monitor) =>
      origin === 'failover' && items.some(({ before, after }: Monitor) => (after ?? before).name === name),
  ).length
}

t.afterEach(async () => {
  zone.fake.heal()
  primary.answers = FINE
  for (const { id } of (await admin.get(zone.monitors)).body.monitors)
    await admin.delete(`/api/failover-monitors/${id}`)
  await heard()
})

void t.test('an answer that is lost after the switch took effect: switched once, told once', async (t) => {
  const { id } = await watch('lost')
  await when(id, 'both up', isUp)
  zone.fake.fail({ on: 'write', kind: 'silent', applied: true })
  primary.answers = BROKEN
  await until('it is under way', async () => (await read(id)).isSwitching)
  const over = await settled(id, ({ active }) => active === 'backup')
  t.match(over, { state: 'failed_over', problem: null })
  t.same(there('lost', 'A'), [backup.address])
  t.match(await heard(), [{ name: 'failover.switched', payload: { metadata: { changeId: over.changeId } } }])
  t.equal(await failovers(), 1)
})

void t.test('a switch that did not take effect is tried again, and told once', async (t) => {
  const { id } = await watch('again')
  await when(id, 'both up', isUp)
  zone.fake.fail({ on: 'write', kind: 'silent', applied: false, times: 2 })
  primary.answers = BROKEN
  const failed = await settled(id, ({ problem }) => problem === 'not_applied')
  t.equal(failed.active, 'primary')
  const over = await settled(id, ({ active }) => active === 'backup')
  t.equal(over.problem, null)
  t.same(there('again', 'A'), [backup.address])
  t.same(
    (await heard()).map(({ name }) => name),
    ['failover.failed', 'failover.switched'],
  )
})

void t.test('somebody else changes the records in the same moment', async (t) => {
  const { id } = await watch('race')
  await when(id, 'both up', isUp)
  const { body } = await admin.get(`${zone.url}?search=race`)
  // Its write waits for an answer, and so holds the name while the outage begins.
  let go = () => {}
  const held = new Promise<void>((resolve) => (go = resolve))
  zone.fake.fail({ on: 'write', kind: 'held', until: held })
  const writing = admin.put(`${zone.url}/${body.records[0].id}`, { value: '192.0.2.99' })
  primary.answers = BROKEN
  await when(id, 'down', ({ alternatives }) => alternatives[0].health === 'down')
  go()
  t.equal((await writing).status, 200)
  await when(id, 'paused', ({ paused }) => paused === 'records_changed')
  t.same(there('race', 'A'), ['192.0.2.99'])
})

void t.test('somebody adds a record after the RRset was read for the switch', async (t) => {
  const { id } = await watch('beside')
  await when(id, 'both up', isUp)
  // Between reading and the domain's lock there is no place to wait: the record comes as the change is opened.
  await sql`create function add_beside() returns trigger language plpgsql as $$ begin
    insert into records (id, domain_id, name, type, value, ttl, status)
    values (gen_random_uuid(), new.domain_id, 'beside', 'A', '192.0.2.77', 60, 'active');
    return new;
  end $$`.execute(database.db)
  await sql`create trigger add_beside after insert on changes for each row execute function add_beside()`.execute(
    database.db,
  )
  try {
    const answer = await admin.post(`/api/failover-monitors/${id}/switch`, { to: 'backup' })
    t.match(answer, { status: 409, body: { reason: 'failover_values' } })
  } finally {
    await sql`drop trigger add_beside on changes`.execute(database.db)
  }
  t.match(await read(id), { active: 'primary', isSwitching: false })
  t.same(there('beside', 'A'), [primary.address], 'nothing was written')
  t.equal(await failoversOf('beside'), 0)
})
