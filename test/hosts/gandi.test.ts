import t from 'tap'
import gandi from '../../modules/providers/adapters/gandi/index.ts'
import { conformance } from '../conformance/suite/index.ts'
import {
  edit,
  expectError,
  newZone,
  OTHER_TTL,
  replace,
  rrset,
  start,
  add,
} from '../conformance/suite/subject.ts'
import dialect from '../conformance/simulators/gandi.ts'
import { send } from '../conformance/simulators/simulator.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

void t.test('Gandi', async (t) => {
  const { sim, makeSubject } = await simulate(t, gandi, dialect)
  await conformance(t, 'conformance', makeSubject)

  await t.test('zones are made for domains that are registered there', async (t) => {
    const { subject, adapter } = await start(t, makeSubject)
    const name = `made.${subject.zoneName}`
    await expectError(t, subject, adapter.createZone(newZone(name)), 'not_found')
    sim.options['registered'] = new Set([name])
    t.match(await adapter.createZone(newZone(name)), { name })
    t.match(await adapter.findZones(name), [{ name }])
    await expectError(t, subject, adapter.createZone(newZone(name)), 'conflict')
  })

  await t.test(
    'names without final dot are relative to the domain, and stay as they are spelled',
    async (t) => {
      const { subject, list, apply } = await start(t, makeSubject)
      const { zoneName } = subject
      sim.createZone(zoneName).write('mail', 'MX', { rrset_ttl: 3600, rrset_values: ['10 one', '20 two'] })
      const values = [`10 one.${zoneName}`, `20 two.${zoneName}`]
      t.same((await list()).rrsets, [rrset('mail', 'MX', values)])
      await apply([edit('mail', 'MX', [replace(values[0] ?? '', '5 other.example.net')], OTHER_TTL)])
      const held = sim.requests.findLast(({ method }) => method === 'PUT')?.body ?? ''
      t.same(JSON.parse(held), { rrset_ttl: OTHER_TTL, rrset_values: ['20 two', '5 other.example.net.'] })
    },
  )

  await t.test('an ALIAS is at the apex', (t) => {
    const edits = (name: string) => [edit(name, 'ALIAS', [add('target.example.net')])]
    t.match(gandi.audit?.('example.com', edits('www')), [{ field: 'name', code: 'alias_apex' }])
    t.same(gandi.audit?.('example.com', edits('@')), [])
    t.end()
  })

  await t.test('what Gandi refuses', async (t) => {
    sim.createZone('example.test')
    const records = '/domains/example.test/records'
    const put = (path: string, body: unknown) => send(sim, 'PUT', `${records}${path}`, body)
    const values = (...rrset_values: string[]) => ({ rrset_ttl: 3600, rrset_values })
    const invalid = (name: string) => ({ status: 400, body: { errors: [{ location: 'body', name }] } })
    await put('/text/TXT', values('say "hi"', '"a" "b"', 'x'.repeat(256)))
    t.match(await send(sim, 'GET', `${records}/text/TXT`), {
      body: { rrset_values: ['"say \\"hi\\""', '"a" "b"', `"${'x'.repeat(255)}" "x"`] },
    })
    for (const [path, body, name] of [
      ['Upper/A', values('192.0.2.1'), 'rrset_name'],
      ['www/HTTPS', values('1 .'), 'rrset_type'],
      ['@/NS', values('ns.test.'), 'rrset_type'],
      ['www/ALIAS', values('a.test.'), 'rrset_type'],
      ['www/A', { rrset_values: ['192.0.2.1'], rrset_ttl: 299 }, 'rrset_ttl'],
      ['www/A', { rrset_values: ['192.0.2.1'], rrset_ttl: 2_592_001 }, 'rrset_ttl'],
      ['www/A', values(), 'rrset_values'],
      ['www/A', values('2001:db8::1'), 'rrset_values'],
      ['www/A', values('192.0.2.1', '192.0.2.1'), 'rrset_values'],
      ['www/CNAME', values('a.test.', 'b.test.'), 'rrset_values'],
      ['text/CNAME', values('a.test.'), 'rrset_type'],
    ] as const)
      t.match(await put(`/${path}`, body), invalid(name), path)
    t.match(await send(sim, 'POST', `${records}/text/TXT`, values('x')), { status: 409 })
    t.equal((await put('/text/TXT', { rrset_values: ['x'] })).status, 201)
    t.match(await send(sim, 'GET', `${records}/text/TXT`), { body: { rrset_ttl: 10_800 } }, 'the default')
    const item = (rrset_type: string, value: string) => ({ rrset_type, rrset_values: [value] })
    await put('/both', { items: [item('A', '192.0.2.1')] })
    const bad = { items: [item('A', '192.0.2.2'), item('CNAME', 'a.test.')] }
    t.match(await put('/both', bad), invalid('rrset_type'))
    t.match(await send(sim, 'GET', `${records}/both/A`), { body: { rrset_values: ['192.0.2.1'] } })
    t.equal((await send(sim, 'GET', `${records}?per_page=101`)).status, 400)
    t.equal((await send(sim, 'DELETE', '/domains/example.test')).status, 405)
    t.equal((await send(sim, 'DELETE', `${records}/no/A`)).status, 404)
  })
})
