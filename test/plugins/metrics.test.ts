import t from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { connect } from '../../db/connection/connect.ts'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { newEvent } from '../../plugins/events/outbox/event.ts'
import { addChannel, happen, work } from '../channels/helpers.ts'
import { startReceiver } from '../channels/simulators/receiver.ts'
import { bootstrapList, rdapDomain, startRdap, startWhois } from '../domains/expiry/registries.ts'
import { call, startApp } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { addManual, idOf, POWERDNS, startFake, startZone } from '../helpers/zone.ts'

const [rdap, iana] = await Promise.all([startRdap(t), startWhois(t)])
const registry = await startWhois(t)
iana.answers.set('*', `refer: ${registry.host}\n`)
rdap.replies.set('/list.json', { body: bootstrapList([[['com'], [rdap.url]]]) })
const service = await startApp(t, {
  environment: {
    OUTBOUND_ALLOW: `127.0.0.0/8,${registry.host}`,
    RDAP_BOOTSTRAP_URL: `${rdap.url}/list.json`,
    WHOIS_SERVER: iana.host,
  },
})
const { app, admin, database } = service
const { db } = database

const metricsOf = async (of = app) => String((await call(of, { url: '/metrics' })).body)

/** The value of one series, as it is written; undefined where it is not there. */
async function valueOf(series: string): Promise<number | undefined> {
  const line = (await metricsOf()).split('\n').find((text) => text.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length))
}

void t.test('what waits, and since when', async (t) => {
  for (const kind of ['events', 'deliveries', 'mails', 'operations', 'changes']) {
    t.equal(await valueOf(`zonekeeper_waiting{kind="${kind}"}`), 0, kind)
    t.equal(await valueOf(`zonekeeper_oldest_waiting_seconds{kind="${kind}"}`), 0, kind)
  }
  const created_at = new Date(Date.now() - 600_000)
  const later = new Date(Date.now() + 600_000)
  const { name, payload } = newEvent('domain.created', {
    metadata: { domainId: uuidv7(), domainName: 'example.com' },
    actorId: null,
  })
  const event = { name, payload: JSON.stringify(payload), domain_id: null, created_at, next_try_at: later }
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

void t.test('what is sent waits no more', async (t) => {
  const receiver = await startReceiver(t)
  await addChannel(service, 'webhook', receiver.config)
  await db
    .updateTable('events')
    .set({ next_try_at: new Date(0) })
    .where('failed_at', 'is', null)
    .execute()
  await happen(app, 'example.com')
  await until('the events are told', async () => (await valueOf('zonekeeper_waiting{kind="events"}')) === 0)
  t.equal(await valueOf('zonekeeper_oldest_waiting_seconds{kind="events"}'), 0)

  await db
    .updateTable('deliveries')
    .set({ created_at: new Date(Date.now() - 600_000) })
    .execute()
  t.ok(((await valueOf('zonekeeper_waiting{kind="deliveries"}')) ?? 0) >= 1)
  t.ok(((await valueOf('zonekeeper_oldest_waiting_seconds{kind="deliveries"}')) ?? 0) >= 600)
  await work(app)
  t.equal(await valueOf('zonekeeper_waiting{kind="deliveries"}'), 0)
  t.equal(await valueOf('zonekeeper_oldest_waiting_seconds{kind="deliveries"}'), 0)
})

/** How much a counter grows by it; one that is not there counts as 0. */
async function growth(series: string, work: () => Promise<unknown>): Promise<number> {
  const before = (await valueOf(series)) ?? 0
  await work()
  return ((await valueOf(series)) ?? 0) - before
}

void t.test('calls of providers by kind and result', async (t) => {
  const fake = await startFake(t)
  const calls = (provider: string, result: string) =>
    `zonekeeper_provider_calls_total{provider="${provider}",result="${result}"}`
  const credentials = { apiUrl: fake.url, apiKey: fake.apiKey }
  const cases: [result: string, credentials: object][] = [
    ['ok', credentials],
    ['auth', { ...credentials, apiKey: 'wrong' }],
    ['unavailable', { ...credentials, apiUrl: 'http://127.0.0.1:1' }],
  ]
  for (const [result, credentials] of cases) {
    const config = await admin.post('/api/provider-configs', {
      providerId: POWERDNS,
      name: result,
      credentials,
    })
    const test = () => admin.post(`/api/provider-configs/${idOf(config)}/test`)
    const timed = 'zonekeeper_provider_call_seconds_count{provider="powerdns"}'
    const asked = async () => t.ok((await growth(calls('powerdns', result), test)) >= 1, result)
    t.ok((await growth(timed, asked)) >= 1, `${result}: timed`)
  }
  const manual = await addManual(admin)
  t.equal(await growth(calls('manual', 'ok'), () => admin.post(`/api/provider-configs/${manual}/test`)), 1)
})

void t.test('syncs by result, but for dry runs', async (t) => {
  const zone = await startZone(t, { app: service })
  const path = `/api/domains/${zone.domainId}/sync`
  const synced = (result: string) => `zonekeeper_syncs_total{result="${result}"}`
  t.equal(await growth(synced('ok'), () => admin.post(`${path}?dryRun=true`)), 0)
  t.equal(await growth(synced('ok'), () => admin.post(path)), 1)
  zone.fake.deleteZone('example.com')
  const failing = await admin.post(path)
  t.ok(failing.status >= 400)
  t.equal(await growth(synced(failing.body.code), () => admin.post(path)), 1)
})

void t.test('jobs by queue and result', async (t) => {
  const done = (queue: string, result: string) => `zonekeeper_jobs_total{queue="${queue}",result="${result}"}`
  t.equal(await growth(done('records.sync', 'ok'), () => app.work.run('records.sync')), 1)
  app.work.every(3_600, 'failing', async () => {
    throw new Error('on purpose')
  })
  t.equal(await growth(done('failing', 'failed'), () => app.work.run('failing').catch(() => null)), 1)
})

void t.test('look-ups by who answered, or why nobody did', async (t) => {
  const lookups = (result: string) => `zonekeeper_lookups_total{result="${result}"}`
  const ask = (domain: string) => () => admin.post('/api/domains/check-expiry-preview', { domain })
  const events = [{ eventAction: 'expiration', eventDate: '2031-01-02T03:04:05Z' }]
  rdap.replies.set('/domain/example.com', { body: rdapDomain('example.com', { events }) })
  t.equal(await growth(lookups('rdap'), ask('example.com')), 1)
  registry.answers.set('*', 'Domain Name: EXAMPLE.NET\nRegistry Expiry Date: 2031-01-02T03:04:05Z\n')
  t.equal(await growth(lookups('whois'), ask('example.net')), 1)
  iana.answers.set('*', 'domain: NET\n')
  t.equal(await growth(lookups('no_server'), ask('example.org')), 1)
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
