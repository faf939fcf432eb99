import t from 'tap'
import gcore from '../../modules/providers/adapters/gcore/index.ts'
import { conformance } from '../conformance/suite/index.ts'
import { add, edit, start } from '../conformance/suite/subject.ts'
import dialect from '../conformance/simulators/gcore.ts'
import { send } from '../conformance/simulators/simulator.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

void t.test('Gcore DNS', async (t) => {
  const { sim, makeSubject } = await simulate(t, gcore, dialect)
  await conformance(t, 'conformance', makeSubject)

  await t.test('what balances a set, and which records are off, stays', async (t) => {
    const { subject, apply, list } = await start(t, makeSubject)
    const filters = [{ type: 'geodns', limit: 1, strict: true }]
    const [here, off] = [
      { content: ['192.0.2.1'], enabled: true, meta: { continents: ['europe'] } },
      { content: ['192.0.2.2'], enabled: false, meta: {} },
    ]
    const path = `/zones/${subject.zoneName}/www.${subject.zoneName}/A`
    await send(sim, 'POST', path, { ttl: 3600, resource_records: [here, off], filters })
    t.match(
      (await list()).rrsets.filter(({ name }) => name === 'www'),
      [{ members: [{ value: '192.0.2.1' }, { value: '192.0.2.2', disabled: true }] }],
    )
    await apply([edit('www', 'A', [add('192.0.2.3')])])
    t.match((await send(sim, 'GET', path)).body, {
      filters,
      resource_records: [here, off, { content: ['192.0.2.3'], enabled: true }],
    })
  })
})
