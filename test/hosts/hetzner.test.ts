import t from 'tap'
import hetzner from '../../modules/providers/adapters/hetzner/index.ts'
import { conformance } from '../conformance/suite/index.ts'
import {
  applyEdits,
  edit,
  expectError,
  OTHER_TTL,
  add,
  remove,
  replace,
  rrset,
  start,
} from '../conformance/suite/subject.ts'
import dialect from '../conformance/simulators/hetzner.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

const [A, B, C] = ['192.0.2.1', '192.0.2.2', '192.0.2.3']

void t.test('Hetzner', async (t) => {
  const { sim, makeSubject } = await simulate(t, hetzner, dialect)
  await conformance(t, 'conformance', makeSubject)

  await t.test('values and TTL change at once, though one action locks the zone for the other', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    await subject.seed([rrset('www', 'A', [A])])
    sim.actions.unfinished = 1
    await apply([edit('www', 'A', [replace(A, B)], OTHER_TTL)])
    t.same(await subject.dump(), [rrset('www', 'A', [B], OTHER_TTL)])
  })

  await t.test(
    'a set without a TTL has that of the zone, and follows it until it is given another',
    async (t) => {
      const { subject, apply, list } = await start(t, makeSubject)
      await subject.seed([rrset('www', 'A', [A], null)])
      t.match((await list()).rrsets, [{ type: 'NS', ttl: 3600 }, rrset('www', 'A', [A], 3600)])
      await apply([edit('www', 'A', [add(B)], 3600)])
      t.same(await subject.dump(), [rrset('www', 'A', [A, B], null)])
      await apply([edit('www', 'A', [], OTHER_TTL)])
      t.same(await subject.dump(), [rrset('www', 'A', [A, B], OTHER_TTL)])
    },
  )

  await t.test('an action that fails is told, and left nothing behind', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    await subject.seed([rrset('www', 'A', [A])])
    sim.actions.unfinished = 1
    sim.actions.failsNext = true
    const call = applyEdits(adapter, zone, [edit('www', 'A', [add(B)])])
    const error = await expectError(t, subject, call, 'rejected')
    t.match(error?.message, /Action failed/)
    t.same(await subject.dump(), [rrset('www', 'A', [A])])
  })

  await t.test('what is added leaves alone what others add at the same time', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    await subject.seed([rrset('www', 'A', [A])])
    sim.requests.length = 0
    await apply([edit('www', 'A', [add(B), add(C)])])
    const [path] = sim.requests.filter(({ method }) => method === 'POST').map((request) => request.path)
    t.match(path, /\/rrsets\/www\/A\/actions\/add_records$/)
  })

  await t.test("Hetzner's own name servers at the apex can't be taken away", (t) => {
    const edits = (server: string) => [edit('@', 'NS', [remove(server)])]
    t.match(hetzner.audit?.('example.com', edits('helium.ns.hetzner.de')), [{ code: 'own_name_server' }])
    t.same(hetzner.audit?.('example.com', edits('ns1.example.net')), [])
    t.end()
  })
})
