import t from 'tap'
import { hear } from '../helpers/events.ts'
import { until } from '../helpers/until.ts'
import { startApp } from '../helpers/app.ts'
import { startReviewedZone, record } from '../change-requests/reviewed-zone.ts'
import { FAST, settings, type Monitor } from './failing-zone.ts'
import { startTargets, type Target } from './targets.ts'

const service = await startApp(t, { failoverTimes: FAST, alone: false })
const zone = await startReviewedZone(t, 'none', { app: service })
const { app, admin, olga, wanda, dora, rita, mallory, url, domainId, there } = zone
const { port, targets } = await startTargets(t, 2)
const [primary, backup] = targets as [Target, Target]
const monitors = `/api/domains/${domainId}/failover-monitors`
const heard = hear(app, 'failover.paused')
const FINE = { status: 200, body: 'all fine', hangs: false }
const BROKEN = { ...FINE, status: 503 }
const given = (name: string, more: object = {}) => settings({ port, primary, backup }, name, more)
const read = async (id: string): Promise<Monitor> => (await admin.get(`/api/failover-monitors/${id}`)).body
const when = (id: string, what: string, condition: (monitor: Monitor) => boolean) =>
  until(what, async () => {
    const monitor = await read(id)
    return !monitor.isSwitching && condition(monitor) && monitor
  })
const isUp = ({ alternatives }: Monitor) => alternatives.every(({ health }: Monitor) => health === 'up')

for (const name of ['www', 'a.dev', 'b', 'c', 'd']) await admin.post(url, record(name, primary.address))

void t.test('needs write permission for the name and type', async (t) => {
  t.equal((await rita.post(monitors, given('www'))).status, 403)
  t.equal((await dora.post(monitors, given('www'))).status, 403)
  t.equal((await mallory.post(monitors, given('www'))).status, 404)
  const { body: www } = await wanda.post(monitors, given('www'))
  const { body: dev } = await dora.post(monitors, given('a.dev'))
  t.match(www, { author: { name: 'wanda' }, canWrite: true, awaitsApproval: false })
  t.match(dev, { author: { name: 'dora' }, name: 'a.dev' })
  t.equal((await rita.get(monitors)).body.total, 2)
  t.match((await rita.get(monitors)).body.monitors[0], { canWrite: false })
  t.match((await dora.get(monitors)).body, { total: 1, monitors: [{ id: dev.id }] })
  t.match((await dora.get('/api/failover-monitors')).body, { total: 1 })
  t.equal((await mallory.get(monitors)).status, 404)
  t.equal((await mallory.get('/api/failover-monitors')).body.total, 0)
  for (const client of [dora, mallory]) {
    t.equal((await client.get(`/api/failover-monitors/${www.id}`)).status, 404)
    t.equal((await client.post(`/api/failover-monitors/${www.id}/switch`, { to: 'backup' })).status, 404)
    t.equal((await client.delete(`/api/failover-monitors/${www.id}`)).status, 404)
  }
  for (const call of [
    () => rita.post(`/api/failover-monitors/${www.id}/switch`, { to: 'backup' }),
    () => rita.post(`/api/failover-monitors/${www.id}/pause`),
    () => rita.post(`/api/failover-monitors/${www.id}/resume`),
    () => rita.put(`/api/failover-monitors/${www.id}`, { failures: 1 }),
    () => rita.delete(`/api/failover-monitors/${www.id}`),
  ])
    t.equal((await call()).status, 403)
  t.same(there('www', 'A'), [primary.address])
})

void t.test('pauses when its author may no longer write', async (t) => {
  const { body: mine } = await wanda.post(monitors, given('b'))
  await when(mine.id, 'both up', isUp)
  const { body } = await admin.get(`/api/assignments?domainId=${domainId}`)
  const of = body.assignments.find(({ userId }: Monitor) => userId === wanda.userId)
  t.equal((await admin.delete(`/api/assignments/${of.id}`)).status, 204)
  primary.answers = BROKEN
  await when(mine.id, 'paused', ({ paused }) => paused === 'author')
  t.same(there('b', 'A'), [primary.address])
  t.ok((await heard()).some(({ payload }) => payload.metadata.reason === 'author'))
  primary.answers = FINE
  const taken = await olga.put(`/api/failover-monitors/${mine.id}`, { failures: 1 })
  t.match(taken.body, { author: { name: 'olga' }, paused: null, revision: 2 })
  await admin.post('/api/assignments', { userId: wanda.userId, domainId, permission: 'write' })
})

void t.test('under a review, an alternative is no way around it', async (t) => {
  t.equal((await admin.put(`/api/domains/${domainId}`, { reviewPolicy: 'members' })).status, 200)
  const { body: owner } = await olga.post(monitors, given('c'))
  t.equal(owner.awaitsApproval, false, 'the owner needs no review')
  const { body: asked } = await wanda.post(monitors, given('d'))
  t.match(asked, { awaitsApproval: true, state: 'unapproved', canApprove: false })
  t.match(await wanda.post(`/api/failover-monitors/${asked.id}/switch`, { to: 'backup' }), {
    status: 409,
    body: { reason: 'failover_unapproved' },
  })
  await when(asked.id, 'both up', isUp)
  primary.answers = BROKEN
  await when(asked.id, 'down', ({ alternatives }) => alternatives[0].health === 'down')
  await when(owner.id, 'the other switches', ({ active }) => active === 'backup')
  t.same(there('d', 'A'), [primary.address])
  const approve = `/api/failover-monitors/${asked.id}/approve`
  t.match(await wanda.post(approve, { revision: 1 }), { status: 409, body: { reason: 'own_monitor' } })
  t.equal((await rita.post(approve, { revision: 1 })).status, 403)
  t.match(await olga.post(approve, { revision: 2 }), { status: 409, body: { reason: 'monitor_changed' } })
  t.match(await olga.post(approve, { revision: 1 }), {
    status: 200,
    body: { awaitsApproval: false, approver: { name: 'olga' } },
  })
  await when(asked.id, 'switched', ({ active }) => active === 'backup')
  const changed = await wanda.put(`/api/failover-monitors/${asked.id}`, {
    alternatives: [
      { name: 'primary', values: [primary.address] },
      { name: 'backup', values: [backup.address] },
      { name: 'mine', values: ['127.0.0.9'] },
    ],
  })
  t.match(changed.body, { awaitsApproval: true, revision: 2, approver: null })
  const { body } = await admin.get(`/api/domains/${domainId}/changes?limit=5`)
  t.ok(body.changes.some(({ origin }: Monitor) => origin === 'failover'))
})
