import t from 'tap'
import godaddy from '../../modules/providers/adapters/godaddy/index.ts'
import { conformance } from '../conformance/suite/index.ts'
import {
  add,
  applyEdits,
  edit,
  expectError,
  open,
  OTHER_TTL,
  remove,
  replace,
  rrset,
  start,
  TTL,
} from '../conformance/suite/peer.ts'
import { startFakeGoDaddy, tooMany } from '../conformance/simulators/godaddy.ts'
import { goDaddyPeer } from '../conformance/peers/godaddy-peer.ts'

const SIP = '10 60 5060 sip.example.net'
const OTHER = '20 0 5061 other.example.net'

void t.test('fake GoDaddy', async (t) => {
  const fake = await startFakeGoDaddy()
  t.teardown(() => fake.close())
  const makePeer = () => goDaddyPeer(godaddy, fake)
  await conformance(t, 'all that every adapter must do', makePeer)

  await t.test('SRV of one name and several services are kept apart', async (t) => {
    const { peer, adapter, zone, apply, list } = await start(t, makePeer)
    await apply([edit('_sip._tcp', 'SRV', [add(SIP), add(OTHER)]), edit('_xmpp._tcp', 'SRV', [add(OTHER)])])
    await apply([edit('_sip._udp.deep', 'SRV', [add(SIP)])])
    const sip = rrset('_sip._tcp', 'SRV', [SIP, OTHER])
    const others = [rrset('_sip._udp.deep', 'SRV', [SIP]), rrset('_xmpp._tcp', 'SRV', [OTHER])]
    t.same(
      (await list()).rrsets.filter(({ type }) => type === 'SRV'),
      [sip, ...others],
    )
    t.match(await adapter.readRRset(zone, '_xmpp._tcp', 'SRV'), { members: [{ value: OTHER }] })
    await apply([edit('_sip._tcp', 'SRV', [remove(OTHER)], OTHER_TTL)])
    t.same(await peer.dump(), [rrset('_sip._tcp', 'SRV', [SIP], OTHER_TTL), ...others])
    await apply([edit('_sip._tcp', 'SRV', [remove(SIP)], OTHER_TTL)])
    t.same(await peer.dump(), others)
  })

  await t.test('several services, and one type instead of another, in one call', async (t) => {
    const { peer, apply } = await start(t, makePeer)
    await peer.seed([
      rrset('_sip._tcp', 'SRV', [SIP]),
      rrset('_xmpp._tcp', 'SRV', [SIP]),
      rrset('www', 'A', ['192.0.2.1']),
    ])
    await apply([
      edit('_ldap._tcp', 'SRV', [add(SIP)]),
      edit('_sip._tcp', 'SRV', [replace(SIP, OTHER)]),
      edit('_xmpp._tcp', 'SRV', [remove(SIP)]),
      edit('www', 'CNAME', [add('target.example.net')]),
      edit('www', 'A', [remove('192.0.2.1')]),
    ])
    t.same(await peer.dump(), [
      rrset('_ldap._tcp', 'SRV', [SIP]),
      rrset('_sip._tcp', 'SRV', [OTHER]),
      rrset('www', 'CNAME', ['target.example.net']),
    ])
  })

  await t.test('the domain itself as a name, and a set with several TTLs', async (t) => {
    const { peer, list, apply } = await start(t, makePeer)
    const domain = fake.createDomain(peer.zoneName)
    domain.plant({ type: 'MX', name: 'mail', data: '@', priority: 10, ttl: 3600 })
    domain.plant({ type: 'MX', name: 'mail', data: 'MX.Example.net', priority: 20, ttl: 7200 })
    const values = [`10 ${peer.zoneName}`, '20 mx.example.net']
    t.same(
      (await list()).rrsets.filter(({ name }) => name === 'mail'),
      [rrset('mail', 'MX', values)],
    )
    await apply([edit('mail', 'MX', [replace(values[0] ?? '', '5 mx.example.net')], TTL)])
    t.match(
      domain.records.filter(({ name }) => name === 'mail'),
      [
        { data: 'MX.Example.net', ttl: 3600 },
        { data: 'mx.example.net', priority: 5 },
      ],
      'what is not changed stays as it is spelled',
    )
  })

  await t.test('how long to wait may stand in the body alone', async (t) => {
    const { peer } = await start(t, makePeer)
    const adapter = await open(t, peer)
    fake.fail({ kind: 'answer', answer: tooMany(42).answer })
    const error = await expectError(t, peer, adapter.verify(), 'rate_limited')
    t.equal(error?.retryAfter, 42)
  })

  await t.test('of many names the one that is refused is refused alone', async (t) => {
    const { peer, adapter, zone } = await start(t, makePeer)
    await peer.seed([rrset('taken', 'A', ['192.0.2.1'])])
    const edits = ['one', 'two', 'three'].map((name) => edit(name, 'A', [add('192.0.2.1')]))
    const outcomes = await applyEdits(adapter, zone, [
      ...edits,
      edit('taken', 'CNAME', [add('target.example.net')]),
    ])
    t.match(outcomes, [
      [{ ok: true }],
      [{ ok: true }],
      [{ ok: true }],
      [{ ok: false, error: { kind: 'conflict' } }],
    ])
    t.equal((await peer.dump()).length, 4)
  })

  await t.test('an SRV needs service, protocol and a server', (t) => {
    const srv = (name: string, value: string) =>
      godaddy.audit?.('example.com', [edit(name, 'SRV', [add(value)])])
    t.match(srv('sip', SIP), [{ field: 'name', code: 'srv_name' }])
    t.match(srv('_sip._tcp', '0 0 0 .'), [{ field: 'value', code: 'srv_target' }])
    t.same(srv('_sip._tcp.deep', SIP), [])
    t.end()
  })
})
