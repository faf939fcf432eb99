import type { Test } from 'tap'
import type { Member } from '../../../modules/providers/contract.ts'
import {
  TTL,
  add,
  edit,
  expectError,
  open,
  remove,
  replace,
  rrset,
  sorted,
  start,
  type Subject,
} from '../suite/subject.ts'
import type { PowerDnsRRset } from '../simulators/powerdns-zone.ts'
import { isWrite, type SimulatorRequest, type SimulatorServer } from '../simulators/server.ts'
import { callApi } from './powerdns-subject.ts'

interface Place {
  apiUrl: string
  apiKey: string
  front: SimulatorServer
}

const on = (content: string) => ({ content, disabled: false })
const off = (content: string) => ({ content, disabled: true })
const comment = { content: 'ours?', account: 'me', modified_at: 1_700_000_000 }

/** By what an RRset is read before it is written. */
export type Reads = 'zone' | 'filter'

/** Of a zone in which no RRset is read by reading all. */
export const LARGE = 1_000_000

/** What only PowerDNS has; over the simulator and a real server alike. */
export async function specifics(
  t: Test,
  place: Place,
  makeSubject: () => Promise<Subject>,
  reads: Reads,
): Promise<void> {
  const patch = async (subject: Subject, ...rrsets: object[]) => {
    const full = rrsets.map((item) => ({ changetype: 'REPLACE', ttl: TTL, type: 'A', ...item }))
    const { status } = await callApi(place, 'PATCH', `/zones/${subject.zoneName}.`, { rrsets: full })
    t.equal(status, 204)
  }
  const look = async (subject: Subject, name: string) => {
    const { body } = await callApi(place, 'GET', `/zones/${subject.zoneName}.`)
    const { rrsets } = JSON.parse(body) as { rrsets: PowerDnsRRset[] }
    const found = rrsets.find((item) => item.name === `${name}.${subject.zoneName}.` && item.type === 'A')
    const records = (found?.records ?? []).map(
      ({ content, disabled }) => `${content}${disabled ? ' off' : ''}`,
    )
    return { records: records.sort(), comments: found?.comments ?? [], ttl: found?.ttl }
  }
  const patches = (): SimulatorRequest[] => place.front.requests.filter(({ method }) => method === 'PATCH')

  await t.test('an RRset with an IPv4-mapped address is read and written', async (t) => {
    const { list, apply } = await start(t, makeSubject)
    await apply([edit('x', 'AAAA', [add('::ffff:192.0.2.1')])])
    await apply([edit('x', 'AAAA', [add('2001:db8::1')])])
    const { rrsets } = await list()
    t.same(rrsets, [rrset('x', 'AAAA', ['2001:db8::1', '::ffff:192.0.2.1'])])
    await apply([edit('x', 'AAAA', [remove('::ffff:192.0.2.1')])])
    t.same((await list()).rrsets, [rrset('x', 'AAAA', ['2001:db8::1'])])
  })

  await t.test('adding a disabled member enables it', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    await patch(subject, {
      name: `x.${subject.zoneName}.`,
      records: [on('192.0.2.1'), off('192.0.2.2'), off('192.0.2.3')],
      comments: [comment],
    })
    await apply([edit('x', 'A', [add('192.0.2.2')])])
    const after = await look(subject, 'x')
    t.same(after, { records: ['192.0.2.1', '192.0.2.2', '192.0.2.3 off'], comments: [comment], ttl: TTL })
  })

  await t.test('disabled members are shown as such, and changed only as such', async (t) => {
    const { subject, adapter, zone, list, apply } = await start(t, makeSubject)
    const names = ['x', '*', '_x', '*._x']
    await patch(
      subject,
      ...names.map((name) => ({ name: `${name}.${subject.zoneName}.`, records: [off('192.0.2.1')] })),
    )
    const isOff = { value: '192.0.2.1', disabled: true }
    const shown = (name: string, ttl = TTL) => ({ name, type: 'A' as const, ttl, members: [isOff] })
    t.same((await list()).rrsets, sorted(names.map((name) => shown(name))))
    for (const name of names) {
      t.same(await adapter.readRRset(zone, name, 'A'), shown(name))
      const writes = patches().length
      await apply([edit(name, 'A', [remove('192.0.2.1')])])
      t.equal(patches().length, writes, 'who knows it as served does not take it away')
      await apply([edit(name, 'A', [replace('192.0.2.1', '192.0.2.1')], 900)])
      t.same(
        await look(subject, name),
        { records: ['192.0.2.1 off'], comments: [], ttl: 900 },
        'nor enables it',
      )
      await apply([edit(name, 'A', [add('192.0.2.2')])])
      t.same((await look(subject, name)).records, ['192.0.2.1 off', '192.0.2.2'], name)
      await apply([edit(name, 'A', [replace('192.0.2.2', '192.0.2.3')])])
      await apply([edit(name, 'A', [remove('192.0.2.3')])])
      t.same((await look(subject, name)).records, ['192.0.2.1 off'], name)
      await apply([edit(name, 'A', [{ action: 'replace', from: isOff, to: { value: '192.0.2.1' } }])])
      t.same((await look(subject, name)).records, ['192.0.2.1'], 'enabled')
      await apply([edit(name, 'A', [{ action: 'replace', from: { value: '192.0.2.1' }, to: isOff }])])
      t.same((await look(subject, name)).records, ['192.0.2.1 off'], 'disabled')
      await apply([edit(name, 'A', [{ action: 'remove', member: isOff }])])
      t.equal(await adapter.readRRset(zone, name, 'A'), null)
    }
  })

  await t.test('what is disabled makes room for a CNAME in the same call', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    await subject.seed([rrset('x', 'A', ['192.0.2.1'])])
    const [alias, address] = [{ value: 'y.example.net' }, { value: '192.0.2.1' }]
    const isOff = (member: Member): Member => ({ ...member, disabled: true })
    await apply([
      edit('x', 'CNAME', [{ action: 'add', member: alias }]),
      edit('x', 'A', [{ action: 'replace', from: address, to: isOff(address) }]),
    ])
    t.same(await subject.dump(), [rrset('x', 'CNAME', ['y.example.net'])])
    await apply([
      edit('x', 'A', [{ action: 'replace', from: isOff(address), to: address }]),
      edit('x', 'CNAME', [{ action: 'replace', from: alias, to: isOff(alias) }]),
    ])
    t.same(await subject.dump(), [rrset('x', 'A', ['192.0.2.1'])])
  })

  await t.test('a batch keeps disabled members and comments too', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    const names = Array.from({ length: 60 }, (_, i) => `h${i}`)
    const records = [on('192.0.2.1'), off('192.0.2.2')]
    await patch(
      subject,
      ...names.map((name) => ({ name: `${name}.${subject.zoneName}.`, records, comments: [comment] })),
    )
    for (const size of [5, 60]) {
      const writes = patches().length
      await apply(
        names.slice(0, size).map((name) => edit(name, 'A', [replace('192.0.2.1', `198.51.100.${size}`)])),
      )
      await apply(
        names.slice(0, size).map((name) => edit(name, 'A', [replace(`198.51.100.${size}`, '192.0.2.1')])),
      )
      t.equal(patches().length, writes + 2)
    }
    for (const name of ['h0', 'h59']) {
      t.same(await look(subject, name), {
        records: ['192.0.2.1', '192.0.2.2 off'],
        comments: [comment],
        ttl: TTL,
      })
    }
  })

  await t.test('siblings are given back to the letter', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    const odd = ['"a" "b"', '"\\103\\097f\\233"', '"\\"quoted\\""']
    await patch(subject, { name: `x.${subject.zoneName}.`, type: 'TXT', records: odd.map(on) })
    const sent = patches().length
    await apply([edit('x', 'TXT', [add('new')])])
    const body = JSON.parse(patches()[sent]?.body ?? '') as { rrsets: PowerDnsRRset[] }
    t.same(body.rrsets[0]?.records.map(({ content }) => content).sort(), [...odd, '"new"'].sort())
    t.notOk('comments' in (body.rrsets[0] ?? {}))
    await apply([edit('x', 'TXT', [remove('"a" "b"'), remove('new')])])
    t.match(
      (await subject.dump()).map(({ members }) => members.length),
      [2],
      'compared by value, not by spelling',
    )
  })

  await t.test('reasons of a refusal are told', async (t) => {
    const { subject, adapter, zone } = await start(t, makeSubject)
    await subject.seed([rrset('x', 'A', ['192.0.2.1'])])
    const call = adapter.apply(zone, [edit('x', 'CNAME', [add('y.example.net')])])
    const error = await expectError(t, subject, call, 'rejected')
    const told = `PowerDNS refuses this: RRset x.${subject.zoneName}. IN CNAME: Conflicts with pre-existing RRset`
    t.equal(error?.message, told)
    const wrongServer = await open(t, subject, { ...subject.credentials, serverId: 'other' })
    const wrong = await expectError(t, subject, wrongServer.verify(), 'not_found')
    t.match(wrong?.message, /no such server/)
  })

  await t.test('what others wrote meanwhile is kept', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    const name = `x.${subject.zoneName}.`
    await apply([edit('x', 'A', [add('192.0.2.1')])])
    await patch(subject, { name, records: [on('192.0.2.1'), on('192.0.2.2'), off('192.0.2.3')] })
    await apply([edit('x', 'A', [add('192.0.2.4')])])
    t.same((await look(subject, 'x')).records, ['192.0.2.1', '192.0.2.2', '192.0.2.3 off', '192.0.2.4'])
    await patch(subject, { name, records: [off('192.0.2.1'), on('192.0.2.4')], comments: [comment] })
    await apply([edit('x', 'A', [replace('192.0.2.4', '192.0.2.5')])])
    t.match(await look(subject, 'x'), { records: ['192.0.2.1 off', '192.0.2.5'], comments: [comment] })
  })

  await t.test('disabled members are kept among thousands of records', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    const name = (i: number) => `h${i}.${subject.zoneName}.`
    const records = [on('192.0.2.1'), off('192.0.2.2')]
    await patch(subject, ...Array.from({ length: 3_000 }, (_, i) => ({ name: name(i), records })))
    await apply([edit('h1234', 'A', [add('192.0.2.3')])])
    await apply([edit('h2999', 'A', [remove('192.0.2.1')])])
    t.same((await look(subject, 'h1234')).records, ['192.0.2.1', '192.0.2.2 off', '192.0.2.3'])
    t.same((await look(subject, 'h2999')).records, ['192.0.2.2 off'])
    t.same((await look(subject, 'h1235')).records, ['192.0.2.1', '192.0.2.2 off'])
  })

  await t.test(`what shall be written is read by ${reads}`, async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    const names = Array.from({ length: 20 }, (_, i) => `h${i}`)
    // Asks the server what it can, and learns what is disabled.
    await apply([edit('first', 'A', [add('192.0.2.1')])])
    const begin = place.front.requests.length
    await apply([edit('one', 'A', [add('192.0.2.1')])])
    const middle = place.front.requests.length
    await apply(names.map((name) => edit(name, 'A', [add('192.0.2.1')])))
    // Tests share the server, and some run at the same time.
    const readsIn = (requests: SimulatorRequest[]) =>
      requests
        .filter((request) => !isWrite(request) && request.path.endsWith(`/zones/${subject.zoneName}.`))
        .filter(({ query }) => query.get('rrset_type') !== 'SOA')
        .map(({ query }): Reads => (query.has('rrset_name') ? 'filter' : 'zone'))
    t.same(readsIn(place.front.requests.slice(begin, middle)), [reads])
    const many = reads === 'zone' ? ['zone'] : names.map(() => reads)
    t.same(readsIn(place.front.requests.slice(middle)), many)
  })
}
