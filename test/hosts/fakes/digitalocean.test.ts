import t from 'tap'
import { startFakeDigitalOcean } from '../../conformance/simulators/digitalocean.ts'

const fake = await startFakeDigitalOcean()
t.teardown(() => fake.close())
fake.createDomain('example.test')

interface Answer {
  domain_record?: { id: number }
  domain_records?: { name: string; data: string }[]
  links?: { pages?: Record<string, string> }
}
const call = async (method: string, path: string, body?: unknown, token = fake.token, at = fake) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const url = path.startsWith('http') ? path : `${at.apiUrl}${path}`
  const answer = await fetch(url, { method, headers, ...init })
  const text = await answer.text()
  const value = (text === '' ? {} : JSON.parse(text)) as Answer
  return { status: answer.status, headers: answer.headers, body: value }
}
const records = '/domains/example.test/records'
const refused = (message: RegExp) => ({ status: 422, body: { id: 'unprocessable_entity', message } })

void t.test('tokens and domains', async (t) => {
  t.match(await call('GET', '/domains', undefined, 'no'), { status: 401, body: { id: 'unauthorized' } })
  t.equal((await call('POST', '/domains', { name: 'a.test' }, fake.readToken)).status, 403)
  t.match(await call('POST', '/domains', { name: 'a.test' }), {
    status: 201,
    body: { domain: { name: 'a.test' } },
  })
  t.match(await call('POST', '/domains', { name: 'a.test' }), refused(/exists/))
  t.equal((await call('DELETE', '/domains/a.test')).status, 204)
  t.match(await call('DELETE', '/domains/a.test'), { status: 404, body: { id: 'not_found' } })
  t.ok((await call('GET', records)).headers.get('ratelimit-remaining'))
  const types = (await call('GET', records)).body.domain_records ?? []
  t.match(types, [{ type: 'SOA', data: '1800' }, { type: 'NS' }, { type: 'NS' }, { type: 'NS' }])
})

void t.test('records', async (t) => {
  const alias = { type: 'CNAME', name: 'www', data: 'a.example.net.' }
  const made = await call('POST', records, alias)
  const shown = { type: 'CNAME', name: 'www', data: 'a.example.net', ttl: 1800, priority: null, tag: null }
  t.match(made, { status: 201, body: { domain_record: shown } })
  const path = `${records}/${made.body.domain_record?.id}`
  t.match((await call('PATCH', path, { ttl: 60 })).body, { domain_record: { ...shown, ttl: 60 } })
  t.match(await call('PUT', path, { ttl: 90 }), refused(/end with a dot/), 'what is shown is not taken')
  t.match(await call('POST', records, { ...alias, name: 'x', data: 'a.test' }), refused(/end with a dot/))
  t.match(await call('POST', records, { type: 'A', name: 'www', data: '192.0.2.1' }), refused(/cannot share/))
  t.match(await call('POST', records, { ...alias, name: '@' }), refused(/cannot share/))
  t.match(await call('POST', records, { type: 'A', name: 'x', data: '192.0.2.1', ttl: 29 }), refused(/TTL/))
  t.match(await call('POST', records, { type: 'MX', name: '@', data: 'mx.test.' }), refused(/Priority/))
  t.match(await call('POST', records, { type: 'TXT', name: 'x', data: 'a\\b' }), refused(/TXT/))
  t.match(await call('POST', records, { type: 'PTR', name: 'x', data: 'a.test.' }), refused(/type/))
  t.equal((await call('DELETE', path)).status, 204)
  t.match(await call('DELETE', path), { status: 404, body: { id: 'not_found' } })
})

void t.test('what is there is made once more', async (t) => {
  const text = { type: 'TXT', name: 'twice', data: 'say "hi"' }
  for (let i = 0; i < 2; i++) t.equal((await call('POST', records, text)).status, 201)
  const found = await call('GET', `${records}?name=twice.example.test&type=TXT`)
  t.match(found.body.domain_records, [{ data: 'say "hi"' }, { data: 'say "hi"' }])
  t.same((await call('GET', `${records}?name=twice`)).body.domain_records, [], 'asked for by the whole name')
})

void t.test('pages', async (t) => {
  const paged = fake.createDomain('paged.test')
  for (let i = 0; i < 406; i++) paged.post({ type: 'A', name: `h${i}`, data: '192.0.2.1' })
  const path = '/domains/paged.test/records'
  t.equal((await call('GET', path)).body.domain_records?.length, 20)
  t.equal((await call('GET', `${path}?per_page=201`)).status, 400)
  const lengths: (number | undefined)[] = []
  for (let next: string | undefined = `${path}?per_page=200`; next !== undefined;) {
    const { body } = await call('GET', next)
    lengths.push(body.domain_records?.length)
    next = body.links?.pages?.['next']
  }
  t.same(lengths, [200, 200, 10])
  t.notOk((await call('GET', `${path}?per_page=200&page=3`)).body.links?.pages?.['last'])
})

void t.test('too many calls: only those of a minute say how long', async (t) => {
  for (const [limits, waits] of [
    [{ burst: 1 }, /^\d+$/],
    [{ hourly: 1 }, null],
  ] as const) {
    const narrow = await startFakeDigitalOcean(limits)
    t.teardown(() => narrow.close())
    const get = () => call('GET', '/account', undefined, narrow.token, narrow)
    t.equal((await get()).status, 200)
    const { status, headers } = await get()
    t.match([status, headers.get('retry-after')], [429, waits])
  }
})
