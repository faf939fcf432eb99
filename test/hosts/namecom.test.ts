import t from 'tap'
import namecom from '../../modules/providers/adapters/namecom/index.ts'
import { add, edit, replace, rrset, start } from '../conformance/suite/subject.ts'
import { conformance } from '../conformance/suite/index.ts'
import dialect from '../conformance/simulators/namecom.ts'
import { send } from '../conformance/simulators/simulator.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

const [SIP, OTHER] = ['10 60 5060 sip.example.net', '20 0 5061 other.example.net'] as const

void t.test('Name.com', async (t) => {
  const { sim, makeSubject } = await simulate(t, namecom, dialect)
  await conformance(t, 'conformance', makeSubject)

  await t.test('fields with their default are omitted: priority 0, the apex, an empty list', async (t) => {
    const { subject, apply, list } = await start(t, makeSubject)
    t.same((await list()).rrsets, [])
    await apply([
      edit('@', 'MX', [add('0 mail.example.net')]),
      edit('_sip._tcp', 'SRV', [add(SIP), add(OTHER)]),
    ])
    await apply([edit('_sip._tcp', 'SRV', [replace(OTHER, '0 0 5061 other.example.net')])])
    const wanted = [
      rrset('@', 'MX', ['0 mail.example.net']),
      rrset('_sip._tcp', 'SRV', ['0 0 5061 other.example.net', SIP]),
    ]
    t.same(await subject.dump(), wanted)
    t.same((await list()).rrsets, wanted)
  })

  await t.test('a text is sent without quotes, and the longest is taken', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    const text = 'x'.repeat(507)
    await apply([edit('long', 'TXT', [add(text)])])
    t.same(await subject.dump(), [rrset('long', 'TXT', [text])])
    const held = [...sim.zones.values()].flatMap(({ records }) => records)
    t.match(held, [{ type: 'TXT', answer: text }])
  })

  await t.test('strings that others wrote in quotes are one text', async (t) => {
    const { zone, list } = await start(t, makeSubject)
    const answer = '"v=DKIM1; " "p=MII"'
    await send(sim, 'POST', `/domains/${zone.name}/records`, { type: 'TXT', host: 'x', answer, ttl: 300 })
    t.match((await list()).rrsets, [{ name: 'x', members: [{ value: 'v=DKIM1; p=MII' }] }])
  })

  await t.test('more records than a page holds', async (t) => {
    const { subject, list } = await start(t, makeSubject)
    const values = Array.from({ length: 1001 }, (_, i) => `192.0.${i >> 8}.${i & 255}`)
    await subject.seed([rrset('many', 'A', values)])
    t.equal((await list()).rrsets[0]?.members.length, 1001)
  })

  await t.test('what Name.com refuses', async (t) => {
    sim.createZone('example.test')
    const path = '/domains/example.test/records'
    const a = (host: string, answer = '192.0.2.1') => ({ type: 'A', host, answer, ttl: 300 })
    t.match(await send(sim, 'POST', path, a('taken')), { status: 200, body: { fqdn: 'taken.example.test.' } })
    for (const wrong of [
      a('taken'),
      a('x', '2001:db8::1'),
      { ...a('x'), ttl: 299 },
      { ...a('x'), type: 'CAA', answer: '0 issue "ca.test"' },
      { type: 'CNAME', host: 'taken', answer: 'a.test' },
      { type: 'TXT', host: 'x', answer: 'x'.repeat(511) },
      { type: 'TXT', host: 'x', answer: '' },
    ])
      t.match(await send(sim, 'POST', path, wrong), { status: 422 }, JSON.stringify(wrong))
    const none = [edit('_sip._tcp', 'SRV', [add('0 0 0 .')])]
    t.match(namecom.audit?.('example.com', none), [{ code: 'srv_target' }])
  })
})
