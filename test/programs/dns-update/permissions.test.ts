import t from 'tap'
import { decodeMessage, encodeMessage, TYPE, type NewMessage } from '../../../dns/wire/message.ts'
import type { TsigKey } from '../../../dns/wire/tsig.ts'
import { typeOf } from '../../../dns/types/index.ts'
import { addDomain, addManual, startZone } from '../../helpers/zone.ts'
import {
  add,
  ask,
  deleteName,
  deleteSet,
  deleteValue,
  exists,
  listen,
  makeKey,
  missing,
  nameOf,
  queryOf,
  sendUdp,
  transfer,
  update as send,
  updateOf,
} from './client.ts'

/* What a key may do: what its token may, and never more. */
const zone = await startZone(t, { environment: { NAMESAKES: 'allow' } })
const place = await listen(zone)
const { admin, domainId } = zone
const whole = await makeKey(zone, admin)
const full = (name: string) => `${name}.example.com`
const update = (
  key: TsigKey,
  updates: Parameters<typeof send>[3],
  prerequisites: Parameters<typeof send>[4] = [],
) => send(place, key, 'example.com', updates, prerequisites)
const soa = async (key: TsigKey, name: string) => {
  const { rcode, answers, authorities } = await ask(place, key, queryOf(name, TYPE.SOA))
  return [nameOf(rcode), answers[0]?.name ?? null, authorities[0]?.name ?? null]
}
const axfr = (key: TsigKey, name = 'example.com', more: Partial<NewMessage> = {}) =>
  transfer(place, key, queryOf(name, TYPE.AXFR, more))

await zone.add('A', 'secret', '192.0.2.99')
await zone.add('A', 'www', '192.0.2.1')
await zone.add('TXT', 'www', 'a text')

void t.test('a key restricted to names and types', async (t) => {
  const { key } = await makeKey(zone, admin, {
    domainIds: [domainId],
    namePatterns: ['home', '*.home'],
    recordTypes: ['A', 'AAAA'],
  })
  t.equal(
    await update(key, [add(full('home'), 'A', '192.0.2.1'), add(full('nas.home'), 'AAAA', '2001:db8::1')]),
    'NOERROR',
  )
  const writes = zone.writes()
  for (const updates of [
    [add(full('office'), 'A', '192.0.2.1')],
    [add(full('home'), 'TXT', 'no')],
    [add('example.com', 'A', '192.0.2.1')],
    [add(full('home'), 'A', '192.0.2.2'), add(full('office'), 'A', '192.0.2.1')],
    [deleteSet(full('www'), 'A')],
    [deleteSet(full('nothing'), 'A')],
    [deleteName(full('www'))],
    [deleteValue(full('www'), 'TXT', 'a text')],
  ])
    t.equal(await update(key, updates), 'REFUSED')
  // What it may not see, it may not ask for.
  for (const asked of [
    exists(full('secret'), 'A'),
    missing(full('secret'), 'ANY'),
    exists(full('home'), 'TXT'),
  ])
    t.equal(await update(key, [], [asked]), 'REFUSED')
  t.equal(await update(key, [], [exists(full('home'), 'A')]), 'NOERROR')
  t.equal(zone.writes(), writes)
  t.same(zone.there('office', 'A'), [])
  await zone.add('TXT', 'home', 'not its own')
  t.equal(await update(key, [deleteName(full('home'))]), 'REFUSED', 'something would stay')
  t.equal(await update(key, [deleteName(full('nas.home'))]), 'NOERROR')
  t.same(await soa(key, 'example.com'), ['NOERROR', 'example.com', null])
  t.same(await soa(key, full('nas.home')), ['NOERROR', null, 'example.com'])
  t.match(await axfr(key), { rcode: 'REFUSED', records: { length: 0 } })
})

void t.test('a key restricted to another domain sees no such zone', async (t) => {
  const other = await addDomain(admin, await addManual(admin), 'other.example')
  const { key } = await makeKey(zone, admin, { domainIds: [other.id] })
  t.equal(await update(key, [add(full('www'), 'A', '192.0.2.7')]), 'NOTAUTH')
  t.same(await soa(key, full('www')), ['REFUSED', null, null])
  t.match(await axfr(key), { rcode: 'NOTAUTH' })
  t.equal(await send(place, key, 'other.example', [add('www.other.example', 'A', '192.0.2.7')]), 'NOERROR')
  t.equal(
    await send(place, key, 'www.other.example', [add('www.other.example', 'A', '192.0.2.7')]),
    'NOTAUTH',
  )
})

void t.test('a key whose token lacks a permission, or may not be used from here', async (t) => {
  const reader = await makeKey(zone, admin, null, { permissions: ['records:read'] })
  t.equal(await update(reader.key, [add(full('www'), 'A', '192.0.2.7')]), 'REFUSED')
  t.match(await axfr(reader.key), { rcode: 'NOERROR' })
  const writer = await makeKey(zone, admin, null, { permissions: ['records:write'] })
  t.equal(await update(writer.key, [add(full('written'), 'A', '192.0.2.7')]), 'NOERROR')
  t.match(await axfr(writer.key), { rcode: 'REFUSED' })
  const away = await makeKey(zone, admin, { ipRanges: ['192.0.2.0/24'] }, { from: '192.0.2.7' })
  t.equal(await update(away.key, [add(full('away'), 'A', '192.0.2.7')]), 'REFUSED')
  t.same(await soa(away.key, 'example.com'), ['REFUSED', null, null])
  t.same(zone.there('away', 'A'), [])
})

void t.test('a delegate touches their part, and sees no more of the zone', async (t) => {
  const bob = await zone.addUser('bob')
  const body = { userId: bob, domainId, subdomainPattern: '*.bob', permission: 'write', recordTypes: ['A'] }
  t.equal((await admin.post('/api/assignments', body)).status, 201)
  const { key } = await makeKey(zone, await zone.signIn('bob'))
  t.equal(await update(key, [add(full('a.bob'), 'A', '192.0.2.1')]), 'NOERROR')
  for (const updates of [
    [add(full('bob'), 'A', '192.0.2.1')],
    [add(full('a.bob'), 'TXT', 'no')],
    [add(full('a.bob'), 'NS', 'ns.example.net')],
    [deleteSet('example.com', 'NS')],
  ])
    t.equal(await update(key, updates), 'REFUSED')
  t.equal(await update(key, [], [exists(full('secret'), 'A')]), 'REFUSED')
  t.match(await axfr(key), { rcode: 'REFUSED' })
})

void t.test('a stranger with a namesake reaches their own zone only', async (t) => {
  await zone.addUser('eve')
  const eve = await zone.signIn('eve')
  await addDomain(eve, await addManual(eve), 'example.com')
  const { key } = await makeKey(zone, eve)
  t.equal(await update(key, [deleteSet(full('www'), 'A'), add(full('eve'), 'A', '192.0.2.66')]), 'NOERROR')
  t.same([zone.there('www', 'A'), zone.there('eve', 'A')], [['192.0.2.1'], []])
  const { records } = await axfr(key)
  t.notOk(records.some(({ name }) => name === full('secret')))
  // An administrator owns one of the two, which is meant.
  t.equal(await update(whole.key, [add(full('mine'), 'A', '192.0.2.1')]), 'NOERROR')
  t.same(zone.there('mine', 'A'), ['192.0.2.1'])

  // Who owns neither has to choose.
  await zone.addUser('second', 'admin')
  const second = await zone.signIn('second')
  const open = await makeKey(zone, second)
  t.equal(await update(open.key, [add(full('guess'), 'A', '192.0.2.1')]), 'REFUSED')
  t.same(await soa(open.key, full('guess')), ['REFUSED', null, null])
  t.match(await axfr(open.key), { rcode: 'REFUSED' })
  const chosen = await makeKey(zone, second, { domainIds: [domainId] })
  t.equal(await update(chosen.key, [add(full('guess'), 'A', '192.0.2.1')]), 'NOERROR')
  t.same(zone.there('guess', 'A'), ['192.0.2.1'])
})

void t.test('a domain whose changes are reviewed refuses, and nothing is done', async (t) => {
  await admin.put(`/api/domains/${domainId}`, { reviewPolicy: 'everyone' })
  t.equal(await update(whole.key, [add(full('reviewed'), 'A', '192.0.2.1')]), 'REFUSED')
  t.same(zone.there('reviewed', 'A'), [])
  await admin.put(`/api/domains/${domainId}`, { reviewExempt: ['dns-update'] })
  t.equal(await update(whole.key, [add(full('exempt'), 'A', '192.0.2.1')]), 'NOERROR')
  await admin.put(`/api/domains/${domainId}`, { reviewPolicy: 'none' })
  t.equal(await update(whole.key, [add(full('reviewed'), 'A', '192.0.2.1')]), 'NOERROR')
})

void t.test('a transfer has all records that are served, signed, in messages of bounded size', async (t) => {
  const config = await addManual(admin, 'large')
  const { id } = await addDomain(admin, config, 'large.example')
  const changes = Array.from({ length: 900 }, (_, i) => ({
    action: 'create',
    recordType: 'TXT',
    name: `host-${i}`,
    value: `${i} ${'x'.repeat(60)}`,
    ttl: 600,
  }))
  for (let from = 0; from < changes.length; from += 300)
    t.equal(
      (await admin.post(`/api/domains/${id}/records/apply`, { changes: changes.slice(from, from + 300) }))
        .status,
      200,
    )
  await admin.post(`/api/domains/${id}/records`, {
    recordType: 'A',
    name: 'off',
    value: '192.0.2.1',
    enabled: false,
  })
  const { rcode, records, messages } = await axfr(whole.key, 'large.example')
  t.equal(rcode, 'NOERROR')
  t.ok(messages > 3)
  t.match([records[0], records.at(-1)], [{ type: 6, name: 'large.example' }, { type: 6 }])
  const texts = records.filter(({ type }) => type === 16)
  const values = texts.map(({ name, data, ttl }) => `${name} ${ttl} ${typeOf('TXT').fromWire(data)}`)
  t.same(values.sort(), changes.map(({ name, value }) => `${name}.large.example 600 ${value}`).sort())
  t.notOk(
    records.some(({ type }) => type === 1),
    'what is disabled is not served',
  )

  const [first] = records
  const ixfr = (soaRecord: typeof first) =>
    transfer(place, whole.key, queryOf('large.example', 251, { authorities: soaRecord ? [soaRecord] : [] }))
  t.match(await ixfr(first), { rcode: 'NOERROR', records: { length: 1 } }, 'it is current')
  t.equal(
    await send(place, whole.key, 'large.example', [add('new.large.example', 'A', '192.0.2.1')]),
    'NOERROR',
  )
  const next = await ixfr(first)
  t.equal(next.records.length, records.length + 1, 'otherwise the whole zone')
  const overUdp = await ask(
    place,
    whole.key,
    queryOf('large.example', 251, { authorities: first ? [first] : [] }),
  )
  t.match(overUdp, { rcode: 0, answers: { length: 1 } })
  t.match(await ask(place, whole.key, queryOf('large.example', TYPE.AXFR)), { rcode: 5 }, 'not over UDP')
})

void t.test(
  '109. unsigned messages and other questions are refused, with no more octets than were sent',
  async (t) => {
    const opt = { name: '.', type: 41, class: 1232, ttl: 0, data: Buffer.of() }
    const refused: [NewMessage, number][] = [
      [queryOf('example.com', TYPE.SOA), 5],
      [queryOf('example.com', TYPE.SOA, { additionals: [opt] }), 5],
      [queryOf('example.com', TYPE.AXFR), 5],
      [queryOf('www.example.com', TYPE.ANY), 5],
      [updateOf('example.com', [add(full('unsigned'), 'A', '192.0.2.1')]), 5],
      [queryOf('example.com', TYPE.SOA, { opcode: 4 }), 4],
      [{ id: 1, questions: [] }, 5],
    ]
    for (const [message, rcode] of refused) {
      const bytes = encodeMessage(message)
      const answer = (await sendUdp(place, bytes)) as Buffer
      t.match(decodeMessage(answer), {
        rcode,
        isResponse: true,
        answers: { length: 0 },
        authorities: { length: 0 },
      })
      t.ok(answer.length <= bytes.length)
    }
    t.same(zone.there('unsigned', 'A'), [])
    for (const type of [1, 16, 255])
      t.match(await ask(place, whole.key, queryOf(full('www'), type)), { rcode: 5 })
    t.match(await ask(place, whole.key, queryOf('example.com', TYPE.SOA, { opcode: 4 })), { rcode: 4 })
  },
)
