import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import digitalocean from '../../../modules/providers/adapters/digitalocean/index.ts'
import hetzner from '../../../modules/providers/adapters/hetzner/index.ts'
import type { Provider } from '../../../modules/providers/contract.ts'
import { startApp } from '../../helpers/app.ts'
import { until } from '../../helpers/until.ts'
import { addDomain, idOf } from '../../helpers/zone.ts'
import type { Dialect, SimulatedZone } from '../../conformance/simulators/dialect.ts'
import digitaloceanDialect from '../../conformance/simulators/digitalocean.ts'
import hetznerDialect from '../../conformance/simulators/hetzner.ts'
import { simulate } from '../../conformance/simulators/simulated-subject.ts'
import { rrset } from '../../conformance/suite/subject.ts'

const NAME_SERVERS = 3

const recordsOf = (count: number, prefix = 'h') =>
  Array.from({ length: count }, (_, i) => ({ name: `${prefix}${i}`, recordType: 'A', value: '192.0.2.1' }))

/** A domain at a simulated provider whose requests have so much time. */
async function startSlow<Z extends SimulatedZone, K extends object>(
  t: Test,
  provider: Provider,
  dialect: Dialect<Z, K>,
  providerBudgetMs: number,
) {
  const { sim, makeSubject } = await simulate(t, provider, dialect)
  const { admin } = await startApp(t, { providerBudgetMs })
  const { credentials, zoneName } = await makeSubject()
  const config = await admin.post('/api/provider-configs', {
    providerId: provider.id,
    name: 'slow',
    credentials,
  })
  const { id } = await addDomain(admin, idOf(config), zoneName)
  const create = (records: object[]) => admin.post(`/api/domains/${id}/records/bulk`, { records })
  return { sim, create, admin, id }
}

void t.test('names are written at the same time where one after the other would take too long', async (t) => {
  const { sim, create } = await startSlow(t, hetzner, hetznerDialect, 1_600)
  sim.mood = { latency: 100 }
  t.match(await create(recordsOf(30)), { body: { succeeded: 30, total: 30 } })
})

void t.test('that the time of a request is over does not pause the connection', async (t) => {
  const { sim, create, admin, id } = await startSlow(t, hetzner, hetznerDialect, 1_000)
  // A call that begins before the end is aborted by it.
  sim.mood = { latency: 600 }
  for (const prefix of ['a', 'b', 'c']) {
    const { body } = await create(recordsOf(12, prefix))
    t.ok(body.succeeded < 12)
  }
  sim.mood = {}
  const url = `/api/domains/${id}/records`
  t.match(await admin.post(url, { recordType: 'A', name: 'after', value: '192.0.2.1' }), { status: 201 })
})

void t.test('a request with many records has more time', async (t) => {
  const { sim, makeSubject } = await simulate(t, digitalocean, digitaloceanDialect)
  const { admin } = await startApp(t, { providerBudgetMs: 1_000 })
  const subject = await makeSubject()
  const credentials = subject.credentials
  const config = await admin.post('/api/provider-configs', {
    providerId: digitalocean.id,
    name: 'slow',
    credentials,
  })
  const { id } = await addDomain(admin, idOf(config), subject.zoneName)
  const records = Array.from({ length: 25 }, (_, i) => ({
    name: `h${i}`,
    recordType: 'A',
    value: '192.0.2.1',
  }))
  sim.fail({ kind: 'late', on: 'write', times: Infinity, until: () => sleep(60) })
  t.match(await admin.post(`/api/domains/${id}/records/bulk`, { records }), { body: { succeeded: 25 } })
})

void t.test('a zone of many pages is read for longer than a request may take', async (t) => {
  const { sim, makeSubject } = await simulate(t, digitalocean, digitaloceanDialect)
  const { admin } = await startApp(t, { providerBudgetMs: 1_000 })
  const subject = await makeSubject()
  await subject.seed(
    Array.from({ length: 800 }, (_, i) => rrset(`h${i}`, 'A', [`10.0.${i >> 8}.${i & 255}`])),
  )
  const config = await admin.post('/api/provider-configs', {
    providerId: digitalocean.id,
    name: 'slow',
    credentials: subject.credentials,
  })
  const { id } = await addDomain(admin, idOf(config), subject.zoneName)
  sim.fail({ kind: 'late', times: Infinity, until: () => sleep(300) })
  // The first reading and an automatic sync go first.
  const answer = await until('no other sync is under way', async () => {
    const synced = await admin.post(`/api/domains/${id}/sync`)
    return synced.status !== 409 && synced
  })
  t.match(answer, { status: 200, body: { synced: 800 + NAME_SERVERS } }, '1.5 s of 1 s')
})
