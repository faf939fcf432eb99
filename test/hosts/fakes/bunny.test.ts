import t from 'tap'
import { startFakeBunny } from '../../conformance/simulators/bunny.ts'

const fake = await startFakeBunny()
t.teardown(() => fake.close())
const { id } = fake.createZone('example.test')

interface Answer {
  Id?: number
  Items?: { Domain: string }[]
  Records?: { Id: number; Name: string; Value: string }[]
  HasMoreItems?: boolean
}
const call = async (method: string, path: string, body?: unknown, key = fake.apiKey, at = fake) => {
  const headers = { accesskey: key, 'content-type': 'application/json' }
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`${at.apiUrl}${path}`, { method, headers, ...init })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Answer }
}
const RECORDS = `/dnszone/${id}/records`
const put = (body: unknown) => call('PUT', RECORDS, body)
const at = async (name: string) =>
  ((await call('GET', `/dnszone/${id}`)).body.Records ?? []).filter(({ Name }) => Name === name)
const invalid = (Field: string) => ({
  status: 400,
  body: { ErrorKey: `dnszone.record.invalid_${Field.toLowerCase()}`, Field },
})

void t.test('keys and zones', async (t) => {
  const denied = await call('GET', '/dnszone', undefined, 'no')
  t.match(denied, { status: 401, body: { Message: /denied/ } })
  t.notHas(denied.body, { ErrorKey: String }, 'in another form than all others')
  t.match(await call('POST', '/dnszone', { domain: 'a.test' }), { status: 201, body: { Domain: 'a.test' } })
  const taken = await call('POST', '/dnszone', { Domain: 'a.test' })
  t.match(taken, { status: 400, body: { ErrorKey: /taken/, Field: 'Domain' } })
  const { Items = [], HasMoreItems } = (await call('GET', '/dnszone?search=a.')).body
  t.match(
    [Items, HasMoreItems],
    [[{ Domain: 'a.test', Records: { length: 0 }, DnsSecEnabled: false }], false],
  )
  t.match((await call('GET', '/dnszone?search=test')).body.Items, { length: 2 }, 'by a part of the name')
  t.equal((await call('GET', '/dnszone?perPage=4')).status, 400)
  t.equal((await call('DELETE', `/dnszone/${(Items[0] as { Id?: number }).Id}`)).status, 204)
  t.match(await call('GET', '/dnszone/1'), { status: 404, body: { ErrorKey: 'dnszone.not_found' } })
})

void t.test('records are made by PUT and changed by POST', async (t) => {
  const made = await put({ type: 0, name: 'www', value: '192.0.2.1', Ttl: 60, Comment: 'mine' })
  t.match(made, { status: 201, body: { Type: 0, Name: 'www', Value: '192.0.2.1', Ttl: 60, Weight: 0 } })
  const path = `${RECORDS}/${made.body.Id}`
  t.same(await call('POST', path, { Value: '192.0.2.2' }), { status: 204, body: {} })
  t.match(await at('www'), [{ Value: '192.0.2.2', Ttl: 60, Comment: 'mine' }], 'what is not said stays')
  t.equal((await call('PUT', path, {})).status, 405)
  t.equal((await call('DELETE', path)).status, 204)
  t.match(await call('DELETE', path), { status: 404, body: { ErrorKey: 'dnszone.record.not_found' } })
  for (let i = 0; i < 2; i++) await put({ Type: 3, Name: 'twice', Value: 'say "hi"' })
  t.match(await at('twice'), { length: 2 }, 'what is there is made once more')
})

void t.test('data', async (t) => {
  await put({ Type: 4, Name: '', Value: 'mx.test.', Priority: 10 })
  t.match(
    await at(''),
    [{ Value: 'mx.test.', Priority: 10, Ttl: 300 }],
    'the final dot is kept where it was sent',
  )
  const good = [
    { Type: 2, Name: '', Value: 'a.test' },
    { Type: 4, Name: 'no-mail', Value: '.' },
    { Type: 8, Name: '_sip._tcp', Value: '.', Port: 5060 },
    { Type: 9, Name: 'x', Value: 'ca.test', Tag: 'issue' },
    { Type: 14, Name: 'x', Priority: 1, Value: '. alpn=h2' },
    { Type: 15, Name: 'x', Value: '3 1 1 aa' + 'bb'.repeat(31) },
  ]
  for (const body of good) t.equal((await put(body)).status, 201, JSON.stringify(body))
  const linked = await put({ Type: 7, Name: 'pull', PullZoneId: 7 })
  t.match(linked.body, { LinkName: '7', Value: '' })
})

void t.test('what is refused', async (t) => {
  await put({ Type: 2, Name: 'alias', Value: 'a.test' })
  const good = { Type: 0, Name: 'x', Value: '192.0.2.1' }
  for (const [body, field] of [
    [{ ...good, Name: 'alias' }, 'Name'],
    [{ ...good, Name: '' }, 'Name'],
    [{ ...good, Name: '@' }, 'Name'],
    [{ ...good, Type: 12, Name: '', Value: 'ns.test' }, 'Name'],
    [{ ...good, Type: 16 }, 'Type'],
    [{ ...good, Ttl: 14 }, 'Ttl'],
    [{ ...good, Value: '2001:db8::1' }, 'Value'],
    [{ ...good, Type: 3, Value: '' }, 'Value'],
    [{ ...good, Type: 9, Value: 'ca.test', Tag: 'other' }, 'Value'],
    [{ ...good, Priority: 65_536 }, 'Priority'],
  ] as const)
    t.match(await put(body), invalid(field), JSON.stringify(body))
})

void t.test('signing is switched, and says what the zone above needs', async (t) => {
  const DsRecord = /^example\.test\. 3600 IN DS 2371 13 2 [0-9A-F]{64}$/
  t.match(await call('POST', `/dnszone/${id}/dnssec`), { status: 200, body: { Enabled: true, DsRecord } })
  t.match((await call('GET', `/dnszone/${id}`)).body, { DnsSecEnabled: true })
  t.match(await call('DELETE', `/dnszone/${id}/dnssec`), { body: { Enabled: false } })
})

void t.test('pages, and too many calls', async (t) => {
  const narrow = await startFakeBunny({ rate: 2 })
  t.teardown(() => narrow.close())
  for (let i = 0; i < 7; i++) narrow.createZone(`z${i}.test`)
  const get = (page: number) =>
    call('GET', `/dnszone?perPage=5&page=${page}`, undefined, narrow.apiKey, narrow)
  t.match((await get(1)).body, { Items: { length: 5 }, TotalItems: 7, HasMoreItems: true })
  t.match((await get(2)).body, { Items: { length: 2 }, CurrentPage: 2, HasMoreItems: false })
  t.equal((await get(3)).status, 429)
})
