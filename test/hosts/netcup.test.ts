import t from 'tap'
import netcup from '../../modules/providers/adapters/netcup/index.ts'
import type { ChangeOutcome } from '../../modules/providers/contract.ts'
import {
  add,
  edit,
  expectError,
  open,
  OTHER_TTL,
  remove,
  rrset,
  start,
  TTL,
  zonesOf,
} from '../conformance/suite/subject.ts'
import { conformance } from '../conformance/suite/index.ts'
import dialect from '../conformance/simulators/netcup.ts'
import { send } from '../conformance/simulators/simulator.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

const actionsOf = (requests: { body: string }[]) =>
  requests.map(({ body }) => (JSON.parse(body) as { action: string }).action)

void t.test('netcup', async (t) => {
  const { sim, makeSubject } = await simulate(t, netcup, dialect)
  await conformance(t, 'conformance', makeSubject)

  await t.test('an expired session is renewed once', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    sim.sessions.clear()
    const before = sim.requests.length
    await apply([edit('www', 'A', [add('192.0.2.1')])])
    t.same(await subject.dump(), [rrset('www', 'A', ['192.0.2.1'])])
    t.equal(actionsOf(sim.requests.slice(before)).filter((one) => one === 'login').length, 1)
  })

  await t.test('all records have the TTL of the zone', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    await subject.seed([rrset('www', 'A', ['192.0.2.1'])])
    t.equal(zone.ttl, TTL)
    const other = edit('www', 'A', [add('192.0.2.2')], OTHER_TTL)
    const error = await expectError(t, subject, adapter.apply(zone, [other]), 'rejected')
    t.match(error?.message, /3600/)
    await expectError(t, subject, adapter.apply(zone, [edit('www', 'A', [], OTHER_TTL)]), 'rejected')
    const going = edit('www', 'A', [remove('192.0.2.1')], OTHER_TTL)
    const outcomes = (await adapter.apply(zone, [
      edit('api', 'A', [add('192.0.2.3')]),
      going,
    ])) as ChangeOutcome[][]
    t.match(outcomes, [[{ ok: true, providerId: /^\d+$/ }], [{ ok: true }]])
    const [refused] = (await adapter.apply(zone, [
      other,
      edit('b', 'A', [add('192.0.2.4')]),
    ])) as ChangeOutcome[][]
    t.match(refused, [{ ok: false, error: { kind: 'rejected' } }])
    t.same(await subject.dump(), [rrset('api', 'A', ['192.0.2.3']), rrset('b', 'A', ['192.0.2.4'])])
  })

  await t.test('invalid requests are refused', async (t) => {
    sim.createZone('example.test')
    const { customerNumber: customernumber, apiKey: apikey, apiPassword: apipassword } = sim
    const call = async (action: string, param: object) =>
      (await send(sim, 'POST', '', { action, param: { customernumber, apikey, ...param } })).body
    const { responsedata: session } = (await call('login', { apipassword })) as { responsedata: object }
    const act = (action: string, more: object) =>
      call(action, { ...session, domainname: 'example.test', ...more })
    const update = (...dnsrecords: object[]) => act('updateDnsRecords', { dnsrecordset: { dnsrecords } })
    t.match(await act('infoDnsRecords', {}), { statuscode: 5029 }, 'an empty zone looks like a missing one')
    const good = { hostname: 'x', type: 'A', destination: '192.0.2.1' }
    await update({ hostname: 'alias', type: 'CNAME', destination: 'a.test' })
    for (const [record, longmessage] of [
      [{ ...good, hostname: '' }, /Host/],
      [{ ...good, hostname: 'alias' }, /CNAME/],
      [{ ...good, type: 'PTR' }, /type/],
      [{ ...good, type: 'NS', hostname: '@' }, /type/],
      [{ ...good, type: 'MX', destination: '.' }, /value/],
      [{ ...good, type: 'TXT', destination: '"quoted"' }, /quotation marks/],
      [{ ...good, deleterecord: true }, /without id/],
    ] as const)
      t.match(await update(good, record), { statuscode: 4013, longmessage }, JSON.stringify(record))
    t.equal(sim.zones.get('example.test')?.records.length, 1, 'all or nothing')
    t.match(await update(), { statuscode: 4013, longmessage: /empty/ })
    t.match(await act('infoDnsZone', { domainname: 'missing.test' }), { statuscode: 5014 })
    t.match(await act('infoDnsZone', { domainname: 'no' }), { statuscode: 4013 })
    t.match(await act('infoDnsZone', { apisessionid: 'no' }), { statuscode: 4001 })
  })
})

void t.test('an account that is not a reseller lists the domains that are entered', async (t) => {
  const { makeSubject } = await simulate(t, netcup, dialect, { reseller: false })
  const subject = await makeSubject()
  await expectError(t, subject, zonesOf(await open(t, subject)), 'forbidden')
  const domains = `${subject.zoneName.toUpperCase()}, missing.test`
  const adapter = await open(t, subject, { ...subject.credentials, domains })
  t.same(await zonesOf(adapter), [{ id: subject.zoneName, name: subject.zoneName, ttl: TTL }])
})
