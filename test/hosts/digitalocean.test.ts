import t from 'tap'
import digitalocean from '../../modules/providers/adapters/digitalocean/index.ts'
import { conformance } from '../conformance/suite/index.ts'
import dialect from '../conformance/simulators/digitalocean.ts'
import { send, startSimulator } from '../conformance/simulators/simulator.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

void t.test('DigitalOcean', async (t) => {
  const { sim, makeSubject } = await simulate(t, digitalocean, dialect)
  await conformance(t, 'conformance', makeSubject)

  await t.test('what DigitalOcean refuses and takes', async (t) => {
    sim.createZone('example.test')
    const path = '/domains/example.test/records'
    const alias = { type: 'CNAME', name: 'www', data: 'a.example.net.' }
    const made = await send(sim, 'POST', path, alias)
    t.match(made, { status: 201, body: { domain_record: { data: 'a.example.net', ttl: 1800 } } })
    for (const [wrong, message] of [
      [{ ...alias, name: 'x', data: 'a.test' }, /end with a dot/],
      [{ type: 'A', name: 'www', data: '192.0.2.1' }, /cannot share/],
      [{ ...alias, name: '@' }, /cannot share/],
      [{ type: 'A', name: 'x', data: '192.0.2.1', ttl: 29 }, /TTL/],
      [{ type: 'MX', name: '@', data: 'mx.test.' }, /Priority/],
      [{ type: 'TXT', name: 'x', data: 'a\\b' }, /TXT/],
      [{ type: 'PTR', name: 'x', data: 'a.test.' }, /type/],
    ] as const)
      t.match(await send(sim, 'POST', path, wrong), { status: 422, body: { message } })
    const one = `${path}/${(made.body as { domain_record: { id: number } }).domain_record.id}`
    t.match(await send(sim, 'PUT', one, { ttl: 90 }), { status: 422 }, 'what is shown is not taken')
    t.match(await send(sim, 'GET', `${path}?name=www`), { body: { domain_records: { length: 0 } } })
    t.equal((await send(sim, 'GET', `${path}?per_page=201`)).status, 400)
  })

  await t.test('only the limit of a minute says how long to wait', async (t) => {
    for (const [limits, wait] of [
      [{ burst: 1 }, /^\d+$/],
      [{ hourly: 1 }, null],
    ] as const) {
      const narrow = await startSimulator(dialect, limits)
      t.teardown(() => narrow.close())
      t.equal((await send(narrow, 'GET', '/account')).status, 200)
      const { status, headers } = await send(narrow, 'GET', '/account')
      t.match([status, headers.get('retry-after')], [429, wait])
    }
  })
})
