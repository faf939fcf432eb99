import t from 'tap'
import { startFakeNjalla } from '../../conformance/simulators/njalla.ts'

const fake = await startFakeNjalla()
t.teardown(() => fake.close())
const domain = fake.createDomain('example.test')

interface Answer {
  jsonrpc: string
  id?: number
  result?: { id?: string; records?: object[] }
  error?: object
}
const post = async (body: object, token = fake.apiToken) => {
  const headers = { 'content-type': 'application/json', authorization: `Njalla ${token}` }
  const answer = await fetch(fake.apiUrl, { method: 'POST', headers, body: JSON.stringify(body) })
  t.equal(answer.status, 200, 'whatever went wrong')
  return (await answer.json()) as Answer
}
const call = async (method: string, params: object = {}) =>
  post({ method, params: { domain: 'example.test', ...params } })
const good = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }
const made = async (params: object = {}) => (await call('add-record', { ...good, ...params })).result
const records = async () => (await call('list-records')).result?.records

void t.test('tokens', async (t) => {
  t.same(await post({ method: 'list-domains' }, 'no'), {
    jsonrpc: '2.0',
    error: { code: 403, message: 'Invalid token.' },
  })
  t.match(await post({ id: 7, method: 'list-domains' }, fake.readToken), { id: 7, result: {} })
  t.match(await post({ method: 'remove-record', params: {} }, fake.readToken), {
    error: { code: 403, message: 'Permission denied.' },
  })
  t.equal((await fetch(fake.apiUrl.slice(0, -1), { method: 'POST' })).status, 404, 'the slash is needed')
})

void t.test('domains', async (t) => {
  t.match(await call('list-domains'), { result: { domains: [{ name: 'example.test', status: 'active' }] } })
  t.match(await call('get-domain'), { result: { name: 'example.test', locked: true } })
  t.match(await call('get-domain', { domain: 'missing.test' }), { error: { code: 404 } })
  t.match(await post({ method: 'list-records' }), { error: { code: 400, message: 'missing domain' } })
  t.match(await call('add-zone'), { error: { code: 404 } })
})

void t.test('records', async (t) => {
  const record = await made()
  t.match(record, { id: String, ...good })
  t.not((await made())?.id, record?.id, 'another of the same')
  const id = record?.id
  t.match(await call('edit-record', { id, content: '192.0.2.2' }), {
    result: { id, content: '192.0.2.2', ttl: 300 },
  })
  t.match(await call('edit-record', { id, type: 'AAAA', content: '2001:db8::1' }), { error: { code: 400 } })
  t.same(await call('remove-record', { id }), { jsonrpc: '2.0', result: {} })
  t.match(await call('remove-record', { id }), { error: { code: 404 } })
  t.match(await call('remove-record'), { error: { code: 400, message: 'missing id' } })
  t.match(await records(), { length: 1 })
})

void t.test('how they are shown', async (t) => {
  t.match(await made({ type: 'AAAA', content: '2001:db8::1' }), {
    content: '2001:0DB8:0000:0000:0000:0000:0000:0001',
  })
  t.match(await made({ type: 'MX', content: 'mx.test', prio: 10 }), { content: 'mx.test', prio: 10 })
  t.match(await made({ name: '_sip._tcp', type: 'SRV', content: '6 5060 sip.test', prio: 7 }), { prio: 7 })
  t.match(await made({ type: 'TXT', content: 'say "hi" \\' }), { content: 'say "hi" \\' })
  t.match(await made({ name: '@', type: 'CAA', content: '0 issue "ca.test"' }), { name: '@' })
})

void t.test('what is refused', async (t) => {
  await made({ name: 'alias', type: 'CNAME', content: 'a.test' })
  const before = domain.records
  for (const params of [
    { name: 'alias' },
    { name: 'x y' },
    { name: '' },
    { name: '@', type: 'NS', content: 'ns.test' },
    { type: 'PTR', content: 'a.test' },
    { content: '2001:db8::1' },
    { content: '' },
    { name: 'x', type: 'CNAME', content: 'a.test.' },
    { type: 'MX', content: '.', prio: 0 },
    { type: 'MX', content: 'mx.test' },
    { type: 'MX', content: 'mx.test', prio: 15 },
    { type: 'SRV', content: '1 5060 .', prio: 1 },
    { ttl: 7200 },
    { ttl: '300' },
  ])
    t.match(
      await call('add-record', { ...good, ...params }),
      { error: { code: 400 } },
      JSON.stringify(params),
    )
  t.same(domain.records, before)
})
