import t from 'tap'
import desec from '../../modules/providers/adapters/desec/index.ts'
import dialect from '../conformance/simulators/desec.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'
import { startApp } from '../helpers/app.ts'
import { addDomain, idOf } from '../helpers/zone.ts'

void t.test(
  'writes of one domain are used up for an hour: other domains, reads and the test go on',
  async (t) => {
    const { sim, makeSubject } = await simulate(t, desec, dialect)
    const { admin } = await startApp(t)
    const [one, two] = [await makeSubject(), await makeSubject()]
    const config = idOf(
      await admin.post('/api/provider-configs', {
        providerId: desec.id,
        name: 'deSEC',
        credentials: one.credentials,
      }),
    )
    const domains = [
      await addDomain(admin, config, one.zoneName),
      await addDomain(admin, config, two.zoneName),
    ] as const
    const create = ({ id }: { id: string }, name: string) =>
      admin.post(`/api/domains/${id}/records`, { recordType: 'A', name, value: '192.0.2.1', ttl: 3600 })

    sim.fail({
      kind: 'answer',
      on: ({ method, path }) => method !== 'GET' && path.includes(one.zoneName),
      times: Infinity,
      answer: {
        status: 429,
        headers: { 'retry-after': '3600' },
        body: '{"detail":"Request was throttled."}',
      },
    })
    const refused = await create(domains[0], 'www')
    t.match(refused, { status: 503, body: { code: 'unavailable' } })
    t.match(refused.headers['retry-after'], /^3[56]\d\d$/)

    const calls = sim.requests.length
    t.match(await create(domains[0], 'again'), { status: 503 })
    t.notOk(
      sim.requests.slice(calls).some(({ method }) => method !== 'GET'),
      'not even tried',
    )
    t.match(await create(domains[1], 'www'), { status: 201 })
    t.match(await admin.post(`/api/provider-configs/${config}/test`), {
      status: 200,
      body: { success: true },
    })
    t.match(await admin.post(`/api/domains/${domains[0].id}/sync`), { status: 200 })
  },
)
