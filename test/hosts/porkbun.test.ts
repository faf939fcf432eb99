import t from 'tap'
import porkbun from '../../modules/providers/adapters/porkbun/index.ts'
import { add, edit, expectError, open, rrset, start } from '../conformance/suite/subject.ts'
import { conformance } from '../conformance/suite/index.ts'
import dialect from '../conformance/simulators/porkbun.ts'
import { send } from '../conformance/simulators/simulator.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

void t.test('Porkbun', async (t) => {
  const { sim, makeSubject } = await simulate(t, porkbun, dialect)
  await conformance(t, 'conformance', makeSubject)

  await t.test('a failure may come with status 200, and a key be told by its code', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    const wrong = {
      status: 200,
      body: JSON.stringify({ status: 'ERROR', message: 'Invalid API key. (001)' }),
    }
    sim.fail({ kind: 'answer', answer: wrong })
    await expectError(t, subject, adapter.verify(), 'auth')
    const body = JSON.stringify({ status: 'ERROR', code: 'INVALID_API_KEYS_002', message: 'No.' })
    sim.fail({ kind: 'answer', answer: { status: 200, body } })
    await expectError(t, subject, adapter.verify(), 'auth')
    const refused = JSON.stringify({
      status: 'ERROR',
      message: 'Create error: We were unable to create the DNS record.',
    })
    sim.fail({
      kind: 'answer',
      answer: { status: 200, body: refused },
      on: (request) => sim.changes(request),
    })
    const answer = await adapter.apply(zone, [edit('www', 'A', [add('192.0.2.1')])])
    t.match(answer, [[{ ok: false, error: { kind: 'rejected', outcome: 'not_applied' } }]])
  })

  await t.test('too many calls are refused by a page', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    const page = { status: 503, headers: { 'retry-after': '1' }, body: '<html>503</html>' }
    sim.fail({ kind: 'answer', answer: page, on: (request) => sim.changes(request) })
    const call = adapter.apply(zone, [edit('www', 'A', [add('192.0.2.1')])])
    const error = await expectError(t, subject, call, 'rate_limited')
    t.equal(error?.retryAfter, 1)
  })

  await t.test('a domain that the API may not be used for is told so', async (t) => {
    const { subject, zone } = await start(t, makeSubject)
    sim.createZone(subject.zoneName).isOptedIn = false
    const adapter = await open(t, subject)
    const error = await expectError(t, subject, adapter.readRRset(zone, 'www', 'A'), 'forbidden')
    t.match(error?.message, /not opted in to API access/)
    t.match(
      await adapter.findZones(subject.zoneName),
      [{ name: subject.zoneName }],
      'it is there all the same',
    )
  })

  await t.test('CAA and texts that Porkbun changes are refused', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    await apply([edit('@', 'CAA', [add('0 issue "ca.example.net"'), add('0 issuewild ";"')])])
    t.same(await subject.dump(), [rrset('@', 'CAA', ['0 issue "ca.example.net"', '0 issuewild ";"'])])
    const refusal = (type: 'CAA' | 'TXT', value: string) =>
      porkbun.audit?.('example.com', [edit('@', type, [add(value)])])
    t.match(refusal('CAA', '0 issue "ca.example.net; a=b"'), [{ code: 'caa_space' }])
    t.match(refusal('TXT', 'ends in a space '), [{ code: 'txt_space' }])
    t.same(refusal('TXT', ' begins with one'), [])
  })

  await t.test('what Porkbun refuses and takes', async (t) => {
    sim.createZone('example.test')
    const call = (path: string, body: object) =>
      send(sim, 'POST', `/dns/${path}`, { apikey: sim.key, secretapikey: sim.secret, ...body })
    const create = (body: object) => call('create/example.test', body)
    const a = (name: string, content = '192.0.2.1') => ({ type: 'A', name, content, ttl: 600 })
    const made = (await create(a('taken'))).body as { id: number }
    t.type(made.id, 'number', 'in lists it is text')
    const edit = `edit/example.test/${made.id}`
    t.match(await call(edit, a('taken')), { body: { message: /^Edit error/ } }, 'without a change')
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
      t.match(await create(wrong), { status: 400, body: { message: /^Create error/ } }, JSON.stringify(wrong))
    for (const right of [
      a('taken'),
      { type: 'ALIAS', name: '', content: 'a.test' },
      { type: 'MX', name: '', content: '.', prio: 0 },
      { type: 'SRV', name: '_a._tcp', content: '2 3 a.test', prio: '1' },
      { type: 'HTTPS', name: 'x', content: '1 . alpn=h2' },
      { type: 'CAA', name: 'x', content: '0 issue "ca.test"' },
    ])
      t.match(await create(right), { body: { status: 'SUCCESS' } }, JSON.stringify(right))
    const own = sim.zones.get('example.test')?.records.find(({ type }) => type === 'NS')
    t.equal((await call(`delete/example.test/${own?.id}`, {})).status, 400, 'its own NS')
  })
})
