import t from 'tap'
import { startFakePorkbun } from '../../conformance/simulators/porkbun.ts'

const fake = await startFakePorkbun()
t.teardown(() => fake.close())
const domain = fake.createDomain('example.test')

interface Answer {
  id?: number
  records?: { id: string; name: string; content: string; notes: string | null }[]
  domains?: { domain: string }[]
}
const call = async (
  path: string,
  body: object = {},
  keys = { apikey: fake.key, secretapikey: fake.secret },
) => {
  const init = { method: 'POST', body: JSON.stringify({ ...keys, ...body }) }
  const answer = await fetch(`${fake.apiUrl}${path}`, init)
  return { status: answer.status, body: (await answer.json()) as Answer }
}
const error = (message: RegExp, status = 400) => ({ status, body: { status: 'ERROR', message } })
const ok = { status: 200, body: { status: 'SUCCESS' } }
const a = (name: string, content = '192.0.2.1') => ({ type: 'A', name, content, ttl: 600 })

void t.test('keys and domains', async (t) => {
  t.match(await call('/ping', {}, { apikey: 'no', secretapikey: fake.secret }), error(/\(001\)/))
  t.match(await call('/ping', {}, { apikey: fake.key, secretapikey: 'no' }), error(/\(002\)/))
  t.match(await call('/ping'), ok)
  t.equal((await fetch(`${fake.apiUrl}/ping`)).status, 405)
  for (let i = 0; i < 1000; i++) fake.createDomain(`d${i}.test`)
  t.equal((await call('/domain/listAll', { start: 0 })).body.domains?.length, 1000)
  t.match((await call('/domain/listAll', { start: 1000 })).body, { domains: [{ domain: 'd999.test' }] })
  t.match(await call('/dns/retrieve/missing.test'), error(/^Invalid domain/))
  fake.createDomain('shut.test').isOptedIn = false
  t.match(await call('/dns/retrieve/shut.test'), error(/^Domain is not opted in to API access/))
})

void t.test('records, whose ids are texts but for the answer to a create', async (t) => {
  const { body } = await call('/dns/create/example.test', {
    ...a('www'),
    ttl: '700',
    notes: 'of the web',
  })
  t.type(body.id, 'number')
  const shown = { id: String(body.id), name: 'www.example.test', content: '192.0.2.1', ttl: '700', prio: '0' }
  const look = async () => (await call(`/dns/retrieve/example.test/${body.id}`)).body.records
  t.match(await look(), [{ ...shown, notes: 'of the web' }])
  const edit = (more: object) => call(`/dns/edit/example.test/${body.id}`, { ...a('www'), ttl: 700, ...more })
  t.match(await edit({ content: '192.0.2.2', notes: null }), ok)
  t.match(await look(), [{ content: '192.0.2.2', notes: 'of the web' }], 'null keeps the notes')
  t.match(await edit({ content: '192.0.2.2', notes: null }), error(/^Edit error/), 'without a change')
  t.match(await edit({ content: '192.0.2.3' }), ok)
  t.match(await look(), [{ content: '192.0.2.3', notes: '' }], 'what is not said is lost')
  t.match(await call(`/dns/delete/example.test/${body.id}`), ok)
  t.match(await call(`/dns/delete/example.test/${body.id}`), error(/^Invalid record ID/))
  t.same(await look(), [])
})

void t.test('what is there is made once more, and found by name and type', async (t) => {
  for (let i = 0; i < 2; i++) t.match(await call('/dns/create/example.test', a('twice')), ok)
  const look = async () => (await call('/dns/retrieveByNameType/example.test/A/twice')).body.records
  t.equal((await look())?.length, 2)
  t.match(await call('/dns/deleteByNameType/example.test/A/twice'), ok)
  t.same(await look(), [])
  const own = (await call('/dns/retrieveByNameType/example.test/NS/')).body.records ?? []
  t.match(own, [{ name: 'example.test', prio: null }, {}, {}])
  t.match(await call(`/dns/delete/example.test/${own[0]?.id}`), error(/./), 'its own NS')
})

void t.test('what is refused, without a reason', async (t) => {
  await call('/dns/create/example.test', a('taken'))
  for (const wrong of [
    a('@'),
    a('www.'),
    a('x', '2001:db8::1'),
    { ...a('x'), ttl: 599 },
    { ...a('x'), type: 'PTR' },
    { type: 'CNAME', name: 'x', content: 'a.test.' },
    { type: 'CNAME', name: '', content: 'a.test' },
    { type: 'CNAME', name: 'taken', content: 'a.test' },
    { type: 'NS', name: '', content: 'ns.test' },
    { type: 'MX', name: 'x', content: 'mx.test' },
    { type: 'SRV', name: '_a._tcp', content: '1 2 3 a.test', prio: 1 },
    { type: 'TXT', name: 'x', content: '' },
    { type: 'CAA', name: 'x', content: '0 issue "ca.test; a=b"' },
  ])
    t.match(await call('/dns/create/example.test', wrong), error(/^Create error/), JSON.stringify(wrong))
  for (const right of [
    { type: 'ALIAS', name: '', content: 'a.test' },
    { type: 'MX', name: '', content: '.', prio: 0 },
    { type: 'SRV', name: '_a._tcp', content: '2 3 a.test', prio: '1' },
    { type: 'HTTPS', name: 'x', content: '1 . alpn=h2' },
    { type: 'CAA', name: 'x', content: '0 issue "ca.test"' },
  ])
    t.match(await call('/dns/create/example.test', right), ok, JSON.stringify(right))
})

void t.test('space at the end of a text is lost', async (t) => {
  await call('/dns/create/example.test', { type: 'TXT', name: 'text', content: ' say "hi"  ' })
  t.match(domain.named('TXT', 'text'), [{ content: ' say "hi"' }])
})

void t.test('too many calls are refused by a proxy', async (t) => {
  const narrow = await startFakePorkbun({ rate: 0 })
  t.teardown(() => narrow.close())
  const { status, headers } = await fetch(`${narrow.apiUrl}/ping`, { method: 'POST' })
  t.match([status, headers.get('content-type'), headers.get('retry-after')], [503, 'text/html', '1'])
})
