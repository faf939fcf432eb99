import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { startReceiver } from '../../channels/simulators/receiver.ts'
import { createDatabase } from '../../helpers/database.ts'
import { MANUAL } from '../../helpers/zone.ts'
import { until } from '../../helpers/until.ts'
import { databaseUrl, signIn, startZonekeeper } from '../zonekeeper.ts'

/* `kill -9` of the instance that delivers: another goes on, everything arrives, each with one id. */
t.setTimeout(180_000)
const MESSAGES = 60

const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-channels-'))
t.teardown(() => rmSync(work, { recursive: true, force: true }))
const database = await createDatabase(t)
const environment = {
  DATABASE_URL: databaseUrl(database.config),
  SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
  DATA_DIR: work,
  OUTBOUND_ALLOW: '127.0.0.1',
  LOG_LEVEL: 'warn',
}

void t.test('nothing is lost, and nothing comes with two ids', async (t) => {
  const receiver = await startReceiver(t)
  // So long that it has more than enough to do until it dies, however long the other takes to start.
  receiver.state.delayMs = 2_000
  const doomed = await startZonekeeper(environment)
  t.teardown(() => doomed.kill())
  const session = await signIn(doomed.url)
  const channel = await session.post('/api/notifications', {
    channel: 'webhook',
    name: 'Receiver',
    config: receiver.config,
    events: ['domain.created'],
  })
  t.equal(channel.status, 201)
  const log = `/api/notifications/configs/${channel.body.id}/deliveries?limit=200`
  const config = await session.post('/api/provider-configs', { providerId: MANUAL, name: 'manual' })
  const expected = Array.from({ length: MESSAGES }, (_, i) => `domain${i}.example`)
  for (const name of expected) {
    const { status } = await session.post('/api/domains', { name, providerConfigId: config.body.id })
    t.equal(status, 201)
  }
  await until('all are in the outbox', async () => (await session.get(log)).body.total === MESSAGES)
  const survivor = await startZonekeeper(environment)
  t.teardown(() => survivor.stop())
  await until('the first are delivered', () => receiver.told.length >= 2)
  t.equal(await doomed.kill(), 128 + 9)
  const before = receiver.told.length
  t.ok(before < MESSAGES, `${before} were delivered before`)
  receiver.state.delayMs = 20

  const again = await signIn(survivor.url)
  const delivered = async () => (await again.get(`${log}&status=delivered`)).body.total === MESSAGES
  await until('the other instance has delivered the rest', delivered, { within: 60 })
  const first = new Map(receiver.told.toReversed().map(({ id, metadata }) => [id, metadata['domainName']]))
  t.equal(first.size, MESSAGES, 'each has one id')
  t.equal(new Set(first.values()).size, MESSAGES, 'and no id has two messages')
  t.ok(receiver.told.length <= MESSAGES + 1, 'only what was under way came twice')
  t.same(
    [...new Set(receiver.told.map(({ metadata }) => metadata['domainName']))],
    expected,
    'in the order of time',
  )
})
