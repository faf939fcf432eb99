import t from 'tap'
import vultr from '../../modules/providers/adapters/vultr/index.ts'
import { add, edit, rrset, start } from '../conformance/suite/subject.ts'
import { conformance } from '../conformance/suite/index.ts'
import { send } from '../conformance/simulators/simulator.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'
import dialect from '../conformance/simulators/vultr.ts'

void t.test('Vultr', async (t) => {
  const { sim, makeSubject } = await simulate(t, vultr, dialect)
  await conformance(t, 'conformance', makeSubject)

  await t.test('CAA: whole in its data, and without spaces', async (t) => {
    const { subject, apply, list } = await start(t, makeSubject)
    const values = ['0 issue "letsencrypt.org"', '128 issuewild ";"']
    await apply([edit('@', 'CAA', values.map(add))])
    t.same(await subject.dump(), [rrset('@', 'CAA', values)])
    t.match((await list()).rrsets, [{ type: 'CAA' }, { type: 'NS' }])
    const spaced = [edit('@', 'CAA', [add('0 issue "letsencrypt.org; validationmethods=dns-01"')])]
    t.match(vultr.audit?.('example.com', spaced), [{ code: 'caa_space' }])
  })

  await t.test('what Vultr refuses and takes', async (t) => {
    sim.createZone('example.test')
    const path = '/domains/example.test/records'
    const a = (name: string, data = '192.0.2.1') => ({ type: 'A', name, data, ttl: 300 })
    t.match(await send(sim, 'POST', path, a('taken')), { body: { record: { priority: 0 } } })
    for (const wrong of [
      a('@'),
      a('www.'),
      a('x', '2001:db8::1'),
      { ...a('x'), ttl: 119 },
      { ...a('x'), type: 'PTR' },
      { type: 'CNAME', name: 'x', data: 'a.test.' },
      { type: 'CNAME', name: '', data: 'a.test' },
      { type: 'CNAME', name: 'taken', data: 'a.test' },
      { type: 'MX', name: 'x', data: '.', priority: 0 },
      { type: 'SRV', name: '_a._tcp', data: '1 2 3 a.test', priority: 1 },
      { type: 'TXT', name: 'x', data: 'bare' },
      { type: 'TXT', name: 'x', data: '"say \\"hi\\""' },
      { type: 'TXT', name: 'x', data: '"two" "strings"' },
      { type: 'CAA', name: 'x', data: '0 issue "ca.test; a=b"' },
    ])
      t.match(await send(sim, 'POST', path, wrong), { status: 400 }, JSON.stringify(wrong))
    for (const right of [
      a('taken'),
      { type: 'SRV', name: '_a._tcp', data: '2 3 a.test', priority: 1 },
      { type: 'TXT', name: 'x', data: `"${'x'.repeat(300)}"` },
      { type: 'CAA', name: 'x', data: '0 issue "ca.test"' },
      { type: 'SSHFP', name: 'x', data: '1 1 7491973e5f8b39d5327cd4e08bc81b05f7710b49' },
    ])
      t.match(await send(sim, 'POST', path, right), { status: 201 }, JSON.stringify(right))
    t.equal((await send(sim, 'GET', `${path}?per_page=501`)).status, 400)
    t.equal((await send(sim, 'GET', `${path}?cursor=2`)).status, 400)
  })
})
