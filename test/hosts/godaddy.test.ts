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
} from '../conformance/suite/subject.ts'
import dialect from '../conformance/simulators/godaddy.ts'
import { send } from '../conformance/simulators/simulator.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

const SIP = '10 60 5060 sip.example.net'
const OTHER = '20 0 5061 other.example.net'

void t.test('GoDaddy', async (t) => {
  const { sim, makeSubject } = await simulate(t, godaddy, dialect)
  await conformance(t, 'conformance', makeSubject)

  await t.test('SRV of one name and several services are kept apart', async (t) => {
    const { subject, adapter, zone, apply, list } = await start(t, makeSubject)
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
    t.same(await subject.dump(), [rrset('_sip._tcp', 'SRV', [SIP], OTHER_TTL), ...others])
    await apply([edit('_sip._tcp', 'SRV', [remove(SIP)], OTHER_TTL)])
    t.same(await subject.dump(), others)
  })

  await t.test('several services, and one type instead of another, in one call', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    await subject.seed([
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
    t.same(await subject.dump(), [
      rrset('_ldap._tcp', 'SRV', [SIP]),
      rrset('_sip._tcp', 'SRV', [OTHER]),
      rrset('www', 'CNAME', ['target.example.net']),
    ])
  })

  await t.test('the domain itself as a name, and a set with several TTLs', async (t) => {
    const { subject, list, apply } = await start(t, makeSubject)
    const domain = sim.createZone(subject.zoneName)
    domain.plant({ type: 'MX', name: 'mail', data: '@', priority: 10, ttl: 3600 })
    domain.plant({ type: 'MX', name: 'mail', data: 'MX.Example.net', priority: 20, ttl: 7200 })
    const values = [`10 ${subject.zoneName}`, '20 mx.example.net']
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
    const { subject } = await start(t, makeSubject)
    const adapter = await open(t, subject)
    const body = JSON.stringify({ code: 'TOO_MANY_REQUESTS', message: 'Too many', retryAfterSec: 42 })
    sim.fail({ kind: 'answer', answer: { status: 429, body } })
    const error = await expectError(t, subject, adapter.verify(), 'rate_limited')
    t.equal(error?.retryAfter, 42)
  })

  await t.test('of many names the one that is refused is refused alone', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    await subject.seed([rrset('taken', 'A', ['192.0.2.1'])])
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
    t.equal((await subject.dump()).length, 4)
  })

  await t.test('an SRV needs service, protocol and a server', (t) => {
    const srv = (name: string, value: string) =>
      godaddy.audit?.('example.com', [edit(name, 'SRV', [add(value)])])
    t.match(srv('sip', SIP), [{ field: 'name', code: 'srv_name' }])
    t.match(srv('_sip._tcp', '0 0 0 .'), [{ field: 'value', code: 'srv_target' }])
    t.same(srv('_sip._tcp.deep', SIP), [])
    t.end()
  })

  await t.test('what GoDaddy refuses', async (t) => {
    const domain = sim.createZone('example.test')
    const records = '/v1/domains/example.test/records'
    const put = (path: string, body: unknown) => send(sim, 'PUT', `${records}/${path}`, body)
    const a = (data: string) => ({ data, ttl: 600 })
    const invalid = (path: string) => ({ status: 422, body: { code: 'INVALID_BODY', fields: [{ path }] } })
    await put('A/taken', [a('192.0.2.1')])
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
      ['SRV/@', { ...a('a.test'), priority: 1, weight: 2, port: 3, protocol: '_tcp' }, 'service'],
    ] as const)
      t.match(await put(path, [item]), invalid(`records[0].${field}`), path)
    t.match(await put('A/x', a('192.0.2.1')), invalid('records'), 'no array')
    t.match(await put('A/x', []), invalid('records'), 'nothing')
    const duplicate = { status: 422, body: { code: 'DUPLICATE_RECORD' } }
    t.match(await put('CNAME/taken', [a('a.test')]), duplicate)
    t.match(await put('A/x', [a('192.0.2.1'), a('192.0.2.1')]), duplicate)
    t.match(await send(sim, 'DELETE', `${records}/NS/@`), { status: 422 })
    t.equal((await send(sim, 'DELETE', '/v1/domains/example.test')).status, 405)
    for (const query of ['records?limit=501', 'records?offset=0'])
      t.equal((await send(sim, 'GET', `/v1/domains/example.test/${query}`)).status, 422)
    // The whole zone can only be written where there is no CAA.
    const caa = { type: 'CAA', name: '@', data: '0 issue "ca.test"', ttl: 3600 }
    domain.plant(caa)
    t.match(await send(sim, 'PUT', records, [caa]), invalid('records[0].type'))
  })
})
