import t from 'tap'
import ns1 from '../../modules/providers/adapters/ns1/index.ts'
import { add, edit, expectError, remove, rrset, start } from '../conformance/suite/subject.ts'
import { conformance } from '../conformance/suite/index.ts'
import dialect from '../conformance/simulators/ns1.ts'
import { send } from '../conformance/simulators/simulator.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

const [ONE, TWO] = ['192.0.2.1', '192.0.2.2'] as const

void t.test('NS1', async (t) => {
  const { sim, makeSubject } = await simulate(t, ns1, dialect)
  await conformance(t, 'conformance', makeSubject)

  const made = async (zone: string, more: object) => {
    const domain = `www.${zone}`
    const path = `/zones/${zone}/${domain}/A`
    const body = { zone, domain, type: 'A', ttl: 3600, ...more }
    t.equal((await send(sim, 'PUT', path, body)).status, 200)
    return async () => (await send(sim, 'GET', path)).body
  }

  await t.test('answers that stay keep their metadata', async (t) => {
    const { zone, apply } = await start(t, makeSubject)
    const look = await made(zone.name, { answers: [{ answer: [ONE], meta: { note: 'kept' } }] })
    await apply([edit('www', 'A', [add(TWO)])])
    t.match(await look(), { answers: [{ answer: [ONE], meta: { note: 'kept' } }, { answer: [TWO] }] })
  })

  await t.test('a filter chain is never changed, and its answers are shown', async (t) => {
    const { subject, zone, list, adapter } = await start(t, makeSubject)
    const filters = [{ filter: 'shuffle', config: {} }]
    const look = await made(zone.name, { answers: [{ answer: [ONE] }], filters })
    const before = await look()
    for (const change of [add(TWO), remove(ONE)])
      await expectError(t, subject, adapter.apply(zone, [edit('www', 'A', [change])]), 'rejected')
    t.same(await look(), before)
    t.match((await list()).rrsets, [{ type: 'NS' }, { name: 'www', members: [{ value: ONE }] }])
  })

  await t.test('a CAA with parameters is three words', async (t) => {
    const { subject, apply, zone } = await start(t, makeSubject)
    const value = '0 issue "ca.example.net; validationmethods=dns-01"'
    await apply([edit('@', 'CAA', [add(value)])])
    t.same(await subject.dump(), [rrset('@', 'CAA', [value])])
    const { body } = await send(sim, 'GET', `/zones/${zone.name}/${zone.name}/CAA`)
    t.match(body, { answers: [{ answer: ['0', 'issue', 'ca.example.net; validationmethods=dns-01'] }] })
  })

  await t.test('zones come in pages', async (t) => {
    const { makeSubject: paging } = await simulate(t, ns1, dialect, { pageSize: 1 })
    await start(t, paging)
    const { adapter } = await start(t, paging)
    const names = []
    for await (const page of adapter.listZones()) names.push(...page)
    t.equal(names.length, 2)
  })
})
