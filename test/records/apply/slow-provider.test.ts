import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import digitalocean from '../../../modules/providers/adapters/digitalocean/index.ts'
import { startApp } from '../../helpers/app.ts'
import { until } from '../../helpers/until.ts'
import { addDomain, idOf } from '../../helpers/zone.ts'
import dialect from '../../conformance/simulators/digitalocean.ts'
import { simulate } from '../../conformance/simulators/simulated-subject.ts'
import { rrset } from '../../conformance/suite/subject.ts'

const NAME_SERVERS = 3

void t.test('a request with many records has more time', async (t) => {
  const { sim, makeSubject } = await simulate(t, digitalocean, dialect)
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
  const { sim, makeSubject } = await simulate(t, digitalocean, dialect)
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
