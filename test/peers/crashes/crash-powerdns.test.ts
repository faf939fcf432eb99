import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { startPowerDns } from '../powerdns.ts'
import { until } from '../../helpers/until.ts'
import { addDomain, signIn, startZonekeeper, type Session } from '../zonekeeper.ts'

/* `kill -9` in the middle of 1,000 creations: what was acknowledged is there once, and both ends are alike. */
t.setTimeout(480_000)
const RECORDS = 1_000
const AT_ONCE = 16
const powerdns = await startPowerDns()
t.teardown(() => powerdns.close())
const dataDir = mkdtempSync(path.join(tmpdir(), 'zonekeeper-crash-'))
t.teardown(() => rmSync(dataDir, { recursive: true, force: true }))

const environment = { DATA_DIR: dataDir, OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'warn' }

// Several names, three values each: their RRsets are read, merged and written again while we kill.
const contentOf = (n: number) => ({
  recordType: 'A',
  name: `host${Math.floor(n / 3)}`,
  value: `192.0.${n >> 8}.${n & 255}`,
  ttl: 300,
})
const keyOf = ({ name, value }: { name: string; value: string }) => `${name} ${value}`

/** Creates records until the service is gone; answers which were acknowledged. */
async function createUntilGone(session: Session, domainId: string, afterEach: (done: number) => void) {
  const acknowledged = new Set<string>()
  let next = 0
  const worker = async () => {
    while (next < RECORDS) {
      const content = contentOf(next++)
      const answer = await session.post(`/api/domains/${domainId}/records`, content).catch(() => null)
      if (answer === null) return
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      acknowledged.add(keyOf(content))
      afterEach(acknowledged.size)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return acknowledged
}

async function recordsHere(session: Session, domainId: string) {
  const records: { name: string; value: string; status: string; recordType: string }[] = []
  for (let page = 1; ; page++) {
    const { body } = await session.get(`/api/domains/${domainId}/records?limit=200&type=A&page=${page}`)
    const { records: some, total } = body as { records: typeof records; total: number }
    records.push(...some)
    if (some.length === 0 || records.length >= total) return records
  }
}

async function recordsThere(zone: string): Promise<string[]> {
  const answer = await fetch(`${powerdns.apiUrl}/api/v1/servers/localhost/zones/${zone}.`, {
    headers: { 'x-api-key': powerdns.apiKey },
  })
  const { rrsets } = (await answer.json()) as {
    rrsets: { name: string; type: string; records: { content: string }[] }[]
  }
  return rrsets
    .filter((rrset) => rrset.type === 'A')
    .flatMap(({ name, records }) =>
      records.map(({ content }) => keyOf({ name: name.slice(0, -zone.length - 2), value: content })),
    )
}

for (const killAfter of [50, 400]) {
  const zone = `crash${killAfter}.test`
  void t.test(`killed after ${killAfter} of ${RECORDS}`, async (t) => {
    const doomed = await startZonekeeper(environment)
    t.teardown(() => doomed.kill())
    const session = await signIn(doomed.url)
    const domainId = await addDomain(session, powerdns, zone)
    const acknowledged = await createUntilGone(session, domainId, (done) => {
      if (done === killAfter) void doomed.kill()
    })
    t.ok(acknowledged.size >= killAfter && acknowledged.size < RECORDS, 'it was killed on the way')

    const service = await startZonekeeper(environment)
    t.teardown(() => service.stop())
    const again = await signIn(service.url)
    const isSettled = async () => {
      const { body } = await again.get(`/api/domains/${domainId}/changes?limit=200`)
      const { changes } = body as { changes: { status: string }[] }
      return changes.every(({ status }) => status === 'applied' || status === 'failed')
    }
    await until(
      'everything is settled',
      isSettled, // What was never sent is looked for as long as after a lost answer.
      { within: 150 },
    )

    const here = (await recordsHere(again, domainId)).filter(({ status }) => status !== 'failed')
    t.same(
      here.filter(({ status }) => status !== 'active'),
      [],
      'nothing hangs in the air',
    )
    const keys = here.map(keyOf).sort()
    t.same(keys, (await recordsThere(zone)).sort(), 'both ends are alike')
    t.equal(new Set(keys).size, keys.length, 'nothing is there twice')
    t.same(
      [...acknowledged].filter((key) => !keys.includes(key)),
      [],
      'what was acknowledged is there',
    )
    t.match(
      await again.post(`/api/domains/${domainId}/sync`),
      { status: 200, body: { created: 0, updated: 0, deleted: 0, unchanged: keys.length + 2 } },
      'a sync finds nothing, and the two NS of the zone as they were read',
    )
    const last = [...acknowledged].at(-1)?.split(' ') ?? []
    t.ok((await powerdns.dig(`${last[0]}.${zone}`, 'A')).includes(String(last[1])), 'dig shows it')
    await service.stop()
  })
}
