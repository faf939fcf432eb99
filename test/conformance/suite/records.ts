import type { Test } from 'tap'
import { RECORD_TYPES, typeOf, type RecordType } from '../../../dns/types/index.ts'
import type { RRset } from '../../../modules/providers/contract.ts'
import { whyRefused, type Case } from './case.ts'
import {
  otherTtl,
  add,
  edit,
  expectError,
  remove,
  replace,
  rrset,
  skip,
  sorted,
  type Session,
} from './subject.ts'
import { NAMES, TEXTS, samplesOf } from './samples.ts'

const PAGINGS = [101, 601, 1_201]
const ALL_TYPES: readonly RecordType[] = [...RECORD_TYPES, 'TYPE65280']

/* What is read, and whether it is what was written. */
export const recordCases: Case[] = [
  {
    name: 'an empty zone, and a missing one',
    async run(t, { subject, adapter, zone, list }) {
      t.same(await subject.dump(), [])
      const { rrsets } = await list()
      t.ok(
        rrsets.every(({ name, type }) => name === '@' && type === 'NS'),
        'at most its own name servers',
      )
      t.equal(await adapter.readRRset(zone, 'www', 'A'), null)
      const missing = adapter.listRRsets(subject.missingZone)[Symbol.asyncIterator]()
      await expectError(t, subject, missing.next(), 'not_found')
      await expectError(t, subject, adapter.readRRset(subject.missingZone, 'www', 'A'), 'not_found')
      const edits = [edit('www', 'A', [add('192.0.2.1')])]
      await expectError(t, subject, adapter.apply(subject.missingZone, edits), 'not_found')
    },
  },
  ...RECORD_TYPES.map((type) => thereAndBack(type, setsOf(type))),
  { ...thereAndBack('a type by its number', setsOf('TYPE65280')), needs: ['otherTypes'] },
  // Without what some hosts have no place for in the samples of these types.
  thereAndBack('SRV of two services', [
    rrset('_sip._tcp', 'SRV', ['10 60 5060 sip.example.net', '20 0 5061 sip.example.net']),
    rrset('_imaps._tcp', 'SRV', ['0 1 993 imap.example.net']),
  ]),
  thereAndBack('CAA without parameters', [
    rrset('@', 'CAA', ['0 issue "ca.example.net"', '0 issuewild "ca.example.net"']),
  ]),
  thereAndBack('the null MX', [rrset('nomail', 'MX', ['0 .'])]),
  ...Object.entries(NAMES).map(([what, { name, type, values }]) =>
    thereAndBack(`names: ${what}`, [rrset(name, type, values)]),
  ),
  ...Object.entries(TEXTS).map(([what, values]) =>
    thereAndBack(`TXT ${what}`, [rrset('text', 'TXT', values)]),
  ),
  {
    ...thereAndBack('CNAME at the apex', [rrset('@', 'CNAME', ['target.example.net'])]),
    needs: ['apexCname'],
  },
  {
    name: 'what others wrote is listed, and a second run makes no call to write',
    async run(t, session) {
      const { subject, list } = session
      const all = sorted(
        ALL_TYPES.flatMap(setsOf)
          .filter((item) => whyRefused(item, subject) === null)
          .map((item) => ({ ...item, ttl: otherTtl(subject) })),
      )
      await subject.seed(all)
      const seeded = (item: RRset) => all.some(({ name, type }) => item.name === name && item.type === type)
      t.same((await list()).rrsets.filter(seeded), all)
      await writeBack(t, session, all)
    },
  },
  {
    name: `lists of ${PAGINGS.map((size) => size.toLocaleString('en')).join(', ')} RRsets are complete`,
    async run(t, { subject, list }) {
      const many = Array.from({ length: Math.max(...PAGINGS) }, (_, i) =>
        rrset(`host-${i}`, 'A', [`10.0.${i >> 8}.${i & 255}`]),
      )
      for (const [at, size] of PAGINGS.entries()) {
        await subject.seed(many.slice(PAGINGS[at - 1] ?? 0, size))
        const listed = (await list()).rrsets.filter(isOf('A'))
        t.equal(listed.length, size)
        t.same(listed, sorted(many.slice(0, size)))
      }
    },
  },
  {
    name: 'foreign content is not listed as ours, and survives',
    obstacle: ({ foreign }) => (foreign === undefined ? "the subject can't hold what we don't manage" : null),
    async run(t, { subject, adapter, zone, list, apply }) {
      const look = await subject.foreign?.()
      if (look === undefined) throw new Error('A subject that has foreign content once must always')
      const before = await look()
      const { rrsets, unmanaged } = await list()
      const served = (item: RRset | null) =>
        (item === null ? [] : sorted([item])).map(({ members, ...rest }) => ({
          ...rest,
          members: members.filter(({ disabled }) => !disabled).map(({ value }) => ({ value })),
        }))
      const ours = [rrset('foreign', 'A', ['192.0.2.1'])]
      t.same(rrsets.filter(({ name, type }) => name === 'foreign' && type === 'A').flatMap(served), ours)
      t.ok(unmanaged.length > 0, 'types that we do not manage are listed')
      t.same(served(await adapter.readRRset(zone, 'foreign', 'A')), ours)
      await apply([edit('foreign', 'A', [add('192.0.2.99')])])
      t.notSame(await look(), before)
      await apply([edit('foreign', 'A', [remove('192.0.2.99')])])
      t.same(await look(), before, 'after a sibling came and went')
      await apply([edit('foreign', 'A', [replace('192.0.2.1', '192.0.2.98')])])
      await apply([edit('foreign', 'A', [replace('192.0.2.98', '192.0.2.1')])])
      t.same(await look(), before, 'after a sibling was replaced and restored')
      await apply([edit('elsewhere', 'A', [add('192.0.2.1')])])
      await apply([edit('elsewhere', 'A', [remove('192.0.2.1')])])
      t.same(await look(), before, 'after work elsewhere in the zone')
    },
  },
]

function setsOf(type: RecordType): RRset[] {
  const sets = samplesOf(type).map(({ name, values }) => rrset(name, type, values))
  // A DS is for a delegation (RFC 4035 section 2.4), and elsewhere BIND takes none.
  const delegations = type === 'DS' ? sets.map(({ name }) => rrset(name, 'NS', ['ns1.example.net'])) : []
  return [...delegations, ...sets]
}

/** Written by the adapter, listed, read alone, and written back. */
function thereAndBack(what: string, records: RRset[]): Case {
  return {
    name: `${what}: written, listed, read, and written back`,
    records,
    async run(t, session) {
      const { subject, adapter, zone, list, apply } = session
      const wanted = sorted(records)
      for (const { type, members } of wanted) {
        for (const { value } of members) {
          const back = typeOf(type).read(typeOf(type).write(value))
          if (back !== value) t.equal(back, value, 'the sample is canonical')
        }
      }
      await apply(wanted.map(adding))
      t.same(await subject.dump(), wanted, 'written')
      t.same((await list()).rrsets.filter(isAmong(wanted)), wanted, 'listed')
      for (const item of wanted) {
        const read = await adapter.readRRset(zone, item.name, item.type)
        t.same(read === null ? [] : sorted([read]), [item], `read ${item.name}`)
      }
      await writeBack(t, session, (await list()).rrsets.filter(isAmong(wanted)))
    },
  }
}

const isOf =
  (...types: RecordType[]) =>
  (item: RRset) =>
    // The zone's own name servers come from the provider.
    types.includes(item.type) && !(item.type === 'NS' && item.name === '@')

const isAmong = (wanted: RRset[]) => isOf(...wanted.map(({ type }) => type))

const adding = ({ name, type, members, ttl }: RRset) =>
  edit(
    name,
    type,
    members.map(({ value }) => add(value)),
    ttl,
  )

/** Writing what is there already must change nothing, and where RRsets are compared not even call. */
async function writeBack(t: Test, { subject, apply }: Session, rrsets: RRset[]): Promise<void> {
  const before = await subject.dump()
  const writes = subject.writes?.()
  await apply(rrsets.map(adding))
  const replacing = ({ members }: RRset) => members.map(({ value }) => replace(value, value))
  await apply(rrsets.map((item) => edit(item.name, item.type, replacing(item), item.ttl)))
  t.same(await subject.dump(), before, 'written back unchanged')
  if (writes === undefined) skip(t, "without a write: the subject's calls can't be counted")
  else t.equal(subject.writes?.(), writes, 'without a write')
}
