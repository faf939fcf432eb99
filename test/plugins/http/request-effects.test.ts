import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { until } from '../../helpers/until.ts'
import { startZone } from '../../helpers/zone.ts'

const zone = await startZone(t, {
  providerBudgetMs: 1_000,
  reconcileTimes: { afterLostAnswer: [0], afterDeath: [0] },
})
const { admin, database, domainId, url } = zone
const { db } = database

let faults = 0

/** The database fails as in a failover when rows of the table are written, `atCommit` only then; until `heal`. */
async function fail(t: Test, table: string, when: 'insert' | 'update', { atCommit = false } = {}) {
  const name = `fault_${faults++}`
  await sql`create function ${sql.ref(name)}() returns trigger language plpgsql as
    'begin raise exception using errcode = ''57P01'', message = ''terminating connection''; end'`.execute(db)
  await sql`create ${sql.raw(atCommit ? 'constraint' : '')} trigger ${sql.ref(name)} after ${sql.raw(when)}
    on ${sql.table(table)} ${sql.raw(atCommit ? 'deferrable initially deferred' : '')}
    for each row execute function ${sql.ref(name)}()`.execute(db)
  const heal = () => sql`drop function if exists ${sql.ref(name)} cascade`.execute(db)
  t.teardown(heal)
  return heal
}

let names = 0
const record = () => ({ recordType: 'A', name: `n${names++}`, value: '192.0.2.1' })
const channel = { channel: 'webhook', name: 'hook', config: { url: 'http://127.0.0.1:9/' }, events: [] }
const NONE = { status: 503, body: { code: 'unavailable', outcome: 'none' } }
const UNKNOWN = { status: 503, body: { code: 'unavailable', outcome: 'unknown' } }

void t.test('what fails before it is committed was not done', async (t) => {
  const heal = await fail(t, 'changes', 'insert')
  const answer = await admin.post(url, record())
  t.match(answer, NONE)
  t.notOk('changeId' in answer.body || 'statusUrl' in answer.body)
  await heal()
  const healChannels = await fail(t, 'channel_configs', 'insert')
  t.match(await admin.post('/api/notifications', channel), NONE)
  await healChannels()
  t.same((await admin.get('/api/notifications/configs')).body.configs, [])
})

void t.test('what fails as it is committed may have been done', async (t) => {
  const heal = await fail(t, 'changes', 'insert', { atCommit: true })
  const { status, body } = await admin.post(url, record())
  t.match({ status, body }, UNKNOWN)
  t.equal(body.statusUrl, `/api/domains/${domainId}/changes/${body.changeId}`)
  const v1 = await admin.post(url.replace('/api/', '/api/v1/'), record())
  t.match(v1.body.statusUrl, /^\/api\/v1\/domains\//)
  await heal()
  const healChannels = await fail(t, 'channel_configs', 'insert', { atCommit: true })
  const answer = await admin.post('/api/notifications', channel)
  t.match(answer, UNKNOWN)
  t.notOk('changeId' in answer.body)
  await healChannels()
})

void t.test('what fails after the provider was called is told by its change', async (t) => {
  const heal = await fail(t, 'change_items', 'update')
  const { status, body } = await admin.post(url, record())
  t.match({ status, body }, { ...UNKNOWN, body: { changeId: String, statusUrl: String } })
  await heal()
  t.match(await admin.get(body.statusUrl), { status: 200, body: { id: body.changeId } })
})

void t.test(
  'of a provider that gives no answer nobody knows; one that refuses has done nothing',
  async (t) => {
    zone.fake.fail({ on: 'write', kind: 'silent', applied: true })
    const lost = await admin.post(url, record())
    t.match(lost, { status: 504, body: { outcome: 'unknown', changeId: String, statusUrl: String } })
    zone.fake.heal()
    await until('it is settled', async () => {
      const { body } = await admin.get(lost.body.statusUrl)
      return body.status !== 'pending'
    })
    zone.fake.fail({ on: 'write', times: Infinity, kind: 'answer', answer: { status: 429, body: '{}' } })
    t.match(await admin.post(url, record()), { status: 503, body: { outcome: 'none', changeId: String } })
    zone.fake.heal()
    t.same(zone.there(`n${names - 1}`, 'A'), [])
  },
)
