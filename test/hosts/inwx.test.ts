import t from 'tap'
import inwx from '../../modules/providers/adapters/inwx/index.ts'
import { createHttp } from '../../plugins/outbound/http.ts'
import { adapterContext } from '../conformance/adapter-context.ts'
import { add, edit, rrset, start, zonesOf } from '../conformance/suite/subject.ts'
import { conformance } from '../conformance/suite/index.ts'
import { fakeClock } from '../conformance/fake-clock.ts'
import dialect from '../conformance/simulators/inwx.ts'
import { send } from '../conformance/simulators/simulator.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

const methodsOf = (requests: { body: string }[]) =>
  requests.map(({ body }) => (JSON.parse(body) as { method: string }).method)

const failure = (call: Promise<void>) => call.catch((reason: unknown) => reason)

void t.test('INWX', async (t) => {
  const { sim, makeSubject } = await simulate(t, inwx, dialect)
  await conformance(t, 'conformance', makeSubject)

  await t.test('a session that has ended is begun anew, once', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    sim.sessions.clear()
    const before = sim.requests.length
    await apply([edit('www', 'A', [add('192.0.2.1')])])
    t.same(await subject.dump(), [rrset('www', 'A', ['192.0.2.1'])])
    t.equal(methodsOf(sim.requests.slice(before)).filter((one) => one === 'account.login').length, 1)
  })

  await t.test('redirections are not managed', async (t) => {
    const { subject, list } = await start(t, makeSubject)
    await subject.foreign?.()
    t.match((await list()).unmanaged, [{ type: 'URL' }, { type: 'URL' }])
  })

  await t.test('what INWX refuses', async (t) => {
    const zone = sim.createZone('example.test')
    const cookie = 'domrobot=open'
    sim.sessions.add('open')
    const call = async (method: string, params: object) =>
      (await send(sim, 'POST', '', { method, params }, { cookie })).body
    const create = (params: object) => call('nameserver.createRecord', { domain: 'example.test', ...params })
    const good = { name: 'x', type: 'A', content: '192.0.2.1' }
    t.match(await create({ ...good, name: 'alias', type: 'CNAME', content: 'a.test' }), { code: 1000 })
    t.match(await create({ ...good, name: 'www' }), { code: 1000 })
    for (const [params, code] of [
      [{ ...good, name: 'www.example.test' }, 2302],
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
    t.match(await call('nameserver.deleteRecord', { id: zone.records[0]?.id }), { code: 2308 }, 'its SOA')
    t.match(await call('nameserver.list', { pagelimit: 1001 }), { code: 2004 })
    const none = await call('nameserver.info', { domain: 'example.test', name: 'no.example.test' })
    t.same((none as { resData: object }).resData, {
      roId: zone.roId,
      domain: 'example.test',
      type: 'MASTER',
      count: 0,
    })
  })
})

void t.test('a second factor', async (t) => {
  const clock = fakeClock()
  const { sim, makeSubject } = await simulate(t, inwx, dialect, { secondFactor: true, now: clock.now })
  const http = createHttp({ allow: ['127.0.0.0/8'] })
  t.teardown(() => http.close())
  const { provider, credentials } = await makeSubject()
  const openWith = (more: object, deadline = Infinity) =>
    provider.open({ ...credentials, ...more }, adapterContext({ http, tcp: null as never, clock, deadline }))

  await t.test('without its secret, and with a wrong one', async (t) => {
    const failureOf = async (totpSecret: string) => failure((await openWith({ totpSecret })).verify())
    t.match(await failureOf(''), { kind: 'auth', message: /totpSecret/ })
    t.match(await failureOf('GEZDGNBVGY3TQOJQ'), { kind: 'auth', message: /refuses the credentials/ })
    t.match(await failureOf('A'), { kind: 'auth', message: /totpSecret/ })
  })

  await t.test('one login for all calls, and each code once', async (t) => {
    const adapter = await openWith({})
    const before = sim.requests.length
    await Promise.all([adapter.verify(), zonesOf(adapter)])
    t.same(methodsOf(sim.requests.slice(before)).toSorted(), [
      'account.login',
      'account.unlock',
      'nameserver.list',
      'nameserver.list',
    ])
    sim.sessions.clear()
    await adapter.verify()
    t.match(clock.waits, [Number], 'for the next code')
  })

  await t.test('where there is no time to wait for the next code', async (t) => {
    clock.pass(60_000)
    const adapter = await openWith({}, clock.now() + 10)
    await adapter.verify()
    sim.sessions.clear()
    t.match(await failure(adapter.verify()), { kind: 'rate_limited', retryAfter: 30 })
  })
})

void t.test('what INWX is known to refuse', (t) => {
  const refusal = (type: 'SRV' | 'TXT', value: string) =>
    inwx.audit?.('example.com', [edit('_sip._tcp', type, [add(value)])])?.[0]?.code
  t.equal(refusal('SRV', '0 0 0 .'), 'srv_target')
  t.equal(refusal('TXT', 'a '), 'txt_space')
  t.equal(refusal('TXT', 'a'.repeat(255)), 'txt_length')
  t.equal(refusal('TXT', 'a'.repeat(256)), undefined)
  t.end()
})
