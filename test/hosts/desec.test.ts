import t from 'tap'
import desec from '../../modules/providers/adapters/desec/index.ts'
import { conformance } from '../conformance/suite/index.ts'
import dialect from '../conformance/simulators/desec.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'
import { send } from '../conformance/simulators/simulator.ts'

void t.test('deSEC', async (t) => {
  const { sim, makeSubject } = await simulate(t, desec, dialect)
  await conformance(t, 'conformance', makeSubject)

  await t.test('what deSEC refuses', async (t) => {
    sim.createZone('example.test', { minimumTtl: 60 })
    const path = '/domains/example.test/rrsets/'
    const set = (subname: string, type: string, records: string[], ttl = 3600) => ({
      subname,
      type,
      records,
      ttl,
    })
    const a = (subname: string) => set(subname, 'A', ['192.0.2.1'])
    await send(sim, 'PUT', path, [a('a'), set('b', 'CNAME', ['x.example.net.'])])
    for (const [wrong, body] of [
      [a('a'), { non_field_errors: [/Another RRset/] }],
      [set('', 'CNAME', ['a.test.']), { non_field_errors: [/empty subname/] }],
      [set('c', 'CNAME', ['a.test.', 'b.test.']), { non_field_errors: [/multiple/] }],
      [set('x', 'A', ['2001:db8::1']), { non_field_errors: [/malformed/] }],
      [set('x', 'TXT', ['bare']), { non_field_errors: [/malformed/] }],
      [set('x', 'ALIAS', ['a.test.']), { type: [/./] }],
      [set('x', 'SOA', ['a.test.']), { type: [/./] }],
      [set('x', 'a', ['a.test.']), { type: [/./] }],
      [a('@'), { subname: [/./] }],
      [set('x', 'A', ['192.0.2.1'], 59), { ttl: [/greater/] }],
      [set('x', 'A', ['192.0.2.1'], 86_401), { ttl: [/less/] }],
    ] as const)
      t.match(await send(sim, 'POST', path, wrong), { status: 400, body }, JSON.stringify(wrong))
    const clash = { non_field_errors: [/conflicting type present at same subname: database \(CNAME\)/] }
    const half = await send(sim, 'PATCH', path, [a('new'), a('b')])
    t.match(half, { status: 400, body: [{}, clash] })
    t.match(await send(sim, 'GET', `${path}?subname=new`), { body: [] }, 'all or nothing')
    const twice = await send(sim, 'PATCH', path, [a('t'), a('t')])
    t.match(twice, { status: 400, body: [{ non_field_errors: [/position\(s\) 1/] }, {}] })
    t.equal((await send(sim, 'PATCH', path, a('o'))).status, 400, 'one alone')
    t.equal((await send(sim, 'GET', '/domains')).status, 404, 'a path without its slash')
    t.equal((await send(sim, 'DELETE', '/domains/missing.test/')).status, 204)
  })

  await t.test('more than 500 come by cursors alone', async (t) => {
    const many = sim.createZone('many.test')
    const sets = Array.from({ length: 501 }, (_, i) => ({ subname: `h${i}`, type: 'A', ttl: 3600 }))
    many.write(
      'POST',
      sets.map((set) => ({ ...set, records: ['192.0.2.1'] })),
    )
    const refused = await send(sim, 'GET', '/domains/many.test/rrsets/')
    t.match([refused.status, refused.headers.get('link')], [400, /cursor=>; rel="first"/])
    t.match(await send(sim, 'GET', '/domains/many.test/rrsets/?cursor='), { body: { length: 500 } })
  })

  await t.test('too many writes and domains', async (t) => {
    const { sim: narrow } = await simulate(t, desec, dialect, { writes: [[1, 60]], maxDomains: 1 })
    narrow.createZone('narrow.test')
    const put = () => send(narrow, 'PUT', '/domains/narrow.test/rrsets/', [])
    t.equal((await put()).status, 200)
    const { status, headers } = await put()
    t.match([status, headers.get('retry-after')], [429, /^\d\d$/])
    t.equal((await send(narrow, 'POST', '/domains/', { name: 'b.test' })).status, 403)
  })
})
