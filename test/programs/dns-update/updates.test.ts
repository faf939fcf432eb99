import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { until } from '../../helpers/until.ts'
import { startZone } from '../../helpers/zone.ts'
import {
  add,
  deleteName,
  deleteSet,
  deleteValue,
  exists,
  is,
  listen,
  makeKey,
  missing,
  update as send,
} from './client.ts'
import type { ResourceRecord } from '../../../dns/wire/message.ts'

/* What RFC 2136 says of an update, at a PowerDNS. */
const zone = await startZone(t, { providerBudgetMs: 2_000 })
const place = await listen(zone)
const { key } = await makeKey(zone, zone.admin)

const update = (updates: ResourceRecord[], prerequisites: ResourceRecord[] = []) =>
  send(place, key, 'example.com', updates, prerequisites)

const full = (name: string) => `${name}.example.com`
const ttlsOf = async (name: string) => {
  const { records } = (await zone.admin.get(`${zone.url}?limit=200`)).body
  return [
    ...new Set(
      (records as { name: string; ttl: number }[]).filter((one) => one.name === name).map(({ ttl }) => ttl),
    ),
  ]
}

void t.test('adds, deletes a value, an RRset and a name; each repeat changes nothing', async (t) => {
  const www = full('www')
  const twice = async (updates: ResourceRecord[]) => {
    t.equal(await update(updates), 'NOERROR')
    const writes = zone.writes()
    t.equal(await update(updates), 'NOERROR')
    t.equal(zone.writes(), writes, 'the provider is not called again')
  }
  await twice([add(www, 'A', '192.0.2.1'), add(www, 'A', '192.0.2.2'), add(www, 'TXT', 'hello "you"')])
  t.same(zone.there('www', 'A'), ['192.0.2.1', '192.0.2.2'])
  t.same(zone.there('www', 'TXT'), ['"hello \\"you\\""'])
  await twice([deleteValue(www, 'A', '192.0.2.1')])
  t.same(zone.there('www', 'A'), ['192.0.2.2'])
  await twice([deleteSet(www, 'A')])
  t.same(zone.there('www', 'A'), [])
  t.same(zone.there('www', 'TXT').length, 1)
  await twice([deleteName(www)])
  t.same(zone.there('www', 'TXT'), [])
})

void t.test('updates are done in their order: an RRset is replaced', async (t) => {
  const name = full('order')
  t.equal(await update([add(name, 'A', '192.0.2.1')]), 'NOERROR')
  t.equal(await update([deleteSet(name, 'A'), add(name, 'A', '192.0.2.9')]), 'NOERROR')
  t.same(zone.there('order', 'A'), ['192.0.2.9'])
  t.equal(await update([add(name, 'A', '192.0.2.1'), deleteSet(name, 'A')]), 'NOERROR')
  t.same(zone.there('order', 'A'), [])
})

void t.test('the TTL of an added record is that of its RRset', async (t) => {
  const name = full('ttl')
  t.equal(await update([add(name, 'A', '192.0.2.1', 300)]), 'NOERROR')
  t.equal(await update([add(name, 'A', '192.0.2.2', 900)]), 'NOERROR')
  t.same(await ttlsOf('ttl'), [900])
  t.equal(await update([add(name, 'A', '192.0.2.2', 1200)]), 'NOERROR', 'only the TTL differs')
  t.same(await ttlsOf('ttl'), [1200])
  t.same(zone.there('ttl', 'A'), ['192.0.2.1', '192.0.2.2'])
})

void t.test('the five prerequisites, each with its code; nothing is done if one does not hold', async (t) => {
  const [here, gone, made] = [full('here'), full('gone'), full('made')]
  t.equal(await update([add(here, 'A', '192.0.2.1'), add(here, 'A', '192.0.2.2')]), 'NOERROR')
  const cases: [ResourceRecord[], string][] = [
    [[exists(here, 'ANY')], 'NOERROR'],
    [[exists(gone, 'ANY')], 'NXDOMAIN'],
    [[missing(gone, 'ANY')], 'NOERROR'],
    [[missing(here, 'ANY')], 'YXDOMAIN'],
    [[exists(here, 'A')], 'NOERROR'],
    [[exists(here, 'AAAA')], 'NXRRSET'],
    [[missing(here, 'AAAA')], 'NOERROR'],
    [[missing(here, 'A')], 'YXRRSET'],
    [[is(here, 'A', '192.0.2.2'), is(here, 'A', '192.0.2.1')], 'NOERROR'],
    [[is(here, 'A', '192.0.2.1')], 'NXRRSET'],
    [[is(here, 'A', '192.0.2.1'), is(here, 'A', '192.0.2.3')], 'NXRRSET'],
    [[exists('example.com', 'SOA')], 'NOERROR'],
    [[exists('example.com', 'ANY')], 'NOERROR'],
    [[exists('example.org', 'A')], 'NOTZONE'],
    [[exists(here, 'A'), missing(here, 'A')], 'YXRRSET'],
    [[{ ...exists(here, 'A'), ttl: 1 }], 'FORMERR'],
    [[{ ...exists(here, 'A'), data: Buffer.of(1) }], 'FORMERR'],
    [[{ ...exists(here, 'A'), class: 3 }], 'FORMERR'],
  ]
  for (const [prerequisites, expected] of cases) {
    t.equal(await update([add(made, 'A', '192.0.2.1')], prerequisites), expected)
    t.same(zone.there('made', 'A'), expected === 'NOERROR' ? ['192.0.2.1'] : [], expected)
    t.equal(await update([deleteName(made)]), 'NOERROR')
  }
})

void t.test('only one of two wins that both want a name nobody has', async (t) => {
  const name = full('race')
  const results = await Promise.all(
    ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((value) =>
      update([add(name, 'A', value)], [missing(name, 'ANY')]),
    ),
  )
  t.same(results.sort(), ['NOERROR', 'YXDOMAIN', 'YXDOMAIN'])
  t.equal(zone.there('race', 'A').length, 1)
})

void t.test('what only the provider has counts, and is deleted with its RRset', async (t) => {
  const name = full('drift')
  zone.putThere('drift', 'TXT', '"by hand"')
  t.equal(await update([add(name, 'TXT', 'new')], [missing(name, 'TXT')]), 'YXRRSET')
  t.equal(await update([deleteSet(name, 'TXT')], [is(name, 'TXT', 'by hand')]), 'NOERROR')
  t.same(zone.there('drift', 'TXT'), [])
  zone.putThere('drift', 'TXT', '"again"')
  t.equal(await update([deleteValue(name, 'TXT', 'again')]), 'NOERROR')
  t.same(zone.there('drift', 'TXT'), [])
})

void t.test('CNAME and others exclude each other: the later one is ignored (3.4.2.2)', async (t) => {
  const name = full('alias')
  t.equal(await update([add(name, 'CNAME', 'a.example.net')]), 'NOERROR')
  t.equal(await update([add(name, 'A', '192.0.2.1')]), 'NOERROR')
  t.same([zone.there('alias', 'CNAME'), zone.there('alias', 'A')], [['a.example.net.'], []])
  t.equal(await update([add(name, 'CNAME', 'b.example.net')]), 'NOERROR', 'a CNAME replaces another')
  t.same(zone.there('alias', 'CNAME'), ['b.example.net.'])
  t.equal(await update([deleteSet(name, 'CNAME'), add(name, 'A', '192.0.2.1')]), 'NOERROR')
  t.equal(await update([add(name, 'CNAME', 'a.example.net')]), 'NOERROR')
  t.same([zone.there('alias', 'CNAME'), zone.there('alias', 'A')], [[], ['192.0.2.1']])
})

void t.test('the apex keeps its SOA and its NS records (3.4.2.3, 3.4.2.4)', async (t) => {
  for (const server of ['ns1.example.net', 'ns2.example.net']) await zone.add('NS', '@', server)
  const before = zone.there('@', 'NS')
  t.equal(await update([add('example.com', 'TXT', 'of the apex')]), 'NOERROR')
  t.equal(await update([deleteName('example.com')]), 'NOERROR')
  t.same([zone.there('@', 'NS'), zone.there('@', 'TXT')], [before, []])
  t.equal(await update([deleteSet('example.com', 'NS'), deleteSet('example.com', 'SOA')]), 'NOERROR')
  const servers = before.map((server) => deleteValue('example.com', 'NS', server.slice(0, -1)))
  t.equal(await update(servers), 'NOERROR')
  t.equal(zone.there('@', 'NS').length, 1, 'the last one stays')
  const soa = { ...deleteSet('example.com', 'SOA'), class: 1, ttl: 60, data: Buffer.alloc(22) }
  t.equal(await update([soa]), 'REFUSED')
})

void t.test('what is not well-formed is FORMERR, and nothing of it is done', async (t) => {
  const good = add(full('bad'), 'A', '192.0.2.1')
  for (const bad of [
    { ...good, type: 255 },
    { ...good, data: Buffer.of(1) },
    { ...good, data: Buffer.of() },
    { ...deleteSet(full('bad'), 'A'), ttl: 1 },
    { ...deleteSet(full('bad'), 'A'), data: Buffer.of(1) },
    { ...deleteSet(full('bad'), 'A'), type: 252 },
    { ...deleteValue(full('bad'), 'A', '192.0.2.1'), type: 255 },
    { ...good, class: 4 },
  ])
    t.equal(await update([good, bad]), 'FORMERR')
  t.equal(await update([good, add('bad.example.org', 'A', '192.0.2.1')]), 'NOTZONE')
  t.same(zone.there('bad', 'A'), [])
})

void t.test('what is refused for one record is refused for all', async (t) => {
  await zone.add('NS', 'child', 'ns.example.org')
  const hidden = [add(full('all'), 'A', '192.0.2.1'), add(full('www.child'), 'A', '192.0.2.1')]
  t.equal(await update(hidden), 'REFUSED', 'a delegation hides it')
  const atApex = add('example.com', 'DS', `1 13 2 ${'ab'.repeat(32)}`)
  t.equal(await update([add(full('all'), 'A', '192.0.2.1'), atApex]), 'REFUSED', 'a DS belongs to the parent')
  t.equal(
    await update([add(full('all'), 'A', '192.0.2.1'), { ...add(full('all'), 'A', '192.0.2.1'), type: 249 }]),
    'FORMERR',
  )
  t.same(zone.there('all', 'A'), [])
})

void t.test('a record that is disabled is not there, and comes back when it is added', async (t) => {
  await zone.add('A', 'off', '192.0.2.1', { enabled: false })
  const off = full('off')
  t.equal(await update([add(off, 'A', '192.0.2.2')], [exists(off, 'A')]), 'NXRRSET')
  t.equal(await update([add(off, 'A', '192.0.2.1')], [missing(off, 'A')]), 'NOERROR')
  t.same(zone.there('off', 'A'), ['192.0.2.1'])
})

void t.test('SERVFAIL when the provider refuses or its outcome is not known', async (t) => {
  const late = [add(full('late'), 'A', '192.0.2.1')]
  zone.fake.fail({ on: 'write', kind: 'answer', answer: { status: 422, body: '{"error": "no"}' } })
  t.equal(await update(late), 'SERVFAIL')
  t.same(zone.there('late', 'A'), [])
  zone.fake.fail({ on: 'write', kind: 'silent', applied: true })
  const answer = await update(late)
  t.ok(answer === 'SERVFAIL' || zone.there('late', 'A').length === 1, 'NOERROR only if it is there')
  t.equal(await update(late), 'NOERROR')
  t.same(zone.there('late', 'A'), ['192.0.2.1'])
})

void t.test('history names the key, and its token', async (t) => {
  const { changes } = (await zone.admin.get(`/api/domains/${zone.domainId}/changes?limit=200`)).body
  const byKey = (changes as { origin: string; token: { name: string } | null }[]).filter(
    ({ origin }) => origin === 'dns-update',
  )
  t.ok(byKey.length > 10)
  t.ok(byKey.every(({ token }) => token?.name === 'DHCP at home'))
})

void t.test('who stops finishes what it began, and answers it', async (t) => {
  const other = await startApp(t, { database: zone.database, alone: false })
  const second = await listen(other)
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const writes = zone.writes()
  zone.fake.fail({ on: 'write', kind: 'late', until: () => released })
  const answered = send(second, key, 'example.com', [add(full('stopping'), 'A', '192.0.2.1')])
  await until('the provider has it', () => zone.writes() > writes)
  const closed = other.app.close()
  release()
  t.equal(await answered, 'NOERROR')
  await closed
  t.same(zone.there('stopping', 'A'), ['192.0.2.1'])
})
