import t from 'tap'
import { OutboundError } from '../../plugins/outbound/http-exchange.ts'
import { until } from '../helpers/until.ts'
import type { TestApp } from '../helpers/app.ts'
import { startFailingZone, type Monitor } from './failing-zone.ts'

const zone = await startFailingZone(t)
const { app, admin, domainId, there, primary, backup, watch, when, read, database } = zone
const [second, third] = await Promise.all([zone.join(t), zone.join(t)])
const FINE = { status: 200, body: 'all fine', hangs: false }
const BROKEN = { ...FINE, status: 503 }
const allUp = ({ instances, alternatives }: Monitor) =>
  instances === 3 && alternatives.every(({ instancesUp }: Monitor) => instancesUp === 3)

/** Cuts an instance off from everything that it checks; answers what ends that. */
function cutOff({ app: { probe } }: TestApp): () => void {
  const { http } = probe
  probe.http = async () => {
    throw new OutboundError('unreachable', 'cut off', false)
  }
  return () => void (probe.http = http)
}

const failovers = async () => {
  const { body } = await admin.get(`/api/domains/${domainId}/changes?limit=50`)
  return body.changes.filter(({ origin }: Monitor) => origin === 'failover').length
}

/** Notifications of switches so far. */
const told = async () => {
  await app.outbox.drain()
  const { body } = await admin.get('/api/notifications?limit=50')
  return body.notifications.filter(({ event }: Monitor) => event === 'failover.switched').length
}

t.afterEach(() => {
  primary.answers = FINE
  backup.answers = FINE
})

void t.test('one of three that is cut off from the targets switches nothing', async (t) => {
  const { id } = await watch('cut')
  await when(id, 'all up', allUp)
  const mend = cutOff(third)
  const seen = await when(id, 'it says so', ({ alternatives }) => alternatives[0].instancesDown === 1)
  t.match(seen, { active: 'primary', state: 'preferred', alternatives: [{ health: 'up', instancesUp: 2 }] })
  mend()
  await when(id, 'all up again', allUp)
  t.same(there('cut', 'A'), [primary.address])
  t.equal(await failovers(), 0)
  t.equal((await admin.delete(`/api/failover-monitors/${id}`)).status, 204)
})

void t.test('three instances that agree switch once, and announce it once', async (t) => {
  const { id } = await watch('agree')
  await when(id, 'all up', allUp)
  primary.answers = BROKEN
  await when(id, 'switched', ({ active }) => active === 'backup')
  const count = primary.hosts.length
  await until('each checks again', () => primary.hosts.length > count + 6)
  t.equal(await failovers(), 1)
  t.equal(await until('it is told', told), 1)
  t.same(there('agree', 'A'), [backup.address])
  t.equal((await admin.delete(`/api/failover-monitors/${id}`)).status, 204)
})

void t.test('two of three decide when the third does not see the outage', async (t) => {
  const { id } = await watch('two')
  await when(id, 'all up', allUp)
  const { http } = third.app.probe
  third.app.probe.http = async () => ({
    status: 200,
    body: Buffer.from('all fine'),
    certificateExpires: null,
  })
  primary.answers = BROKEN
  const over = await when(id, 'switched', ({ active }) => active === 'backup')
  t.match(over.alternatives[0], { instancesDown: 2, instancesUp: 1 })
  third.app.probe.http = http
  t.equal((await admin.delete(`/api/failover-monitors/${id}`)).status, 204)
})

void t.test('dead instances stand in the way until they no longer count', async (t) => {
  const { id } = await watch('dead')
  await when(id, 'all up', allUp)
  // Three that were killed just now: they have no verdict, but they might have been cut off.
  for (const at of [1, 2, 3])
    await database.db
      .insertInto('instances')
      .values({ id: `0192f0a0-0000-7000-8000-00000000000${at}` })
      .execute()
  primary.answers = BROKEN
  const waiting = await when(id, 'all see it', ({ alternatives }) => alternatives[0].instancesDown === 3)
  t.match(waiting, { active: 'primary', instances: 6, alternatives: [{ health: 'undecided' }] })
  await when(id, 'switched', ({ active }) => active === 'backup')
  t.equal((await read(id)).instances, 3)
  t.equal((await admin.delete(`/api/failover-monitors/${id}`)).status, 204)
})

void t.test('an instance that stops no longer counts', async (t) => {
  const { id } = await watch('stop')
  await when(id, 'all up', allUp)
  await third.app.close()
  await when(id, 'two are left', ({ instances }) => instances === 2)
  const mend = cutOff(second)
  await when(id, 'they disagree', ({ alternatives }) => alternatives[0].health === 'undecided')
  t.same(there('stop', 'A'), [primary.address], 'half is no majority')
  await second.app.close()
  mend()
  primary.answers = BROKEN
  await when(id, 'the last one decides', ({ active }) => active === 'backup')
})
