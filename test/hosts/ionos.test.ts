import t from 'tap'
import ionos from '../../modules/providers/adapters/ionos/index.ts'
import { conformance } from '../conformance/suite/index.ts'
import {
  add,
  applyEdits,
  edit,
  expectError,
  newZone,
  remove,
  rrset,
  start,
} from '../conformance/suite/subject.ts'
import dialect from '../conformance/simulators/ionos.ts'
import { send } from '../conformance/simulators/simulator.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

void t.test('IONOS', async (t) => {
  const { sim, makeSubject } = await simulate(t, ionos, dialect)
  await conformance(t, 'conformance', makeSubject)

  const A = '192.0.2.1'

  await t.test('new records go in one call, and each alone where one of them is refused', async (t) => {
    const { subject, adapter, zone, apply } = await start(t, makeSubject)
    sim.requests.length = 0
    await apply(['a', 'b', 'c'].map((name) => edit(name, 'A', [add(A)])))
    t.equal(subject.writes?.(), 1)
    const edits = [edit('d', 'A', [add(A)]), edit('a', 'CNAME', [add('x.example.net')])]
    const outcomes = await applyEdits(adapter, zone, edits)
    t.match(outcomes, [[{ ok: true, providerId: String }], [{ ok: false, error: { kind: 'rejected' } }]])
    t.equal(subject.writes?.(), 4)
    t.equal((await subject.dump()).length, 4)
  })

  await t.test('what somebody else made meanwhile is made', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    const until = () => subject.seed([rrset('www', 'A', [A])])
    sim.fail({ kind: 'late', until, on: 'read' })
    const outcomes = await applyEdits(adapter, zone, [edit('www', 'A', [add(A)])])
    const set = await adapter.readRRset(zone, 'www', 'A')
    t.match(outcomes, [[{ ok: true, providerId: set?.members[0]?.providerId }]])
    t.equal(set?.members.length, 1)
  })

  await t.test('what somebody else took away meanwhile is gone for who takes it away', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    await subject.seed([rrset('www', 'A', [A])])
    const body = JSON.stringify([{ code: 'RECORD_NOT_FOUND', message: 'Record does not exist.' }])
    sim.fail({ kind: 'answer', answer: { status: 404, body }, on: 'write' })
    await t.resolves(apply([edit('www', 'A', [remove(A)])]))
  })

  await t.test('the secret is not shown without its prefix either', async (t) => {
    const { adapter, zone } = await start(t, makeSubject)
    const [, secret = ''] = sim.apiKey.split('.')
    const invalid = { message: 'Record is invalid.', parameters: { invalidFields: [`field of ${secret}`] } }
    const answer = { status: 400, body: JSON.stringify([{ code: 'INVALID_RECORD', ...invalid }]) }
    sim.fail({ kind: 'answer', answer, on: 'write' })
    const [[outcome] = []] = await applyEdits(adapter, zone, [edit('www', 'A', [add(A)])])
    const message = outcome?.ok === false ? outcome.error.message : ''
    t.match(message, /Record is invalid/)
    t.notOk(message.includes(secret))
  })

  await t.test('zones come and go with their domains', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    await expectError(t, subject, adapter.createZone(newZone('new.test')), 'rejected')
    await expectError(t, subject, adapter.deleteZone(zone), 'rejected')
  })

  await t.test('an SRV without a server is refused beforehand', (t) => {
    const audit = (value: string) => ionos.audit?.('example.com', [edit('_sip._tcp', 'SRV', [add(value)])])
    t.match(audit('0 0 0 .'), [{ field: 'value', code: 'srv_target' }])
    t.same(audit('0 1 5060 sip.example.net'), [])
    t.end()
  })

  await t.test('what IONOS refuses', async (t) => {
    const zone = sim.createZone('example.test')
    const path = `/zones/${zone.id}/records`
    const record = (name: string, content: string, more: object = {}) => ({
      name: `${name}.example.test`,
      type: 'A',
      content,
      ...more,
    })
    const post = (...bodies: object[]) => send(sim, 'POST', path, bodies)
    await post(record('alias', 'a.test', { type: 'CNAME' }), record('www', '192.0.2.1', { ttl: 60 }))
    await post(record('www', '192.0.2.2'))
    t.match(
      zone.added.slice(1).map(({ ttl }) => ttl),
      [3600, 3600],
      'one TTL for the set',
    )
    const again = await post(record('other', '192.0.2.1'), record('www', '192.0.2.1'))
    t.match(again, { status: 400, body: [{ code: 'RECORD_ALREADY_EXISTS' }] })
    t.equal(zone.added.length, 3, 'all or nothing')
    for (const [body, field] of [
      [{ ...record('www', '192.0.2.9'), name: 'www' }, 'name'],
      [record('x y', '192.0.2.9'), 'name'],
      [record('alias', '192.0.2.9'), 'type'],
      [{ ...record('x', 'ns.test'), type: 'NS', name: 'example.test' }, 'type'],
      [record('x', 'a.test', { type: 'ALIAS' }), 'type'],
      [record('x', '192.0.2.9', { ttl: 59 }), 'ttl'],
      [record('x', '2001:db8::1'), 'content'],
      [record('x', '.', { type: 'MX', prio: 0 }), 'content'],
      [record('x', 'mx.test', { type: 'MX', prio: -1 }), 'prio'],
    ] as const) {
      const parameters = { invalidFields: [field] }
      t.match(await post(body), { status: 400, body: [{ code: 'INVALID_RECORD', parameters }] }, field)
    }
    t.match(await send(sim, 'DELETE', `${path}/${zone.records[0]?.id}`), { status: 400 }, 'its SOA')
    t.match(await send(sim, 'GET', `/zones/${zone.id}?recordName=www`), { status: 400 })
    await send(sim, 'PATCH', `/zones/${zone.id}`, [record('www', '192.0.2.3')])
    await send(sim, 'PATCH', `/zones/${zone.id}`, [record('www', '192.0.2.4'), record('www', 'no')])
    t.match(zone.added.slice(1), [{ content: '192.0.2.3' }], 'a set is replaced, or nothing')
  })
})
