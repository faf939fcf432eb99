import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import type { DnsAdapter, RRset, Zone } from '../../modules/providers/contract.ts'
import { until } from '../helpers/until.ts'
import { conformance } from '../conformance/suite/index.ts'
import {
  add,
  edit,
  expectError,
  open,
  remove,
  replace,
  rrset,
  sorted,
  start,
  zonesOf,
  type Subject,
} from '../conformance/suite/subject.ts'
import { startBind, startKnot, type NameServer } from './name-servers.ts'
import { credentialsOf, subjectsOf } from './rfc2136-subject.ts'

const ZONES = 160
const MANY = 10_000

for (const startServer of [startBind, startKnot]) {
  const server = await startServer(ZONES)
  t.teardown(() => server.close())
  const makeSubject = subjectsOf(server)
  void conformance(t, `real ${server.name}`, makeSubject)
  void t.test(`what only DNS has, at ${server.name}`, async (t) => {
    await t.test('keys', (t) => keys(t, server, makeSubject))
    await t.test('which zones there are', (t) => zones(t, server, makeSubject))
    await t.test('names that are not as they are answered', (t) => names(t, server, makeSubject))
    await t.test('what servers leave undone without a word', (t) => undone(t, makeSubject))
    await t.test('name servers of the zone, and its SOA', (t) => apex(t, server, makeSubject))
    await t.test('several writers of one RRset', (t) => writers(t, makeSubject))
    await t.test(`a zone of ${MANY} records`, (t) => large(t, makeSubject))
    await t.test('a zone that the server signs', (t) => signed(t, server, makeSubject))
  })
}

void t.test('the configurations of the guide', async (t) => {
  const guide = await readFile(new URL('../../docs/providers/rfc2136.md', import.meta.url), 'utf8')
  for (const [language, command, args] of [
    ['named', 'named-checkconf', (file: string) => [file]],
    ['knot', 'knotc', (file: string) => ['-c', file, 'conf-check']],
  ] as const) {
    const [, text = ''] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(guide) ?? []
    const given = args(path.join(t.testdir({ configuration: text }), 'configuration'))
    t.match(text, /zonekeeper/)
    await t.resolves(promisify(execFile)(command, given), language)
  }
})

type MakeSubject = () => Promise<Subject>

async function keys(t: Test, server: NameServer, makeSubject: MakeSubject): Promise<void> {
  const { subject, zone } = await start(t, makeSubject)
  for (const key of server.keys) {
    const adapter = await open(t, subject, credentialsOf(server, key, zone.name))
    await adapter.verify()
    await adapter.apply(zone, [edit('by', 'TXT', [add(key.algorithm)])])
  }
  const wanted = server.keys.map(({ algorithm }) => algorithm)
  t.same(await subject.dump(), sorted([rrset('by', 'TXT', wanted)]), 'every algorithm')

  // BIND says REFUSED; Knot that it does not know the key, for this.
  const kinds = ['forbidden', 'auth'] as const
  const edits = [edit('never', 'A', [add('192.0.2.1')])]
  const reader = await open(t, subject, credentialsOf(server, server.keyOf('transfer'), zone.name))
  t.match(await reader.findZones(zone.name), [{ name: zone.name }])
  t.ok((await reader.listRRsets(zone)[Symbol.asyncIterator]().next()).value)
  const writer = await open(t, subject, credentialsOf(server, server.keyOf('update'), zone.name))
  t.equal(await writer.readRRset(zone, 'never', 'A'), null)
  const nobody = await open(t, subject, credentialsOf(server, server.keyOf('nothing'), zone.name))
  for (const call of [
    () => reader.verify(),
    () => reader.apply(zone, edits),
    () => writer.verify(),
    () => writer.findZones(zone.name),
    () => writer.listRRsets(zone)[Symbol.asyncIterator]().next(),
    () => nobody.verify(),
    () => nobody.apply(zone, edits),
  ]) {
    await expectError(t, subject, call(), [...kinds])
  }
  const all = credentialsOf(server, server.keyOf('all'), zone.name)
  for (const wrong of [{ keyName: 'another' }, { algorithm: 'hmac-sha512' }, { secret: 'AAAA' }]) {
    const adapter = await open(t, subject, { ...all, ...wrong })
    const error = await expectError(t, subject, adapter.apply(zone, edits), 'auth')
    t.match(error?.message, /key/)
  }
  t.same(await subject.dump(), sorted([rrset('by', 'TXT', wanted)]), 'nothing was written')
}

async function zones(t: Test, server: NameServer, makeSubject: MakeSubject): Promise<void> {
  const { subject } = await start(t, makeSubject)
  const [first = '', second = '', third = ''] = server.zones
  const names = async (zones: string, catalog = '') => {
    const adapter = await open(t, subject, { ...credentialsOf(server, server.keyOf('all'), zones), catalog })
    return (await zonesOf(adapter)).map(({ name }) => name)
  }
  t.same(await names(`${first}., missing.test\n${second.toUpperCase()} sub.${first}`), [first, second])
  t.same(await names('', server.catalog), [first, second, third], 'members of a catalog zone')
  t.same(await names(`${server.signedZone} ${first}`, server.catalog), [
    server.signedZone,
    first,
    second,
    third,
  ])
  t.same(await names(server.zones.join(',')), server.zones, 'many')
  t.same(await names(''), [])
  const without = await open(t, subject, credentialsOf(server, server.keyOf('all')))
  await expectError(t, subject, without.verify(), 'rejected')
  const listed = { ...credentialsOf(server, server.keyOf('all')), catalog: server.catalog }
  await (await open(t, subject, listed)).verify()
}

async function names(t: Test, server: NameServer, makeSubject: MakeSubject): Promise<void> {
  const { subject, adapter, zone, apply } = await start(t, makeSubject)
  const { name } = zone
  await subject.seed([
    rrset('*.wild', 'A', ['192.0.2.1']),
    rrset('*.alias', 'CNAME', ['target.example.net']),
    rrset('sub', 'NS', [`ns.sub.${name}`]),
    rrset('ns.sub', 'A', ['192.0.2.1']),
    rrset('tree', 'DNAME', ['example.net']),
  ])
  const read = (host: string, type: 'A' | 'NS' | 'CNAME' | 'TXT') => adapter.readRRset(zone, host, type)
  t.equal(await read('a.wild', 'A'), null, 'a wildcard answers, and nothing is there')
  t.equal(await read('a.alias', 'CNAME'), null)
  t.same(await read('*.wild', 'A'), rrset('*.wild', 'A', ['192.0.2.1']))
  t.same(await read('sub', 'NS'), rrset('sub', 'NS', [`ns.sub.${name}`]), 'a delegation')
  t.same(await read('ns.sub', 'A'), rrset('ns.sub', 'A', ['192.0.2.1']), 'glue')
  t.equal(await read('x.tree', 'TXT'), null, 'below a DNAME')

  await apply([edit('a.wild', 'A', [add('192.0.2.1')])])
  t.same(await read('a.wild', 'A'), rrset('a.wild', 'A', ['192.0.2.1']), 'what was answered is there now')
  await apply([edit('b.wild', 'A', [add('192.0.2.2')])])
  t.same(await read('b.wild', 'A'), rrset('b.wild', 'A', ['192.0.2.2']), 'without what was made up')
  await apply([edit('c.wild', 'A', [remove('192.0.2.1')])])
  t.equal(await read('c.wild', 'A'), null)
  await apply([edit('a.alias', 'TXT', [add('beside')])])
  t.same(await read('a.alias', 'TXT'), rrset('a.alias', 'TXT', ['beside']))
  await apply([edit('ns.sub', 'A', [add('192.0.2.2')])])
  t.same(await read('ns.sub', 'A'), rrset('ns.sub', 'A', ['192.0.2.1', '192.0.2.2']))

  await server.nsupdate([
    `update add case.${name}. 300 MX 5 Mail.Example.NET.`,
    `update add CASE.${name}. 300 CAA 0 ISSUE "x.Test"`,
  ])
  await apply([
    edit('case', 'MX', [add('7 other.example.net')]),
    edit('case', 'CAA', [add('0 iodef "mailto:a@x.test"')]),
  ])
  const shown = async (type: string) =>
    (await server.dig('+short', '+tcp', `case.${name}`, type)).split('\n').sort()
  t.match((await shown('MX')).join(' ').toLowerCase(), /5 mail.example.net. 7 other.example.net/)
  t.same(await shown('CAA'), ['', '0 ISSUE "x.Test"', '0 iodef "mailto:a@x.test"'], 'to the letter')
}

async function undone(t: Test, makeSubject: MakeSubject): Promise<void> {
  const { subject, adapter, zone, apply } = await start(t, makeSubject)
  const seeded = sorted([
    rrset('taken', 'A', ['192.0.2.1']),
    rrset('taken', 'TXT', ['x']),
    rrset('alias', 'CNAME', ['x.example.net']),
    rrset('sub', 'NS', ['ns1.example.net']),
    rrset('sub', 'DS', [`1 13 2 ${'ab'.repeat(32)}`]),
  ])
  await subject.seed(seeded)
  const ds = `2 13 2 ${'cd'.repeat(32)}`
  const other = edit('other', 'A', [add('192.0.2.1')])
  for (const refused of [
    [edit('taken', 'CNAME', [add('x.example.net')])],
    [edit('taken', 'CNAME', [add('x.example.net')]), edit('taken', 'A', [remove('192.0.2.1')])],
    [edit('alias', 'A', [add('192.0.2.1')])],
    [edit('fresh', 'A', [add('192.0.2.1')]), edit('fresh', 'CNAME', [add('x.example.net')])],
    [edit('fresh', 'DS', [add(ds)])],
    [edit('sub', 'NS', [remove('ns1.example.net')])],
  ]) {
    await expectError(t, subject, adapter.apply(zone, [other, ...refused]), 'conflict')
  }
  const two = edit('alias', 'CNAME', [add('y.example.net')])
  await expectError(t, subject, adapter.apply(zone, [other, two]), 'rejected')
  const long = Array.from({ length: 30 }, (_, i) => add(`${'x'.repeat(2_400)}${i}`))
  await expectError(t, subject, adapter.apply(zone, [other, edit('long', 'TXT', long)]), 'rejected')
  t.same(await subject.dump(), seeded, 'nothing was written')

  await apply([
    edit('fresh', 'NS', [add('ns1.example.net')]),
    edit('fresh', 'DS', [add(ds)]),
    edit('sub', 'DS', [remove(`1 13 2 ${'ab'.repeat(32)}`)]),
    edit('sub', 'NS', [remove('ns1.example.net')]),
    edit('alias', 'CNAME', [replace('x.example.net', 'y.example.net')], 60),
  ])
  t.same(
    await subject.dump(),
    sorted([
      ...seeded.filter(({ name }) => name === 'taken'),
      rrset('alias', 'CNAME', ['y.example.net'], 60),
      rrset('fresh', 'NS', ['ns1.example.net']),
      rrset('fresh', 'DS', [ds]),
    ]),
  )
}

async function apex(t: Test, server: NameServer, makeSubject: MakeSubject): Promise<void> {
  const { subject, adapter, zone, apply } = await start(t, makeSubject)
  const read = async () => sorted([(await adapter.readRRset(zone, '@', 'NS')) as RRset])[0]
  const old = 'ns.host.invalid'
  await apply([edit('@', 'NS', [add('ns1.example.net')], 900)])
  t.same(await read(), rrset('@', 'NS', [old, 'ns1.example.net'], 900))
  await apply([edit('@', 'NS', [remove(old), replace('ns1.example.net', 'ns2.example.net')], 900)])
  t.same(await read(), rrset('@', 'NS', ['ns2.example.net'], 900), 'all of them')
  await apply([edit('@', 'NS', [], 1200)])
  t.same(await read(), rrset('@', 'NS', ['ns2.example.net'], 1200), 'the TTL alone')
  const last = adapter.apply(zone, [edit('@', 'NS', [remove('ns2.example.net')], 1200)])
  await expectError(t, subject, last, 'rejected')

  const soa = await adapter.readSoa?.(zone)
  if (soa === undefined) throw new Error('There is a SOA')
  const wanted = { ...soa, primary: 'ns2.example.net', mailbox: 'a\\.b.example.net', refresh: 7200, ttl: 600 }
  await apply([edit('www', 'A', [add('192.0.2.1')])])
  await adapter.writeSoa?.(zone, wanted)
  const after = await adapter.readSoa?.(zone)
  t.same({ ...after, serial: 0 }, { ...wanted, serial: 0 })
  t.ok((after?.serial ?? 0) > soa.serial + 1, 'above what others made of it')
  t.match(
    await server.dig('+short', zone.name, 'SOA'),
    /^ns2\.example\.net\. a\\\.b\.example\.net\. \d+ 7200 /,
  )
}

async function writers(t: Test, makeSubject: MakeSubject): Promise<void> {
  const { subject, adapter, zone } = await start(t, makeSubject)
  await subject.seed([rrset('www', 'A', ['192.0.2.1'])])
  const values = Array.from({ length: 6 }, (_, i) => `198.51.100.${i}`)
  const write = async (value: string): Promise<void> => {
    try {
      await adapter.apply(zone, [edit('www', 'A', [add(value)])])
    } catch (error) {
      // Too many were quicker, and nothing was written: the service tries again.
      t.match(error, { kind: 'locked', outcome: 'not_applied' })
      await write(value)
    }
  }
  await Promise.all(values.map(write))
  t.same(await subject.dump(), sorted([rrset('www', 'A', ['192.0.2.1', ...values])]), 'no change was lost')
  await Promise.all(values.map((value) => adapter.apply(zone, [edit(`of-${value}`, 'A', [add(value)])])))
}

async function large(t: Test, makeSubject: MakeSubject): Promise<void> {
  const { subject, zone } = await start(t, makeSubject)
  const many = Array.from({ length: MANY }, (_, i) => rrset(`host-${i}`, 'A', [`10.1.${i >> 8}.${i & 255}`]))
  await subject.seed(many)
  const adapter = await open(t, subject)
  const begun = performance.now()
  const rrsets: RRset[] = []
  for await (const page of adapter.listRRsets(zone)) rrsets.push(...page.rrsets)
  t.comment(`${MANY} records in ${Math.round(performance.now() - begun)} ms`)
  t.same(sorted(rrsets.filter(({ type }) => type === 'A')), sorted(many))
  t.same(await adapter.readRRset(zone, 'host-77', 'A'), rrset('host-77', 'A', ['10.1.0.77']))
  const small = await open(t, subject, subject.credentials, 20_000, MANY / 2)
  await expectError(t, subject, small.listRRsets(zone)[Symbol.asyncIterator]().next(), 'too_large')
}

async function signed(t: Test, server: NameServer, makeSubject: MakeSubject): Promise<void> {
  const { subject } = await start(t, makeSubject)
  const adapter: DnsAdapter = await open(t, subject)
  const zone: Zone = { id: server.signedZone, name: server.signedZone }
  await adapter.apply(zone, [
    edit('www', 'A', [add('192.0.2.1')]),
    edit('alias', 'CNAME', [add('x.example.net')]),
  ])
  await adapter.apply(zone, [
    edit('www', 'A', [replace('192.0.2.1', '192.0.2.2')], 600),
    edit('alias', 'CNAME', [replace('x.example.net', 'y.example.net')]),
  ])
  const list = async () => {
    const rrsets: RRset[] = []
    const unmanaged = new Set<string>()
    for await (const page of adapter.listRRsets(zone)) {
      rrsets.push(...page.rrsets)
      for (const { type } of page.unmanaged) unmanaged.add(type)
    }
    // BIND signs a copy of the zone, and shows that.
    return JSON.stringify(rrsets).includes('y.example.net') && { rrsets, unmanaged }
  }
  const { rrsets, unmanaged } = await until('the change is signed', list)
  t.same(sorted(rrsets), [
    rrset('@', 'NS', ['ns.host.invalid'], 3600),
    rrset('alias', 'CNAME', ['y.example.net']),
    rrset('www', 'A', ['192.0.2.2'], 600),
  ])
  for (const type of ['DNSKEY', 'RRSIG', 'NSEC']) t.ok(unmanaged.has(type), type)
  const dig = await server.dig('+dnssec', '+tcp', `www.${zone.name}`, 'A')
  t.match(dig, /\sA\s192\.0\.2\.2\n.*\sRRSIG\sA\s/)
  const swapped = [edit('www', 'A', [remove('192.0.2.2')]), edit('www', 'CNAME', [add('x.example.net')])]
  await adapter.apply(zone, swapped)
  const read = () => adapter.readRRset(zone, 'www', 'CNAME')
  t.match(await until('it is a CNAME', read), { members: [{ value: 'x.example.net' }] })
}
