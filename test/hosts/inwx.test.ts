import t from 'tap'
import inwx from '../../modules/providers/adapters/inwx/index.ts'
import { createHttp } from '../../plugins/outbound/http.ts'
import { adapterContext } from '../conformance/adapter-context.ts'
import { add, edit, rrset, start, zonesOf } from '../conformance/suite/peer.ts'
import { conformance } from '../conformance/suite/index.ts'
import { fakeClock } from '../conformance/fake-clock.ts'
import { startFakeInwx } from '../conformance/simulators/inwx.ts'
import { inwxPeer } from '../conformance/peers/inwx-peer.ts'

const methodsOf = (requests: { body: string }[]) =>
  requests.map(({ body }) => (JSON.parse(body) as { method: string }).method)

const failure = (call: Promise<void>) => call.catch((reason: unknown) => reason)

void t.test('fake INWX', async (t) => {
  const fake = await startFakeInwx()
  t.teardown(() => fake.close())
  const makePeer = () => inwxPeer(inwx, fake)
  await conformance(t, 'all that every adapter must do', makePeer)

  await t.test('a session that has ended is begun anew, once', async (t) => {
    const { peer, apply } = await start(t, makePeer)
    fake.endSessions()
    const before = fake.requests.length
    await apply([edit('www', 'A', [add('192.0.2.1')])])
    t.same(await peer.dump(), [rrset('www', 'A', ['192.0.2.1'])])
    t.equal(methodsOf(fake.requests.slice(before)).filter((one) => one === 'account.login').length, 1)
  })

  await t.test('redirections are not managed', async (t) => {
    const { peer, list } = await start(t, makePeer)
    await peer.foreign?.()
    t.match((await list()).unmanaged, [{ type: 'URL' }, { type: 'URL' }])
  })
})

void t.test('a second factor', async (t) => {
  const clock = fakeClock()
  const fake = await startFakeInwx({ secondFactor: true, now: clock.now })
  t.teardown(() => fake.close())
  const http = createHttp({ allow: ['127.0.0.0/8'] })
  t.teardown(() => http.close())
  const { provider, credentials } = await inwxPeer(inwx, fake)
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
    const before = fake.requests.length
    await Promise.all([adapter.verify(), zonesOf(adapter)])
    t.same(methodsOf(fake.requests.slice(before)).toSorted(), [
      'account.login',
      'account.unlock',
      'nameserver.list',
      'nameserver.list',
    ])
    fake.endSessions()
    await adapter.verify()
    t.match(clock.waits, [Number], 'for the next code')
  })

  await t.test('where there is no time to wait for the next code', async (t) => {
    clock.pass(60_000)
    const adapter = await openWith({}, clock.now() + 10)
    await adapter.verify()
    fake.endSessions()
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
