import t from 'tap'
import dnsimple from '../../modules/providers/adapters/dnsimple/index.ts'
import { conformance } from '../conformance/suite/index.ts'
import {
  add,
  applyEdits,
  edit,
  expectError,
  newZone,
  replace,
  rrset,
  start,
} from '../conformance/suite/subject.ts'
import dialect from '../conformance/simulators/dnsimple.ts'
import { send } from '../conformance/simulators/simulator.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

void t.test('DNSimple', async (t) => {
  const { sim, makeSubject } = await simulate(t, dnsimple, dialect)
  await conformance(t, 'conformance', makeSubject)

  await t.test('a text without quotes is the same as one with them', async (t) => {
    const { subject, list, apply } = await start(t, makeSubject)
    const path = `/${sim.account}/zones/${subject.zoneName}/records`
    await send(sim, 'POST', path, { type: 'TXT', name: 'text', content: 'say "hi"', ttl: 3600 })
    const old = 'say "hi"'
    t.same(
      (await list()).rrsets.filter(({ type }) => type === 'TXT'),
      [rrset('text', 'TXT', [old])],
    )
    await apply([edit('text', 'TXT', [replace(old, '"two" "strings"')])])
    t.same(await subject.dump(), [rrset('text', 'TXT', ['"two" "strings"'])])
  })

  await t.test('a record that others made in the meantime is as good as made', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    const refused = JSON.stringify({ message: 'A matching record already exists for this zone' })
    const record = { type: 'A', name: 'www', content: '192.0.2.1', ttl: 3600 }
    await send(sim, 'POST', `/${sim.account}/zones/${subject.zoneName}/records`, record)
    const isPost = ({ method }: { method: string }) => method === 'POST'
    const isRead = ({ path }: { path: string }) => path.endsWith('/records')
    const none = {
      data: [],
      pagination: { current_page: 1, per_page: 100, total_entries: 0, total_pages: 1 },
    }
    sim.fail(
      { kind: 'answer', answer: { status: 400, body: refused }, on: isPost },
      { kind: 'answer', answer: { status: 200, body: JSON.stringify(none) }, on: isRead },
    )
    const outcomes = await adapter.apply(zone, [edit('www', 'A', [add('192.0.2.1')])])
    t.match(outcomes, [[{ ok: true }]])
    t.same(await subject.dump(), [rrset('www', 'A', ['192.0.2.1'])])
  })

  await t.test('a text may have 1000 characters with its quotes', async (t) => {
    const { subject, adapter, zone, apply, sent } = await start(t, makeSubject)
    await apply([edit('text', 'TXT', [add('x'.repeat(989))])])
    t.match(await subject.dump(), [{ name: 'text', members: { length: 1 } }])
    // Escapes count too, and only DNSimple knows.
    const quotes = await sent([edit('quoted', 'TXT', [add('a"'.repeat(400))])])
    t.match(await applyEdits(adapter, zone, quotes), [[{ ok: false, error: { kind: 'rejected' } }]])
  })

  await t.test('SRV and CAA', async (t) => {
    const { subject, apply, list } = await start(t, makeSubject)
    const [caa, srv] = ['0 issue "ca.example.net"', '10 60 5060 sip.example.net']
    await apply([edit('www', 'CAA', [add(caa)]), edit('_sip._tcp', 'SRV', [add(srv)])])
    const wanted = [rrset('_sip._tcp', 'SRV', [srv]), rrset('www', 'CAA', [caa])]
    t.same(await subject.dump(), wanted)
    t.same(
      (await list()).rrsets.filter(({ name }) => name !== '@'),
      wanted,
    )
  })

  await t.test(
    'a zone is made as a domain, and the records of a secondary one come from elsewhere',
    async (t) => {
      const { subject, adapter } = await start(t, makeSubject)
      const name = `made.${subject.zoneName}`
      t.match(await adapter.createZone(newZone(name)), { id: name, name })
      t.match(await adapter.findZones(name), [{ id: name, name, kind: 'primary' }])
      const body = JSON.stringify({ data: { name, secondary: true } })
      sim.fail({ kind: 'answer', answer: { status: 200, body }, on: ({ path }) => path.endsWith(`/${name}`) })
      t.match(await adapter.findZones(name), [{ kind: 'secondary' }])
    },
  )

  await t.test('the token of a user is refused in words', async (t) => {
    const { subject, adapter } = await start(t, makeSubject)
    const body = JSON.stringify({ data: { user: { id: 1 }, account: null } })
    sim.fail({ kind: 'answer', answer: { status: 200, body }, on: ({ path }) => path.endsWith('/whoami') })
    await expectError(t, subject, adapter.verify(), 'forbidden')
  })

  await t.test('the account is asked for once', async (t) => {
    const { apply } = await start(t, makeSubject)
    const asked = () => sim.requests.filter(({ path }) => path.endsWith('/whoami')).length
    await apply([edit('www', 'A', [add('192.0.2.1')])])
    const before = asked()
    await apply([edit('www', 'A', [add('192.0.2.2')])])
    t.equal(asked(), before)
  })

  await t.test('what DNSimple does not document, or has refused', (t) => {
    const refusal = (type: 'SRV' | 'CAA' | 'TXT', value: string) =>
      dnsimple.audit?.('example.com', [edit('_a._tcp', type, [add(value)])])?.[0]?.code
    t.equal(refusal('SRV', '0 0 0 .'), 'srv_target')
    t.equal(refusal('CAA', '0 issue "ca.example.net; a=b"'), 'caa_space')
    t.equal(refusal('TXT', 'a '), 'txt_space')
    t.equal(refusal('TXT', 'a b'), undefined)
    t.end()
  })
})
