import { createHmac } from 'node:crypto'
import t from 'tap'
import { startFakeInwx } from '../../conformance/simulators/inwx.ts'

const fake = await startFakeInwx()
t.teardown(() => fake.close())
const zone = fake.createZone('example.test')

interface Answer {
  code: number
  msg: string
  resData?: { [name: string]: unknown; id?: number; record?: { id: number; content: string }[] }
}
const send = async (method: string, params: object, cookie = '', at = fake) => {
  const body = JSON.stringify({ method, params })
  const headers = { 'content-type': 'application/json', cookie }
  const answer = await fetch(at.apiUrl, { method: 'POST', headers, body })
  t.equal(answer.status, 200, 'whatever went wrong')
  return { cookie: answer.headers.get('set-cookie'), body: (await answer.json()) as Answer }
}
const login = (at = fake, pass = at.password) => send('account.login', { user: at.username, pass }, '', at)
let session = (await login()).cookie?.split(';')[0] ?? ''
const call = async (method: string, params: object = {}) => (await send(method, params, session)).body
const create = (params: object) => call('nameserver.createRecord', { domain: 'example.test', ...params })
const at = async (name: string) => {
  const { resData } = await call('nameserver.info', { domain: 'example.test', name: `${name}.example.test` })
  return resData?.record ?? []
}

void t.test('sessions', async (t) => {
  t.match((await login(fake, 'no')).body, { code: 2200, msg: 'Authentication error' })
  t.match((await login()).body, { code: 1000, resData: { tfa: '0' } })
  t.match((await send('account.info', {})).body, { code: 2200 })
  t.match(await call('account.info'), { code: 1000 })
  fake.endSessions()
  t.match(await call('account.info'), { code: 2200 })
  session = (await login()).cookie?.split(';')[0] ?? ''
  t.match(await call('nameserver.other'), { code: 2000 })
  const other = (await login()).cookie ?? ''
  t.match((await send('account.logout', {}, other)).body, { code: 1500 })
  t.match((await send('account.info', {}, other)).body, { code: 2200 })
})

void t.test('a second factor, each code of which is taken once', async (t) => {
  const locked = await startFakeInwx({ secondFactor: true })
  t.teardown(() => locked.close())
  const { cookie, body } = await login(locked)
  t.match(body, { resData: { tfa: 'GOOGLE-AUTH' } })
  const act = async (method: string, params: object = {}) =>
    (await send(method, params, cookie ?? '', locked)).body
  t.match(await act('account.info'), { code: 2200 })
  t.match(await act('account.unlock', { tan: '000000' }), { code: 2200 })
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const mac = createHmac('sha1', '12345678901234567890').update(counter).digest()
  const number = (mac.readUInt32BE((mac[19] ?? 0) & 15) & 0x7f_ff_ff_ff) % 1_000_000
  const tan = String(number).padStart(6, '0')
  t.match(await act('account.unlock', { tan }), { code: 1000 })
  t.match(await act('account.info'), { code: 1000 })
  t.match(await act('account.unlock', { tan }), { code: 2200 })
})

void t.test('zones', async (t) => {
  const wanted = { domain: 'made.test', type: 'MASTER', ns: ['ns.inwx.de', 'ns2.inwx.de'] }
  t.match(await call('nameserver.create', wanted), { code: 1000, resData: { roId: Number } })
  t.match(await call('nameserver.create', wanted), { code: 2302, msg: 'Object exists' })
  t.match(await call('nameserver.list', { domain: 'made.*' }), {
    resData: { count: 1, domains: { length: 1 } },
  })
  t.match(await call('nameserver.delete', { domain: 'made.test' }), { code: 1000 })
  t.match(await call('nameserver.delete', { domain: 'made.test' }), { code: 2303 })
  t.same((await call('nameserver.list', { domain: 'made.test' })).resData, { count: 0 }, 'no list')
  for (let i = 0; i < 24; i++) fake.createZone(`z${i}.test`)
  t.match(await call('nameserver.list'), { resData: { count: 25, domains: { length: 20 } } })
  t.match(await call('nameserver.list', { page: 2 }), { resData: { domains: { length: 5 } } })
  t.match(await call('nameserver.list', { pagelimit: 1001 }), { code: 2004 })
  t.match(await call('nameserver.info', { domain: 'missing.test' }), { code: 2303 })
  const { resData } = await call('nameserver.info', { roId: zone.roId })
  t.match(resData, { domain: 'example.test', count: 4, record: [{ type: 'SOA' }, { type: 'NS' }, {}, {}] })
})

void t.test('records', async (t) => {
  const made = await create({ name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 })
  t.match(made, { code: 1000, resData: { id: Number } })
  const id = made.resData?.id
  t.match(await create({ name: 'www.example.test', type: 'A', content: '192.0.2.1' }), { code: 2302 })
  t.match(await call('nameserver.updateRecord', { id, content: '192.0.2.2' }), { code: 1000 })
  t.match(await at('www'), [{ id, name: 'www.example.test', content: '192.0.2.2', ttl: 300, prio: 0 }])
  await create({ name: 'mail', type: 'MX', content: 'mx.test', prio: 10 })
  await create({ name: '_sip._tcp', type: 'SRV', content: '6 5060 sip.test', prio: 5 })
  t.match(await at('_sip._tcp'), [{ content: '6 5060 sip.test', prio: 5, ttl: 86_400 }])
  t.match(await call('nameserver.deleteRecord', { id }), { code: 1000 })
  t.match(await call('nameserver.deleteRecord', { id }), { code: 2303 })
  const none = await call('nameserver.info', { domain: 'example.test', name: 'www.example.test' })
  t.match(none, { code: 1000, resData: { count: 0 } })
  t.notHas(none.resData, { record: [] }, 'no list')
})

void t.test('what is refused', async (t) => {
  await create({ name: 'alias', type: 'CNAME', content: 'a.test' })
  const good = { name: 'x', type: 'A', content: '192.0.2.1' }
  for (const [params, code] of [
    [{ ...good, name: 'alias' }, 2308],
    [{ ...good, name: 'x y' }, 2005],
    [{ ...good, type: 'SOA' }, 2005],
    [{ ...good, content: '2001:db8::1' }, 2005],
    [{ ...good, type: 'CNAME', content: 'a.test.' }, 2005],
    [{ ...good, type: 'MX', content: '.' }, 2005],
    [{ ...good, type: 'SRV', content: '1 5060 .' }, 2005],
    [{ ...good, type: 'TXT', content: 'a`b' }, 2005],
    [{ ...good, type: 'TXT', content: 'a ' }, 2005],
    [{ ...good, content: '' }, 2003],
    [{ ...good, ttl: 299 }, 2004],
    [{ ...good, prio: -1 }, 2004],
  ] as const)
    t.match(await create(params), { code }, JSON.stringify(params))
  const [soa] = zone.records
  t.match(await call('nameserver.deleteRecord', { id: soa?.id }), { code: 2308 })
})
