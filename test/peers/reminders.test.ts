import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Redis } from 'ioredis'
import t from 'tap'
import { createDatabase } from '../helpers/database.ts'
import { MANUAL } from '../helpers/zone.ts'
import { freePort, startProgram, until } from './processes.ts'
import { databaseUrl, signIn, startZonekeeper, type Zonekeeper } from './zonekeeper.ts'

/* Three instances with one database and a real Redis; the one that tells reminders dies while it does. */
t.setTimeout(300_000)
const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-reminders-'))
t.teardown(() => rmSync(work, { recursive: true, force: true }))

const redisPort = await freePort()
const redis = await startProgram([
  'redis-server',
  '--port',
  String(redisPort),
  '--bind',
  '127.0.0.1',
  '--save',
  '',
])
t.teardown(() => redis.stop())
await until(() => redis.output().includes('Ready to accept connections'), 'Redis is ready')

const database = await createDatabase(t)
const { db } = database
const environment = {
  DATABASE_URL: databaseUrl(database.config),
  REDIS_URL: `redis://127.0.0.1:${redisPort}`,
  SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
  DATA_DIR: work,
}

/** What the instances tell each other, as another instance would hear it. */
interface Message {
  from: string
  name: string
  meta: { id: string }
}
const messages: Message[] = []
const listener = new Redis(redisPort, '127.0.0.1')
t.teardown(() => listener.disconnect())
listener.on('message', (_channel, text) => messages.push(JSON.parse(text) as Message))
await listener.subscribe('zonekeeper:events')

/** The instances, by the name that they have in messages. */
const instances = new Map<string, Zonekeeper>()
for (let count = 0; count < 3; count++) {
  const instance = await startZonekeeper(environment)
  t.teardown(() => instance.stop())
  const before = messages.length
  await signIn(instance.url)
  const session = await signIn(instance.url)
  await session.delete('/api/auth/me/sessions')
  const own = () => messages.slice(before).find(({ from }) => !instances.has(from))
  await until(own, 'it says something')
  instances.set(own()?.from ?? '', instance)
}
const [first] = instances.values()

const DAY = 24 * 3600 * 1000
const DOMAINS = 5_000

async function addDueDomains(url: string): Promise<void> {
  const session = await signIn(url)
  const config = await session.post('/api/provider-configs', { providerId: MANUAL, name: 'manual' })
  const { id: providerConfigId } = config.body as { id: string }
  const model = await session.post('/api/domains', { name: 'model.example', providerConfigId })
  const row = await db
    .selectFrom('domains')
    .selectAll()
    .where('id', '=', (model.body as { id: string }).id)
    .executeTakeFirstOrThrow()
  for (let from = 0; from < DOMAINS; from += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, n) => ({
      ...row,
      id: crypto.randomUUID(),
      name: `due-${from + n}.example`,
      expires_at: new Date(Date.now() + 5 * DAY),
      reminder_due_at: new Date(),
    }))
    await db.insertInto('domains').values(rows).execute()
  }
}

void t.test('each reminder is told once, although who tells them dies', async (t) => {
  await addDueDomains(first?.url ?? '')
  const told = () => messages.filter(({ name }) => name === 'domain.expiring')
  // The schedule of the queue is a minute.
  await until(() => told().length > 0, 'the first is told', { seconds: 100 })
  const teller = told()[0]?.from ?? ''
  await instances.get(teller)?.kill()
  const early = told().length
  t.ok(early < DOMAINS, `it died after ${early} of ${DOMAINS}`)

  const open = () =>
    db.selectFrom('expiry_reminders').select('event_id').where('announced_at', 'is', null).execute()
  const noted = () =>
    db.selectFrom('domains').select('id').where('reminder_due_at', '<=', new Date()).execute()
  await until(
    async () => (await noted()).length === 0 && (await open()).length === 0,
    'the others have told the rest',
    { seconds: 180 },
  )
  const ids = new Set(told().map(({ meta }) => meta.id))
  t.equal(ids.size, DOMAINS, 'each is one event')
  const tellers = new Set(told().map(({ from }) => from))
  t.ok(tellers.size > 1, 'told by more than one')
  // What it was saying as it died nobody can know to have been heard: that much may come again, with its id.
  t.ok(told().length - DOMAINS <= 1, `${told().length - DOMAINS} came twice`)
  const rows = await db
    .selectFrom('expiry_reminders')
    .select('lead_days')
    .where('event_id', 'in', [...ids])
    .execute()
  t.equal(rows.length, DOMAINS)
  t.ok(rows.every(({ lead_days }) => lead_days === 7))
})
