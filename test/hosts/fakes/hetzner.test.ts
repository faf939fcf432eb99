import t from 'tap'
import { RECORD_TYPES, typeOf } from '../../../dns/types/index.ts'
import { startFakeHetzner } from '../../conformance/simulators/hetzner.ts'
import { TYPES } from '../../conformance/simulators/hetzner-zone.ts'

const fake = await startFakeHetzner()
t.teardown(() => fake.close())
const { id: zoneId } = fake.createZone('example.test')

interface Answer {
  action?: { id: number; status: string }
  rrsets?: { id: string; records: { value: string; comment: string }[] }[]
  meta?: { pagination: { next_page: number | null; total_entries: number } }
}
const call = async (method: string, path: string, body?: unknown, token = fake.token, at = fake) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`${at.apiUrl}${path}`, { method, headers, ...init })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer }
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

void t.test('tokens and zones', async (t) => {
  t.match(await call('GET', '/zones', undefined, 'no'), error(401, 'unauthorized'))
  const wanted = { name: 'made.test', mode: 'primary' }
  t.match(await call('POST', '/zones', wanted, fake.readToken), error(403, 'token_readonly'))
  t.match(await call('POST', '/zones', { name: 'made.test' }), error(422, 'invalid_input'), 'without mode')
  const made = await call('POST', '/zones', wanted)
  t.match(made, { status: 201, body: { zone: { name: 'made.test', ttl: 3600 }, action: { progress: 0 } } })
  t.match(await call('POST', '/zones', wanted), error(409, 'uniqueness_error'))
  t.match(await call('GET', '/zones?name=made.test'), { body: { zones: { length: 1 } } })
  t.match(await call('GET', '/zones/made.test'), { status: 200, headers: { get: Function } })
  t.match(await call('DELETE', '/zones/made.test'), { status: 201, body: { action: { status: 'running' } } })
  t.match(await call('DELETE', '/zones/made.test'), error(404, 'not_found'))
  t.match((await call('GET', zone)).headers.get('ratelimit-remaining'), /^\d+$/)
  t.match(await call('GET', '/zones?per_page=51'), error(422, 'invalid_input'))
})

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

void t.test('actions take their time, and can fail', async (t) => {
  fake.actions.delayNext(2)
  const { body } = await call('POST', rrsets, set('slow', 'A', '192.0.2.1'))
  const look = async () => (await call('GET', `/actions/${body.action?.id}`)).body.action?.status
  t.match(await call('POST', rrsets, set('other', 'A', '192.0.2.1')), error(423, 'locked'))
  t.same([await look(), await look()], ['running', 'running'])
  t.equal(fake.actions.left(), 0)
  t.equal((await call('GET', `${rrsets}/slow/A`)).status, 404)
  t.equal(await look(), 'success')
  t.equal((await call('GET', `${rrsets}/slow/A`)).status, 200)
  fake.actions.delayNext(0, { fails: true })
  const failed = await call('DELETE', `${rrsets}/slow/A`)
  t.match(await call('GET', `/zones/actions/${failed.body.action?.id}`), {
    body: { action: { status: 'error', error: { code: 'action_failed' } } },
  })
  t.equal((await call('GET', `${rrsets}/slow/A`)).status, 200)
})

void t.test('pages', async (t) => {
  const paged = fake.createZone('paged.test')
  for (let i = 0; i < 203; i++) paged.create(set(`h${i}`, 'A', '192.0.2.1')).effect()
  const lengths: (number | undefined)[] = []
  for (let next: number | null | undefined = 1; typeof next === 'number';) {
    const { body } = await call('GET', `/zones/paged.test/rrsets?per_page=100&page=${next}`)
    lengths.push(body.rrsets?.length)
    next = body.meta?.pagination.next_page
  }
  t.same(lengths, [100, 100, 5], 'with its SOA and NS')
  t.match(await call('GET', '/zones/paged.test/rrsets?per_page=101'), error(422, 'invalid_input'))
  t.match((await call('GET', '/zones/paged.test/rrsets?name=h7&type=A&type=TXT')).body.rrsets, { length: 1 })
})

void t.test('each type goes there and comes back', async (t) => {
  for (const type of RECORD_TYPES.filter((known) => TYPES.includes(known))) {
    const value = typeOf(type).write(typeOf(type).example)
    const { status } = await call('POST', rrsets, set(`of-${type.toLowerCase()}`, type, value))
    t.equal(status, 201, type)
  }
})

void t.test('too many calls', async (t) => {
  const narrow = await startFakeHetzner({ hourly: 1 })
  t.teardown(() => narrow.close())
  const get = () => call('GET', '/zones', undefined, narrow.token, narrow)
  t.equal((await get()).status, 200)
  const { status, headers } = await get()
  t.match([status, headers.get('ratelimit-remaining'), headers.get('retry-after')], [429, '0', null])
})
