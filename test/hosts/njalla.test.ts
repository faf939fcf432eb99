import t from 'tap'
import njalla from '../../modules/providers/adapters/njalla/index.ts'
import { add, edit, expectError, open, rrset, start } from '../conformance/suite/subject.ts'
import { conformance } from '../conformance/suite/index.ts'
import dialect from '../conformance/simulators/njalla.ts'
import { send } from '../conformance/simulators/simulator.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

void t.test('Njalla', async (t) => {
  const { sim, makeSubject } = await simulate(t, njalla, dialect)
  await conformance(t, 'conformance', makeSubject)

  await t.test('a read-only token is recognized', async (t) => {
    const { subject, zone } = await start(t, makeSubject)
    const reader = await open(t, subject, { ...subject.credentials, apiToken: sim.readToken })
    await reader.verify()
    const call = reader.apply(zone, [edit('www', 'A', [add('192.0.2.1')])])
    await expectError(t, subject, call, 'forbidden')
  })

  await t.test('duplicate records are one record, and change together', async (t) => {
    const { subject, list, apply } = await start(t, makeSubject)
    const domain = sim.createZone(subject.zoneName)
    for (const _ of [1, 2]) domain.add({ name: 'www', type: 'AAAA', content: '2001:db8::1', ttl: 3600 })
    t.same((await list()).rrsets, [rrset('www', 'AAAA', ['2001:db8::1'])])
    await apply([edit('www', 'AAAA', [add('2001:db8::2')], 300)])
    t.same(
      domain.records.map(({ ttl }) => ttl),
      [300, 300, 300],
    )
  })

  await t.test('priorities of MX', (t) => {
    const refusal = (type: 'MX' | 'SRV', value: string) =>
      njalla.audit?.('example.com', [edit('_sip._tcp', type, [add(value)])])?.[0]?.code
    t.equal(refusal('MX', '15 mx.example.net'), 'mx_priority')
    t.equal(refusal('MX', '50 mx.example.net'), undefined)
    t.equal(refusal('SRV', '15 0 0 .'), 'srv_target')
    t.end()
  })

  await t.test('what Njalla refuses', async (t) => {
    sim.createZone('example.test')
    const call = async (method: string, params: object) =>
      (await send(sim, 'POST', '', { method, params: { domain: 'example.test', ...params } })).body
    const good = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }
    t.match(await call('add-record', { ...good, name: 'alias', type: 'CNAME', content: 'a.test' }), {
      result: { id: /^\d+$/, name: 'alias' },
    })
    t.match(await call('add-record', { ...good, name: 'long', type: 'AAAA', content: '2001:db8::1' }), {
      result: { content: '2001:0DB8:0000:0000:0000:0000:0000:0001' },
    })
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
    t.match(await call('remove-record', { id: 'no' }), { error: { code: 404 } })
    t.match(await call('list-records', { domain: 'missing.test' }), { error: { code: 404 } })
  })
})
