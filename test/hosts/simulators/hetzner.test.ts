import t from 'tap'
import dialect from '../../conformance/simulators/hetzner.ts'
import { send, startSimulator } from '../../conformance/simulators/simulator.ts'

const sim = await startSimulator(dialect)
t.teardown(() => sim.close())
const { id: zoneId } = sim.createZone('example.test')

interface Answer {
  action?: { id: number; status: string }
  rrsets?: { id: string; records: { value: string; comment: string }[] }[]
  meta?: { pagination: { next_page: number | null; total_entries: number } }
}
const call = async (method: string, path: string, body?: unknown) => {
  const answer = await send(sim, method, path, body)
  return { ...answer, body: answer.body as Answer }
}
const zone = `/zones/${zoneId}`
const rrsets = `${zone}/rrsets`
const records = (...values: string[]) => values.map((value) => ({ value }))
const set = (name: string, type: string, ...values: string[]) => ({
  name,
  type,
  ttl: 300,
  records: records(...values),
})
const error = (status: number, code: string) => ({ status, body: { error: { code, message: /./ } } })
const actOn = (id: string, action: string, body: unknown) =>
  call('POST', `${rrsets}/${id}/actions/${action}`, body)

void t.test('a set from its first record to its last', async (t) => {
  const made = await call('POST', rrsets, set('www', 'A', '192.0.2.1'))
  t.match(made, { status: 201, body: { rrset: { id: 'www/A', ttl: 300 }, action: { status: 'running' } } })
  t.match(await call('GET', `/zones/actions/${made.body.action?.id}`), {
    body: { action: { status: 'success', progress: 100, resources: [{ id: zoneId, type: 'zone' }] } },
  })
  t.match(await call('POST', rrsets, set('www', 'A', '192.0.2.2')), error(409, 'uniqueness_error'))
  const second = [{ value: '192.0.2.2', comment: 'the second' }]
  t.equal((await actOn('www/A', 'add_records', { records: second })).status, 201)
  t.match(await actOn('www/A', 'add_records', { records: second }), error(422, 'invalid_input'), 'again')
  t.match(
    await actOn('www/A', 'add_records', { ttl: 600, records: records('192.0.2.3') }),
    error(422, 'invalid_input'),
    'with another TTL',
  )
  const comments = [{ value: '192.0.2.1', comment: 'the first' }]
  t.equal((await actOn('www/A', 'update_records', { records: comments })).status, 201)
  t.equal((await actOn('www/A', 'change_ttl', { ttl: null })).status, 201)
  t.match(await call('GET', `${rrsets}/www/A`), {
    body: { rrset: { ttl: null, records: [...comments, ...second] } },
  })
  t.match(await actOn('www/A', 'change_ttl', { ttl: 59 }), error(422, 'invalid_input'))
  t.match(await actOn('www/A', 'set_records', { records: [] }), error(422, 'invalid_input'))
  t.equal((await actOn('www/A', 'set_records', { records: records('192.0.2.1') })).status, 201)
  t.match(await actOn('www/A', 'remove_records', { records: second }), error(422, 'invalid_input'))
  t.equal((await actOn('www/A', 'remove_records', { records: records('192.0.2.1') })).status, 201)
  t.match(await call('GET', `${rrsets}/www/A`), error(404, 'not_found'))
  t.match(await actOn('www/A', 'set_records', { records: records('192.0.2.1') }), error(404, 'not_found'))
  const added = await actOn('new/A', 'add_records', { ttl: 300, records: records('192.0.2.1') })
  t.equal(added.status, 201, 'makes the set')
  t.equal((await call('DELETE', `${rrsets}/new/A`)).status, 201)
})

void t.test('what is refused', async (t) => {
  const invalid = error(422, 'invalid_input')
  for (const wrong of [
    set('www.example.test.', 'A', '192.0.2.1'),
    set('Upper', 'A', '192.0.2.1'),
    set('', 'A', '192.0.2.1'),
    set('x', 'NAPTR', '10 10 "" "" "" .'),
    set('x', 'A', '2001:db8::1'),
    set('x', 'A', '192.0.2.1', '192.0.2.1'),
    set('x', 'TXT', 'bare'),
    set('x', 'TXT', `"${'x'.repeat(256)}"`),
    set('x', 'CNAME', 'a.test.', 'b.test.'),
    set('@', 'CNAME', 'a.test.'),
    { ...set('x', 'A', '192.0.2.1'), ttl: 2 ** 31 },
  ])
    t.match(await call('POST', rrsets, wrong), invalid, JSON.stringify(wrong))
  t.match(await actOn('@/NS', 'set_records', { records: records('ns.test.') }), invalid)
  t.match(await call('DELETE', `${rrsets}/@/NS`), invalid)
  t.match(await actOn('@/SOA', 'change_ttl', { ttl: 300 }), invalid)
  await call('POST', rrsets, set('fixed', 'A', '192.0.2.1'))
  await actOn('fixed/A', 'change_protection', { change: true })
  t.match(await call('DELETE', `${rrsets}/fixed/A`), error(423, 'protected'))
  await call('POST', '/zones', { name: 'second.test', mode: 'secondary' })
  const refused = await call('POST', '/zones/second.test/rrsets', set('x', 'A', '192.0.2.1'))
  t.match(refused, error(422, 'incorrect_zone_mode'))
})
