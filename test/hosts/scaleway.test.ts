import t from 'tap'
import scaleway from '../../modules/providers/adapters/scaleway/index.ts'
import { conformance } from '../conformance/suite/index.ts'
import {
  add,
  edit,
  expectError,
  newZone,
  open,
  OTHER_TTL,
  remove,
  replace,
  rrset,
  start,
} from '../conformance/suite/subject.ts'
import dialect from '../conformance/simulators/scaleway.ts'
import { send } from '../conformance/simulators/simulator.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

const [A, B] = ['192.0.2.1', '192.0.2.2']

void t.test('Scaleway', async (t) => {
  const { sim, makeSubject } = await simulate(t, scaleway, dialect)
  await conformance(t, 'conformance', makeSubject)

  await t.test('a zone that is gone is not made by a write', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    sim.deleteZone(zone.name)
    const call = adapter.apply(zone, [edit('www', 'A', [add(A)])])
    await expectError(t, subject, call, 'not_found')
    t.notOk(sim.zoneNames().includes(zone.name))
    const unseen = { ...zone, name: 'unseen.test', id: 'unseen.test' }
    await expectError(t, subject, adapter.apply(unseen, [edit('www', 'A', [add(A)])]), 'not_found')
  })

  await t.test('a key that has its zones in another project is told', async (t) => {
    const { subject } = await start(t, makeSubject)
    const projectId = '00000000-0000-4000-8000-000000000000'
    const other = await open(t, subject, { ...subject.credentials, projectId })
    const error = await expectError(t, subject, other.verify(), 'not_found')
    t.match(error?.message, /project/)
  })

  await t.test('zones are made below registered domains alone', async (t) => {
    const { subject, adapter } = await start(t, makeSubject)
    const error = await expectError(t, subject, adapter.createZone(newZone('sub.foreign.test')), 'rejected')
    t.match(error?.message, /registered/)
  })

  await t.test('changes of several names are one call, what goes before what comes', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    await subject.seed([rrset('a', 'A', [A]), rrset('b', 'A', [A])])
    const writes = subject.writes?.() ?? 0
    await apply([
      edit('a', 'A', [replace(A, B)], OTHER_TTL),
      edit('b', 'A', [remove(A)]),
      edit('@', 'TXT', [add('x')]),
    ])
    t.equal(subject.writes?.(), writes + 1)
    t.same(await subject.dump(), [rrset('@', 'TXT', ['x']), rrset('a', 'A', [B], OTHER_TTL)])
  })

  await t.test('what was changed between reading and writing is read again', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    await subject.seed([rrset('www', 'A', [A])])
    const seed = () => subject.seed([rrset('www', 'A', [A, B])])
    sim.fail({
      kind: 'late',
      until: seed,
      on: ({ method, path }) => method === 'GET' && path.endsWith('/records'),
    })
    await apply([edit('www', 'A', [add(B)])])
    t.same(await subject.dump(), [rrset('www', 'A', [A, B])])
  })

  await t.test('a zone that is locked takes it later', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    const held = sim.createZone(zone.name)
    held.status = 'locked'
    await expectError(t, subject, adapter.apply(zone, [edit('www', 'A', [add(A)])]), 'locked')
  })

  await t.test('a change that Scaleway gives up is told', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    const held = sim.createZone(zone.name)
    held.unfinished = Infinity
    const answer = await adapter.apply(zone, [edit('www', 'A', [add(A)])])
    if (Array.isArray(answer)) return t.fail('it is not finished')
    t.equal(await adapter.isFinished?.(zone, answer.change), false)
    held.status = 'error'
    await expectError(t, subject, Promise.resolve(adapter.isFinished?.(zone, answer.change)), 'rejected')
  })

  await t.test('what Scaleway refuses', async (t) => {
    sim.createZone('example.test')
    const patch = (...changes: object[]) => send(sim, 'PATCH', '/dns-zones/example.test/records', { changes })
    const add = (...records: object[]) => patch({ add: { records } })
    const good = { name: 'x', type: 'A', data: '192.0.2.1' }
    await add({ name: 'alias', type: 'CNAME', data: 'a.test.' }, { ...good, name: 'twice' })
    for (const [record, argument_name] of [
      [{ ...good, name: 'alias' }, 'name'],
      [{ ...good, name: 'x y' }, 'name'],
      [{ ...good, name: '', type: 'CNAME', data: 'a.test.' }, 'name'],
      [{ ...good, type: 'WKS' }, 'type'],
      [{ ...good, data: '2001:db8::1' }, 'data'],
      [{ ...good, name: 'twice' }, 'data'],
      [{ ...good, ttl: 59 }, 'ttl'],
      [{ ...good, geo_ip_config: {}, view_config: {} }, 'dynamic_data'],
    ] as const) {
      const wanted = { status: 400, body: { details: [{ argument_name }] } }
      t.match(await add({ ...good, name: 'new' }, record), wanted, JSON.stringify(record))
    }
    t.notOk(
      sim.zones.get('example.test')?.records.some(({ name }) => name === 'new'),
      'all or nothing',
    )
    t.match(await patch(), { status: 400 })
    t.match(await patch({ delete: { id_fields: { name: 'no', type: 'A' } } }), { status: 404 })
    t.equal((await send(sim, 'GET', '/dns-zones?page_size=1001')).status, 400)
  })
})
