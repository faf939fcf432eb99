import t from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { connect } from '../../db/connect.ts'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { call, startApp } from '../helpers/app.ts'

const { app, admin, database } = await startApp(t, {
  environment: { RDAP_BOOTSTRAP_URL: 'http://127.0.0.1:1/', WHOIS_SERVER: '127.0.0.1:1' },
})
const { db } = database

const metricsOf = async (of = app) => String((await call(of, { url: '/metrics' })).body)

/** The value of one series, as it is written; undefined where it is not there. */
async function valueOf(series: string): Promise<number | undefined> {
  const line = (await metricsOf()).split('\n').find((text) => text.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length))
}

async function addConfig(key: string, credentials: object): Promise<string> {
  const { body } = await admin.get('/api/providers')
  const provider = body.providers.find((known: { key: string }) => known.key === key)
  const config = await admin.post('/api/provider-configs', {
    providerId: provider.id,
    name: key,
    credentials,
  })
  return config.body.id
}

void t.test('what waits, and since when', async (t) => {
  for (const kind of ['events', 'deliveries', 'mails']) {
    t.equal(await valueOf(`zonekeeper_waiting{kind="${kind}"}`), 0, kind)
    t.equal(await valueOf(`zonekeeper_oldest_waiting_seconds{kind="${kind}"}`), 0, kind)
  }
  const created_at = new Date(Date.now() - 600_000)
  const later = new Date(Date.now() + 600_000)
  const event = { name: 'nothing', payload: '{}', domain_id: null, created_at, next_try_at: later }
  await db
    .insertInto('events')
    .values([
      { id: uuidv7(), ...event, failed_at: null },
      { id: uuidv7(), ...event, failed_at: new Date() },
    ])
    .execute()
  const mail = { recipient: 'a@example.com', content: Buffer.of(1), next_try_at: later, expires_at: later }
  await db
    .insertInto('mails')
    .values({ id: uuidv7(), ...mail })
    .execute()
  t.equal(await valueOf('zonekeeper_waiting{kind="events"}'), 1, 'without what was given up')
  t.equal(await valueOf('zonekeeper_waiting{kind="mails"}'), 1)
  const age = (await valueOf('zonekeeper_oldest_waiting_seconds{kind="events"}')) ?? 0
  t.ok(age >= 600 && age < 700, `${age}`)
})

void t.test('calls of providers by result', async (t) => {
  const id = await addConfig('powerdns', { apiUrl: 'http://127.0.0.1:1', apiKey: 'key' })
  await admin.post(`/api/provider-configs/${id}/test`)
  const calls = await valueOf('zonekeeper_provider_calls_total{provider="powerdns",result="unavailable"}')
  t.ok((calls ?? 0) >= 1)
})

void t.test('syncs, but for dry runs', async (t) => {
  const providerConfigId = await addConfig('manual', {})
  const { body } = await admin.post('/api/domains', { name: 'example.com', providerConfigId })
  t.equal((await admin.post(`/api/domains/${body.id}/sync?dryRun=true`)).status, 200)
  t.equal(await valueOf('zonekeeper_syncs_total{result="ok"}'), undefined)
  t.equal((await admin.post(`/api/domains/${body.id}/sync`)).status, 200)
  t.equal(await valueOf('zonekeeper_syncs_total{result="ok"}'), 1)
})

void t.test('jobs by queue and result', async (t) => {
  await app.jobs.run('records.sync')
  t.equal(await valueOf('zonekeeper_jobs_total{queue="records.sync",result="ok"}'), 1)
})

void t.test('look-ups by result', async (t) => {
  await admin.post('/api/domains/check-expiry-preview', { domain: 'example.com' })
  t.equal(await valueOf('zonekeeper_lookups_total{result="unavailable"}'), 1)
})

void t.test('while the database is away the others are there', async (t) => {
  const broken = await buildApp(readConfig({ LOG_LEVEL: 'silent' }, '/dev/null'), {
    connection: connect({ host: '127.0.0.1', port: 1 }),
    secretKeys: [Buffer.alloc(32, 7)],
    alone: false,
  })
  t.teardown(() => broken.close())
  const text = await metricsOf(broken)
  t.match(text, /^process_cpu_seconds_total \d/m)
  t.notMatch(text, /^zonekeeper_waiting\{/m)
})
