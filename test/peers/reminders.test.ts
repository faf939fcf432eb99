// Runs first: takes long for its size.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { createDatabase } from '../helpers/database.ts'
import { MANUAL } from '../helpers/zone.ts'
import { until } from '../helpers/until.ts'
import { databaseUrl, signIn, startZonekeeper, type Zonekeeper } from './zonekeeper.ts'

/* Three instances with one database; two die while they tell reminders. */
t.setTimeout(300_000)
const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-reminders-'))
t.teardown(() => rmSync(work, { recursive: true, force: true }))

const database = await createDatabase(t)
const { db } = database
const environment = {
  DATABASE_URL: databaseUrl(database.config),
  SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
  DATA_DIR: work,
}

const instances: Zonekeeper[] = []
for (let count = 0; count < 3; count++) {
  const instance = await startZonekeeper(environment)
  t.teardown(() => instance.stop())
  instances.push(instance)
}
const [first] = instances

const DAY = 24 * 3600 * 1000
const DOMAINS = 2_000

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

void t.test('each reminder is told once, although instances die while they tell', async (t) => {
  await addDueDomains(first?.url ?? '')
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .executeTakeFirstOrThrow()
  const told = () =>
    db.selectFrom('notification_receivers').select('event_id').where('user_id', '=', id).execute()
  const before = (await told()).length
  // The schedule of the queue is a minute.
  await until('the first is told', async () => (await told()).length > before, { within: 100 })
  await instances[0]?.kill()
  await instances[1]?.kill()
  const early = (await told()).length - before
  t.ok(early < DOMAINS, `they died after ${early} of ${DOMAINS}`)
  const waiting = () => db.selectFrom('events').select('id').execute()
  await until(
    'the other has told the rest',
    async () => (await told()).length - before >= DOMAINS && (await waiting()).length === 0,
    { within: 180 },
  )
  t.equal((await told()).length - before, DOMAINS, 'each once')
  const messages = await db
    .selectFrom('notifications')
    .select('metadata')
    .where('event', '=', 'domain.expiring')
    .execute()
  const domains = new Set(messages.map(({ metadata }) => (metadata as { domainId: string }).domainId))
  t.equal(domains.size, DOMAINS, 'of each domain')
  t.ok(messages.every(({ metadata }) => (metadata as { leadDays: number }).leadDays === 7))
})
