import t from 'tap'
import { startFakeVultr } from '../../conformance/simulators/vultr.ts'

const fake = await startFakeVultr()
t.teardown(() => fake.close())
fake.createDomain('example.test')

interface Answer {
  record?: { id: string }
  records?: { type: string; name: string; data: string; priority: number }[]
  meta?: { total: number; links: { next: string; prev: string } }
}
const call = async (method: string, path: string, body?: unknown, key = fake.key, at = fake) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`${at.apiUrl}${path}`, { method, headers, ...init })
  const text = await answer.text()
  const value = (text === '' ? {} : JSON.parse(text)) as Answer
  return { status: answer.status, headers: answer.headers, body: value }
}
const records = '/domains/example.test/records'
const error = (status: number) => ({ status, body: { status, error: /./ } })
const a = (name: string, data = '192.0.2.1') => ({ type: 'A', name, data, ttl: 300 })

void t.test('keys and domains', async (t) => {
  t.match(await call('GET', '/domains', undefined, 'no'), error(401))
  t.match(await call('POST', '/domains', { domain: 'made.test' }, fake.readKey), error(403))
  t.match((await call('GET', '/account')).body, { account: { acls: ['dns'] } })
  const made = await call('POST', '/domains', { domain: 'made.test', ip: '192.0.2.1' })
  t.match(made, { status: 201, body: { domain: { domain: 'made.test', dns_sec: 'disabled' } } })
  t.match((await call('GET', '/domains/made.test/records')).body.records, [
    { type: 'NS', name: '', data: 'ns1.vultr.com', priority: -1 },
    { type: 'NS' },
    { type: 'A', data: '192.0.2.1' },
    { type: 'CNAME', name: '*', data: 'made.test' },
    { type: 'MX', priority: 10 },
  ])
  t.match(await call('POST', '/domains', { domain: 'made.test' }), error(400))
  t.equal((await call('DELETE', '/domains/made.test')).status, 204)
  t.match(await call('DELETE', '/domains/made.test'), error(404))
  t.match(await call('GET', '/domains/made.test/records'), error(404))
})

void t.test('records', async (t) => {
  const made = await call('POST', records, { type: 'MX', name: '', data: 'mx.test', priority: 5 })
  const shown = { type: 'MX', name: '', data: 'mx.test', priority: 5, ttl: 300 }
  t.match(made, { status: 201, body: { record: { ...shown, id: /^[0-9a-f-]{36}$/ } } })
  const path = `${records}/${made.body.record?.id}`
  const changed = await call('PATCH', path, { ttl: 600 })
  t.match([changed.status, changed.headers.get('content-type')], [204, /^text\/html/])
  t.match((await call('GET', path)).body, { record: { ...shown, ttl: 600 } })
  t.match(await call('PATCH', path, { type: 'NS' }), error(400))
  t.equal((await call('DELETE', path)).status, 204)
  t.match(await call('DELETE', path), error(404))
  t.match((await call('POST', records, a('zero'))).body, { record: { priority: 0 } })
})

void t.test('what is there is made once more', async (t) => {
  for (let i = 0; i < 2; i++) t.equal((await call('POST', records, a('twice'))).status, 201)
  const found = (await call('GET', `${records}?per_page=500`)).body.records
  t.equal(found?.filter(({ name }) => name === 'twice').length, 2)
})

void t.test('what is refused', async (t) => {
  await call('POST', records, a('taken'))
  for (const wrong of [
    a('@'),
    a('www.'),
    a('x', '2001:db8::1'),
    { ...a('x'), ttl: 119 },
    { ...a('x'), type: 'PTR' },
    { type: 'CNAME', name: 'x', data: 'a.test.' },
    { type: 'CNAME', name: '', data: 'a.test' },
    { type: 'CNAME', name: 'taken', data: 'a.test' },
    { type: 'MX', name: 'x', data: '.', priority: 0 },
    { type: 'SRV', name: '_a._tcp', data: '1 2 3 a.test', priority: 1 },
    { type: 'TXT', name: 'x', data: 'bare' },
    { type: 'TXT', name: 'x', data: '"say \\"hi\\""' },
    { type: 'TXT', name: 'x', data: '"two" "strings"' },
    { type: 'CAA', name: 'x', data: '0 issue "ca.test; a=b"' },
  ])
    t.match(await call('POST', records, wrong), error(400), JSON.stringify(wrong))
  for (const right of [
    { type: 'SRV', name: '_a._tcp', data: '2 3 a.test', priority: 1 },
    { type: 'TXT', name: 'x', data: `"${'x'.repeat(300)}"` },
    { type: 'CAA', name: 'x', data: '0 issue "ca.test"' },
    { type: 'SSHFP', name: 'x', data: '1 1 7491973e5f8b39d5327cd4e08bc81b05f7710b49' },
  ])
    t.equal((await call('POST', records, right)).status, 201, JSON.stringify(right))
})

void t.test('pages by cursors', async (t) => {
  const paged = fake.createDomain('paged.test')
  for (let i = 0; i < 1003; i++) paged.post(a(`h${i}`))
  const get = async (query: string) => (await call('GET', `/domains/paged.test/records${query}`)).body
  t.match(await get(''), { records: { length: 25 }, meta: { total: 1005, links: { prev: '' } } })
  const lengths: (number | undefined)[] = []
  for (let next: string | undefined = undefined; next !== '';) {
    const cursor: string = next === undefined ? '' : `&cursor=${encodeURIComponent(next)}`
    const { records: items, meta } = await get(`?per_page=500${cursor}`)
    lengths.push(items?.length)
    next = meta?.links.next ?? ''
  }
  t.same(lengths, [500, 500, 5], 'with its NS')
  t.match(await call('GET', '/domains/paged.test/records?per_page=501'), error(400))
  t.match(await call('GET', '/domains/paged.test/records?cursor=2'), error(400))
})

void t.test('too many calls', async (t) => {
  const narrow = await startFakeVultr({ rate: 1, seconds: 60 })
  t.teardown(() => narrow.close())
  const get = () => call('GET', '/account', undefined, narrow.key, narrow)
  t.equal((await get()).status, 200)
  t.match(await get(), error(429))
})
