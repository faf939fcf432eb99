import t from 'tap'
import { RECORD_TYPES, typeOf } from '../../../dns/types/index.ts'
import { startFakeGandi } from '../../conformance/simulators/gandi.ts'
import { TYPES } from '../../conformance/simulators/gandi-domain.ts'

const fake = await startFakeGandi()
t.teardown(() => fake.close())
fake.createDomain('example.test')

const call = async (method: string, path: string, body?: unknown, token = fake.token, at = fake) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`${at.apiUrl}${path}`, { method, headers, ...init })
  const text = await answer.text()
  const value = (text === '' ? null : JSON.parse(text)) as unknown
  return { status: answer.status, headers: answer.headers, body: value }
}
const records = '/domains/example.test/records'
const values = (...rrset_values: string[]) => ({ rrset_ttl: 3600, rrset_values })
const invalid = (name: string) => ({
  status: 400,
  body: { status: 'error', errors: [{ location: 'body', name }] },
})

void t.test('tokens and domains', async (t) => {
  t.match(await call('GET', '/domains', undefined, 'no'), {
    status: 401,
    body: { object: 'HTTPUnauthorized' },
  })
  const wanted = { fqdn: 'made.test', zone: {} }
  t.match(await call('POST', '/domains', wanted, fake.readToken), { status: 403, body: { code: 403 } })
  t.match(await call('POST', '/domains', wanted), { status: 404, body: { object: 'HTTPNotFound' } })
  fake.registered.add('made.test')
  t.match(await call('POST', '/domains', wanted), { status: 201, body: { message: 'Domain Created' } })
  t.match(await call('POST', '/domains', wanted), { status: 409, body: { code: 409 } })
  t.match(await call('GET', '/domains/made.test'), { body: { fqdn: 'made.test', automatic_snapshots: true } })
  t.match(await call('GET', '/domains/made.test/records/_imap._tcp/SRV'), {
    body: { rrset_ttl: 10_800, rrset_values: ['0 0 0 .'] },
  })
  t.equal((await call('DELETE', '/domains/made.test')).status, 405)
  const gone = { status: 404, body: { message: 'The resource could not be found.', cause: 'Not Found' } }
  t.match(await call('GET', '/domains/missing.test'), gone)
  t.match(await call('GET', '/domains/missing.test/records'), gone)
})

void t.test('one set', async (t) => {
  const made = await call('POST', `${records}/@/MX`, values('10 mx.test.', '20 mail'))
  t.match(made, { status: 201, body: { message: 'DNS Record Created' } })
  t.match(made.headers.get('location'), /\/records\/%40\/MX$/)
  t.match(await call('POST', `${records}/@/MX`, values('10 mx.test.')), { status: 409, body: { code: 409 } })
  t.match(await call('GET', `${records}/%40/MX`), {
    status: 200,
    body: { rrset_name: '@', rrset_ttl: 3600, rrset_values: ['10 mx.test.', '20 mail'] },
  })
  t.equal((await call('PUT', `${records}/@/MX`, { rrset_values: ['10 mx.test.'] })).status, 201)
  t.match(
    (await call('GET', `${records}/@/MX`)).body,
    { rrset_ttl: 10_800 },
    'a TTL that is not said is lost',
  )
  t.equal((await call('DELETE', `${records}/@/MX`)).status, 204)
  t.match(await call('GET', `${records}/@/MX`), {
    status: 404,
    body: { message: "Can't find the DNS record @/MX in the zone", object: 'dns-record' },
  })
  t.equal((await call('DELETE', `${records}/@/MX`)).status, 404)
})

void t.test('text comes bare or in quotes, and is shown in quotes', async (t) => {
  await call('PUT', `${records}/text/TXT`, values('say "hi"', '"a" "b"', 'x'.repeat(256)))
  const shown = ['"say \\"hi\\""', '"a" "b"', `"${'x'.repeat(255)}" "x"`]
  t.match((await call('GET', `${records}/text/TXT`)).body, { rrset_values: shown })
})

void t.test('what is refused', async (t) => {
  for (const [path, body, name] of [
    ['Upper/A', values('192.0.2.1'), 'rrset_name'],
    ['www/HTTPS', values('1 .'), 'rrset_type'],
    ['@/NS', values('ns.test.'), 'rrset_type'],
    ['www/ALIAS', values('a.test.'), 'rrset_type'],
    ['www/A', { rrset_values: ['192.0.2.1'], rrset_ttl: 299 }, 'rrset_ttl'],
    ['www/A', { rrset_values: ['192.0.2.1'], rrset_ttl: 2_592_001 }, 'rrset_ttl'],
    ['www/A', values(), 'rrset_values'],
    ['www/A', values('2001:db8::1'), 'rrset_values'],
    ['www/A', values('192.0.2.1', '192.0.2.1'), 'rrset_values'],
    ['www/CNAME', values('a.test.', 'b.test.'), 'rrset_values'],
    ['text/CNAME', values('a.test.'), 'rrset_type'],
  ] as const)
    t.match(await call('PUT', `${records}/${path}`, body), invalid(name), path)
  t.equal((await call('PATCH', `${records}/www/A`, values('192.0.2.1'))).status, 405)
})

void t.test('all sets of a name, and the whole domain, at once or not at all', async (t) => {
  const item = (rrset_type: string, ...rrset_values: string[]) => ({ rrset_type, rrset_values })
  const both = { items: [item('A', '192.0.2.1'), item('TXT', 'both')] }
  t.equal((await call('PUT', `${records}/both`, both)).status, 201)
  t.match((await call('GET', `${records}/both`)).body, { length: 2 })
  const bad = { items: [item('A', '192.0.2.2'), item('CNAME', 'a.test.')] }
  t.match(await call('PUT', `${records}/both`, bad), invalid('rrset_type'))
  t.match((await call('GET', `${records}/both/A`)).body, { rrset_values: ['192.0.2.1'] })
  t.equal((await call('DELETE', `${records}/both`)).status, 204)
  const whole = { items: [{ rrset_name: 'only', ...item('A', '192.0.2.1') }] }
  t.equal((await call('PUT', records, whole)).status, 201)
  t.match((await call('GET', records)).body, [{ rrset_name: 'only' }])
})

void t.test('pages', async (t) => {
  const paged = fake.createDomain('paged.test')
  for (let i = 0; i < 203; i++) paged.put(`h${i}`, 'A', values('192.0.2.1'))
  const get = (query: string) => call('GET', `/domains/paged.test/records${query}`)
  const first = await get('')
  t.match([first.headers.get('total-count'), first.body], ['203', { length: 100 }])
  t.match((await get('?per_page=100&page=3')).body, { length: 3 })
  t.equal((await get('?per_page=101')).status, 400)
})

void t.test('each type that both have goes there and comes back', async (t) => {
  for (const type of RECORD_TYPES.filter((known) => TYPES.includes(known) && known !== 'NS')) {
    const name = type === 'ALIAS' ? '@' : `of-${type.toLowerCase()}`
    const value = typeOf(type).write(typeOf(type).example)
    t.equal((await call('PUT', `${records}/${name}/${type}`, values(value))).status, 201, type)
    t.match((await call('GET', `${records}/${name}/${type}`)).body, { rrset_values: [value] })
  }
})

void t.test('too many calls', async (t) => {
  const narrow = await startFakeGandi({ rate: 1 })
  t.teardown(() => narrow.close())
  const get = () => call('GET', '/domains', undefined, narrow.token, narrow)
  t.equal((await get()).status, 200)
  t.match(await get(), { status: 429, body: { code: 429 } })
})
