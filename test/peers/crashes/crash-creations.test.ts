import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { startFake } from '../../helpers/zone.ts'
import { until } from '../../helpers/until.ts'
import type { SimulatorRequest } from '../../conformance/simulators/server.ts'
import { addDomain, signIn, startZonekeeper, type Session } from '../zonekeeper.ts'

/*
 * The real process, killed twice in the midst of 400 creations: once while a write has taken effect whose
 * answer never came, once while one has not.
 */
t.setTimeout(480_000)
const RECORDS = 400
const AT_ONCE = 10
const ZONE = 'crash.example'

const fake = await startFake(t)
const dataDir = mkdtempSync(path.join(tmpdir(), 'zonekeeper-crash-'))
t.teardown(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 }))

const start = async () => {
  const service = await startZonekeeper({
    DATA_DIR: dataDir,
    RATE_LIMIT: '0',
    OUTBOUND_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
  })
  t.teardown(() => service.kill())
  return { service, session: await signIn(service.url) }
}

/** Several names of three values each: RRsets that are read, merged and written again. */
const contentOf = (n: number) => ({
  recordType: 'A',
  name: `h${Math.floor(n / 3)}`,
  value: `192.0.${n >> 8}.${n & 255}`,
  ttl: 300,
})
const lineOf = (n: number) => `${contentOf(n).name} ${contentOf(n).value}`

let next = 0
const acknowledged = new Set<string>()
const tried = new Set<string>()

/** Creates what is left, until all is done or the service is gone. */
async function createAll(session: Session, domainId: string, afterEach: () => void): Promise<void> {
  const worker = async () => {
    while (next < RECORDS) {
      const n = next++
      tried.add(lineOf(n))
      const answer = await session.post(`/api/domains/${domainId}/records`, contentOf(n)).catch(() => null)
      if (answer === null) return
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      acknowledged.add(lineOf(n))
      afterEach()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function here(session: Session, domainId: string) {
  const records: { name: string; recordType: string; value: string; status: string }[] = []
  for (let page = 1; ; page++) {
    const { body } = await session.get(`/api/domains/${domainId}/records?limit=200&page=${page}`)
    records.push(...(body.records as typeof records))
    if (records.length >= body.total || body.records.length === 0) return records
  }
}

const there = () =>
  fake
    .dump(ZONE)
    .filter(({ type }) => type === 'A')
    .flatMap(({ name, records }) =>
      records.map(({ content }) => `${name.slice(0, -ZONE.length - 2)} ${content}`),
    )
    .sort()

let domainId: string | undefined

for (const { killAt, applied } of [
  { killAt: 120, applied: true },
  { killAt: 240, applied: false },
  // Only to look at what the second one left.
  { killAt: null, applied: false },
]) {
  void t.test(killAt === null ? 'in the end' : `until it is killed after ${killAt}`, async (t) => {
    const { service, session } = await start()
    domainId ??= await addDomain(session, { apiUrl: fake.url, apiKey: fake.apiKey }, ZONE)
    const id = domainId
    const settled = async () => {
      const { body } = await session.get(`/api/domains/${id}/changes?limit=200`)
      return body.changes.every(({ status }: { status: string }) => status !== 'pending')
    }
    // What was never sent is looked for as long as after a lost answer.
    await until('what was pending is settled', settled, { within: 150 })

    // Without the two NS that were read when the domain was registered.
    const records = (await here(session, id)).filter(({ recordType }) => recordType === 'A')
    const lines = records.map(({ name, value }) => `${name} ${value}`).sort()
    t.same(lines, there(), 'both ends are alike')
    t.equal(new Set(lines).size, lines.length, 'nothing is there twice')
    t.same(
      [...acknowledged].filter((line) => !lines.includes(line)),
      [],
      'what was acknowledged is there',
    )
    t.same(
      lines.filter((line) => !tried.has(line)),
      [],
      'nothing else is there',
    )
    t.ok(records.every(({ status }) => status === 'active'))
    t.match(await session.get(`/api/domains/${id}`), { body: { recordCount: lines.length + 2 } })
    // A name that is still locked would keep this waiting, and fail it.
    for (const line of [...tried].slice(-AT_ONCE * 2)) {
      const [name = ''] = line.split(' ')
      const body = { recordType: 'TXT', name, value: `free ${killAt}`, ttl: 60 }
      const made = await session.post(`/api/domains/${id}/records`, body)
      t.ok([201, 409].includes(made.status), `${name}: ${made.status}`)
      if (made.status === 201) await session.delete(`/api/domains/${id}/records/${made.body.id}`)
    }

    if (killAt === null) return void (await service.stop())
    const hitsWrite = ({ method }: SimulatorRequest) => {
      if (method !== 'PATCH') return false
      setTimeout(() => void service.kill(), 50)
      return true
    }
    await createAll(session, id, () => {
      if (acknowledged.size === killAt) fake.fail({ on: hitsWrite, kind: 'silent', applied })
    })
    fake.heal()
    await service.ended
    t.ok(acknowledged.size < RECORDS)
  })
}
