import { mkdtempSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { startNetwork } from '../helpers/postgres.ts'
import { until } from '../helpers/until.ts'
import { idOf, MANUAL } from '../helpers/zone.ts'
import { startDebianPair, type DebianPair } from './debian-pair.ts'
import { call, signIn, startZonekeeper, type Session } from './zonekeeper.ts'

/*
 * Two instances, of which one is killed, or whose PostgreSQL fails over to a standby, while clients create records and
 * channels. Each client repeats with its Idempotency-Key until it has an answer: all is done, and nothing twice.
 */
t.setTimeout(240_000)
const CLIENTS = 12
/** Half of them of records. */
const BEFORE_HARM = 60

const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-keys-'))
t.teardown(() => rmSync(work, { recursive: true, force: true }))

interface Surroundings {
  pair: DebianPair
  leadTo: (server: DebianPair['standby']) => void
  /** Kills the first instance. */
  kill: () => Promise<unknown>
}

async function repeatedly(t: Test, harm: (surroundings: Surroundings) => Promise<unknown>): Promise<void> {
  const pair = await startDebianPair(t)
  const address = await startNetwork(t, pair.primary)
  const environment = {
    DATABASE_URL: `postgres://postgres@127.0.0.1:${address.port}/postgres`,
    SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
    DATA_DIR: work,
    RATE_LIMIT: '0',
    LOG_LEVEL: 'info',
  }
  const start = async () => {
    const service = await startZonekeeper(environment)
    t.teardown(() => service.stop())
    return { service, session: await signIn(service.url) }
  }
  const [first, second] = [await start(), await start()]
  const manual = await second.session.post('/api/provider-configs', { providerId: MANUAL, name: 'manual' })
  const domain = { name: 'example.com', providerConfigId: idOf(manual) }
  const records = `/api/domains/${idOf(await second.session.post('/api/domains', domain))}/records`

  let over = false
  let done = 0
  const created: { url: string; name: string; id: string }[] = []
  const refused: unknown[] = []

  /** Repeats until there is an answer: by the second instance, which stays. */
  async function create(n: number): Promise<void> {
    const name = `n${crypto.randomUUID()}`
    const isRecord = n % 2 === 0
    const url = isRecord ? records : '/api/notifications'
    const body = isRecord
      ? { recordType: 'A', name, value: '192.0.2.1' }
      : { channel: 'webhook', name, config: { url: 'https://example.com/' }, events: [] }
    const key = { 'idempotency-key': crypto.randomUUID() }
    const ask = ({ session }: { session: Session }) => session.post(url, body, key).catch(() => null)
    let answer = await ask(n % 3 === 0 ? second : first)
    await until(
      'an answer',
      async () => {
        if (answer?.status === 201) return true
        const { status = 0, body: said } = answer ?? {}
        if (answer && status !== 503 && said.reason !== 'first_request_under_way') refused.push(said)
        if (answer && (!said.requestId || (status === 503 && !said.outcome))) refused.push(said)
        answer = await ask(second)
        return answer?.status === 201
      },
      { within: 60 },
    )
    created.push({ url, name, id: answer?.body.id })
    done++
  }
  const worker = async (_: unknown, n: number) => {
    while (!over) await create(n)
  }
  const workers = Array.from({ length: CLIENTS }, worker)
  await until('some are done', () => done > BEFORE_HARM, { within: 60 })
  await harm({
    pair,
    leadTo: (server) => address.leadTo(server),
    kill: () => first.service.kill(),
  })
  const soFar = done
  await until('it goes on', () => done > soFar + BEFORE_HARM, { within: 60 })
  over = true
  await Promise.all(workers)

  t.same(refused, [], 'nothing is in the way of a repeat')
  const { body: channels } = await second.session.get('/api/notifications/configs')
  const { body: domainNow } = await second.session.get(records.replace('/records', ''))
  const ofChannels = created.filter(({ url }) => url === '/api/notifications')
  t.same(
    channels.configs.map(({ id }: { id: string }) => id).sort(),
    ofChannels.map(({ id }) => id).sort(),
    'each channel is there once',
  )
  t.equal(domainNow.recordCount, created.length - ofChannels.length, 'and each record')
  t.equal((await call(second.service.url, 'GET', '/readyz')).status, 200)
}

void t.test('an instance is killed', (t) => repeatedly(t, ({ kill }) => kill()))

void t.test('the primary of PostgreSQL dies', (t) =>
  repeatedly(t, async ({ pair, leadTo }) => {
    pair.signalPrimary('SIGKILL')
    leadTo(pair.standby)
    await sleep(2_000)
    pair.promote()
  }),
)
