// Runs last: holds times to bounds.
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { createDatabase } from '../helpers/database.ts'
import { until } from '../helpers/until.ts'
import { startPowerDnsSimulator } from '../conformance/simulators/powerdns.ts'
import { addDomain, databaseUrl, signIn, startZonekeeper } from './zonekeeper.ts'

/*
 * A DNS server whose answers are small to send and large to take, at a service with a heap of 256 MB: it says what
 * is too much, and others are served meanwhile.
 */
t.setTimeout(180_000)
const ZONE = 'example.com'
const fake = await startPowerDnsSimulator()
t.teardown(() => fake.close())
const database = await createDatabase(t)
const service = await startZonekeeper({
  DATABASE_URL: databaseUrl(database.config),
  SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
  NODE_OPTIONS: '--max-old-space-size=256',
  OUTBOUND_ALLOW: '127.0.0.0/8',
  LOG_LEVEL: 'warn',
})
t.teardown(() => service.stop())
const admin = await signIn(service.url)
const domainId = await addDomain(admin, { apiUrl: fake.url, apiKey: fake.apiKey }, ZONE)

const record = (content: string) => ({ content, disabled: false })
const rrset = (name: string, records: object[]) => ({
  comments: [],
  name: `${name}.${ZONE}.`,
  type: 'A',
  ttl: 300,
  records,
})
const address = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`
const names = (count: number) => Array.from({ length: count }, (_, n) => rrset(`h${n}`, [record(address(n))]))
const zoneOf = (rrsets: string) =>
  gzipSync(`{"id":"${ZONE}.","name":"${ZONE}.","kind":"Native","rrsets":${rrsets}}`, { level: 1 })

/** Syncs while the zone reads so, and asks for something else meanwhile. */
async function sync(body: Buffer) {
  fake.fail({
    kind: 'answer',
    on: ({ method, path }) => method === 'GET' && path.includes('/zones/'),
    times: Infinity,
    answer: {
      status: 200,
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body,
    },
  })
  let over = false
  const begun = performance.now()
  const answer = admin.post(`/api/domains/${domainId}/sync`).finally(() => (over = true))
  const others: { status: number; ms: number }[] = []
  while (!over) {
    const asked = performance.now()
    const { status } = await admin.get('/api/auth/me')
    others.push({ status, ms: performance.now() - asked })
    await sleep(20)
  }
  fake.heal()
  const longest = Math.round(Math.max(...others.map(({ ms }) => ms)))
  t.comment(
    `${Math.round(body.length / 1024)} KiB, ${Math.round(performance.now() - begun)} ms; others waited ${longest} ms`,
  )
  return { ...(await answer), longest, refused: others.filter(({ status }) => status !== 200).length }
}

const floods: Record<string, () => string> = {
  '650,000 records': () => JSON.stringify(names(650_000)),
  'more records than bytes would tell, of one name': () =>
    JSON.stringify([
      rrset(
        'one',
        Array.from({ length: 150_000 }, (_, n) => record(address(n))),
      ),
    ]),
  'RRsets without records': () =>
    JSON.stringify(Array.from({ length: 150_000 }, (_, n) => rrset(`h${n}`, []))),
  'objects of nothing': () => `[${'{},'.repeat(8_000_000)}{}]`,
}

for (const [what, rrsets] of Object.entries(floods)) {
  void t.test(`72. an answer of ${what}`, async (t) => {
    const { status, body, longest, refused } = await sync(zoneOf(rrsets()))
    t.equal(status, 502)
    t.match(body, { code: 'provider_error', detail: /100,000 records.*MAX_ZONE_RECORDS/ })
    t.ok(longest < 1000, 'others go on')
    t.equal(refused, 0)
    t.match(await admin.get(`/api/domains/${domainId}`), {
      body: { lastSyncError: /MAX_ZONE_RECORDS/, recordCount: 2 }, // What was read at registration stays.
    })
  })
}

void t.test('72. the largest zone that is taken', async (t) => {
  const { status, body, longest } = await sync(zoneOf(JSON.stringify(names(99_000))))
  t.equal(status, 200, JSON.stringify(body).slice(0, 300))
  t.match(body, { created: 99_000 })
  t.ok(longest < 1000, 'others go on')
  await until('others are served', async () => (await admin.get('/api/auth/me')).status === 200)
})
