import t from 'tap'
import { startFakeGoDaddy } from '../../conformance/simulators/godaddy.ts'

const fake = await startFakeGoDaddy()
t.teardown(() => fake.close())
fake.createDomain('example.test')

const OWN = `${fake.key}:${fake.secret}`
const call = async (method: string, path: string, body?: unknown, key = OWN, at = fake) => {
  const headers = { authorization: `sso-key ${key}`, 'content-type': 'application/json' }
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`${at.apiUrl}/v1${path}`, { method, headers, ...init })
  const text = await answer.text()
  const value = (text === '' ? null : JSON.parse(text)) as unknown
  return { status: answer.status, headers: answer.headers, body: value }
}
const records = '/domains/example.test/records'
const a = (data: string, name?: string) => ({
  ...(name !== undefined && { type: 'A', name }),
  data,
  ttl: 600,
})
const error = (status: number, code: string) => ({ status, body: { code, message: /./ } })
const invalid = (path: string) => ({ status: 422, body: { code: 'INVALID_BODY', fields: [{ path }] } })

void t.test('keys and domains', async (t) => {
  t.match(await call('GET', '/domains', undefined, `${fake.key}:no`), error(401, 'UNABLE_TO_AUTHENTICATE'))
  const few = `${fake.deniedKey}:${fake.secret}`
  t.match(await call('GET', '/domains', undefined, few), error(403, 'ACCESS_DENIED'))
  for (const name of ['c.test', 'b.test']) fake.createDomain(name)
  t.match((await call('GET', '/domains?limit=2')).body, [{ domain: 'b.test' }, { domain: 'c.test' }])
  t.match((await call('GET', '/domains?limit=2&marker=c.test')).body, [
    { domain: 'example.test', status: 'ACTIVE' },
  ])
  t.same((await call('GET', '/domains?statuses=CANCELLED')).body, [])
  t.match(await call('GET', '/domains?limit=1001'), error(422, 'INVALID_QUERY'))
  t.match((await call('GET', '/domains/b.test')).body, { nameServers: [/./, /./] })
  t.match(await call('GET', '/domains/missing.test/records'), {
    status: 404,
    body: { code: 'NOT_FOUND', message: 'Domain missing.test not found for shopper' },
  })
  t.equal((await call('DELETE', '/domains/b.test')).status, 405, 'nobody gives up a domain by mistake')
})

void t.test('a set is replaced as a whole, and one that is not there is empty', async (t) => {
  t.match(await call('GET', `${records}/A/www`), { status: 200, body: { length: 0 } })
  t.match(await call('PUT', `${records}/A/www`, [a('192.0.2.1'), a('192.0.2.2')]), {
    status: 200,
    body: null,
  })
  t.match((await call('GET', `${records}/A/www`)).body, [
    { type: 'A', name: 'www', data: '192.0.2.1', ttl: 600 },
    { data: '192.0.2.2' },
  ])
  t.match(await call('PATCH', records, [a('192.0.2.2', 'www')]), error(422, 'DUPLICATE_RECORD'))
  t.equal((await call('PATCH', records, [a('192.0.2.3', 'www')])).status, 200)
  t.match((await call('GET', `${records}/A`)).body, { length: 3 })
  t.equal((await call('PUT', `${records}/A`, [a('192.0.2.9', 'only')])).status, 200)
  t.match((await call('GET', `${records}/A`)).body, [{ name: 'only' }])
  t.equal((await call('DELETE', `${records}/A/only`)).status, 204)
  t.match(await call('DELETE', `${records}/A/only`), error(404, 'NOT_FOUND'))
})

void t.test('service and protocol of an SRV are not of its name, and not of its address', async (t) => {
  const srv = (service: string) => ({
    service,
    protocol: '_tcp',
    priority: 1,
    weight: 2,
    port: 3,
    data: 'a.test',
    ttl: 600,
  })
  t.match(
    await call('PUT', `${records}/SRV/@`, [{ ...srv('_sip'), service: undefined }]),
    invalid('records[0].service'),
  )
  t.equal((await call('PUT', `${records}/SRV/@`, [srv('_sip'), srv('_imap')])).status, 200)
  t.equal((await call('PUT', `${records}/SRV/@`, [srv('_sip')])).status, 200)
  t.match((await call('GET', `${records}/SRV/@`)).body, [{ name: '@', service: '_sip' }], 'the other is gone')
})

void t.test('what is refused', async (t) => {
  await call('PUT', `${records}/A/taken`, [a('192.0.2.1')])
  for (const [path, item, field] of [
    ['A/x', { data: '192.0.2.1', ttl: 599 }, 'ttl'],
    ['A/x', { data: '192.0.2.1', ttl: 604_801 }, 'ttl'],
    ['A/x', a('2001:db8::1'), 'data'],
    ['CNAME/x', a('a.test.'), 'data'],
    ['MX/x', a('mx.test'), 'priority'],
    ['MX/x', { ...a('.'), priority: 0 }, 'data'],
    ['TXT/x', a(''), 'data'],
    ['TXT/x', a('x'.repeat(1025)), 'data'],
    ['CAA/x', a('0 issue "ca.test"'), 'type'],
    ['NS/@', a('ns.test'), 'name'],
  ] as const)
    t.match(await call('PUT', `${records}/${path}`, [item]), invalid(`records[0].${field}`), path)
  t.match(await call('PUT', `${records}/A/x`, a('192.0.2.1')), invalid('records'), 'no array')
  t.match(await call('PUT', `${records}/A/x`, []), invalid('records'), 'nothing')
  t.match(await call('PUT', `${records}/CNAME/taken`, [a('a.test')]), error(422, 'DUPLICATE_RECORD'))
  t.match(
    await call('PUT', `${records}/A/x`, [a('192.0.2.1'), a('192.0.2.1')]),
    error(422, 'DUPLICATE_RECORD'),
  )
  t.match(await call('DELETE', `${records}/NS/@`), error(422, 'INVALID_BODY'))
})

void t.test('the whole zone can only be written where there is no CAA', async (t) => {
  const domain = fake.createDomain('whole.test')
  const path = '/domains/whole.test/records'
  domain.plant({ type: 'CAA', name: '@', data: '0 issue "ca.test"', ttl: 3600 })
  t.match((await call('GET', `${path}/CAA`)).body, [{ data: '0 issue "ca.test"' }])
  const caa = { type: 'CAA', name: '@', data: '0 issue "ca.test"', ttl: 3600 }
  t.match(await call('PUT', path, [a('192.0.2.1', '@'), caa]), invalid('records[1].type'))
  t.equal((await call('PUT', path, [a('192.0.2.1', '@')])).status, 200)
  t.match((await call('GET', path)).body, [{ type: 'NS' }, { type: 'NS' }, { type: 'A' }], 'and it is gone')
})

void t.test('pages are counted from 1', async (t) => {
  const paged = fake.createDomain('paged.test')
  paged.patch(Array.from({ length: 1000 }, (_, i) => a('192.0.2.1', `h${i}`)))
  const lengths: number[] = []
  for (const offset of [1, 2, 3, 4]) {
    const { body } = await call('GET', `/domains/paged.test/records?limit=500&offset=${offset}`)
    lengths.push((body as unknown[]).length)
  }
  t.same(lengths, [500, 500, 2, 0], 'with its NS')
  t.match((await call('GET', '/domains/paged.test/records')).body, { length: 500 })
  t.match(await call('GET', '/domains/paged.test/records?limit=501'), error(422, 'INVALID_QUERY'))
})

void t.test('too many calls', async (t) => {
  const narrow = await startFakeGoDaddy({ rate: 1 })
  t.teardown(() => narrow.close())
  const get = () => call('GET', '/domains', undefined, `${narrow.key}:${narrow.secret}`, narrow)
  t.equal((await get()).status, 200)
  const { status, headers, body } = await get()
  t.match([status, headers.get('retry-after'), body], [429, null, { retryAfterSec: Number }])
})
