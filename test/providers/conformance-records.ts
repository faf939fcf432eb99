import type { Test } from 'tap'
import type { RRset } from '../../modules/providers/contract.ts'
import { RECORD_TYPES, typeOf, type RecordType } from '../../dns/types/index.ts'
import { add, edit, expectError, replace, rrset, skip, sorted, start, type Peer } from './conformance-peer.ts'

const KEY = Buffer.alloc(300, 'MIIBIjANBgkqhkiG9w0BAQEFAAOC').toString()

/** Canonical values of each type; those of one line stand together in an RRset. */
const SAMPLES: Partial<Record<RecordType, { name: string; values: string[] }[]>> = {
  A: [
    { name: '@', values: ['192.0.2.1', '192.0.2.2'] },
    { name: '*', values: ['192.0.2.3'] },
    { name: '*.deep.er', values: ['192.0.2.4'] },
    { name: 'xn--mnchen-3ya', values: ['192.0.2.5'] },
  ],
  AAAA: [{ name: 'www', values: ['2001:db8::1', '2001:db8:1:2:3:4:5:6'] }],
  CNAME: [
    { name: 'alias', values: ['target.example.net'] },
    { name: '_domainconnect', values: ['_under.score.example.net'] },
  ],
  NS: [{ name: 'sub', values: ['ns1.example.net', 'ns2.example.net'] }],
  MX: [
    { name: '@', values: ['10 mx1.example.net', '20 mx2.example.net'] },
    { name: 'nomail', values: ['0 .'] },
  ],
  TXT: [
    { name: '@', values: ['v=spf1 include:_spf.example.net -all', 'plain'] },
    { name: '_dmarc', values: ['v=DMARC1; p=none; rua=mailto:a@example.net'] },
    { name: 'key._domainkey', values: [`v=DKIM1; k=rsa; p=${KEY}`] },
    { name: 'unicode', values: ['grüße 🎉 日本', '  two  spaces  ', 'a%b$c;d(e)f@g'] },
    { name: 'quotes', values: ['say "hi" \\ and \\"bye\\"', `${'"\\'.repeat(200)}ü`] },
  ],
  SRV: [{ name: '_sip._tcp', values: ['10 60 5060 sip.example.net', '20 0 5061 .'] }],
  CAA: [{ name: '@', values: ['0 issue "letsencrypt.org; validationmethods=dns-01"', '128 issuewild ";"'] }],
  PTR: [{ name: '7', values: ['host.example.net', 'other.example.net'] }],
  HTTPS: [
    { name: '@', values: ['1 . alpn=h2,h3 ipv4hint=192.0.2.1 ipv6hint=2001:db8::1'] },
    { name: 'binding', values: ['1 svc.example.net port=8443', '2 . key65400=abc'] },
    { name: 'binding-alias', values: ['0 svc.example.net'] },
  ],
  NAPTR: [
    {
      name: 'naptr',
      values: [
        '10 10 "" "" "!^\\\\+44(.*)$!sip:\\\\1@example.net!" .',
        '20 10 "s" "SIP+D2U" "" _sip._udp.example.net',
      ],
    },
  ],
  LOC: [{ name: 'loc', values: ['33 51 54.300 S 151 12 29.990 W 107.23m 30.00m 10.00m 0.02m'] }],
}

/** Of types without samples of their own the example that clients are shown. */
const samplesOf = (type: RecordType) =>
  SAMPLES[type] ?? [
    {
      name: typeOf(type).place === 'apex' ? '@' : `of-${type.toLowerCase()}`,
      values: [typeOf(type).example],
    },
  ]

const PAGING_SIZE = 1500

export async function recordTests(t: Test, makePeer: () => Promise<Peer>): Promise<void> {
  await t.test('an empty zone, and a missing one', async (t) => {
    const { peer, adapter, zone, list } = await start(t, makePeer)
    t.same(await peer.dump(), [])
    const { rrsets } = await list()
    t.ok(
      rrsets.every(({ name, type }) => name === '@' && type === 'NS'),
      'at most its own name servers',
    )
    t.equal(await adapter.readRRset(zone, 'www', 'A'), null)
    const missing = adapter.listRRsets(peer.missingZone)[Symbol.asyncIterator]()
    await expectError(t, peer, missing.next(), 'not_found')
    await expectError(t, peer, adapter.readRRset(peer.missingZone, 'www', 'A'), 'not_found')
    const edits = [edit('www', 'A', [add('192.0.2.1')])]
    await expectError(t, peer, adapter.apply(peer.missingZone, edits), 'not_found')
  })

  for (const type of RECORD_TYPES) {
    await t.test(`${type}: written, listed, read, and written back`, async (t) => {
      const { peer, adapter, zone, list, apply } = await start(t, makePeer)
      if (!peer.provider.capabilities.recordTypes.includes(type))
        return skip(t, `the provider has no ${type} records`)
      const wanted = sorted(samplesOf(type).map(({ name, values }) => rrset(name, type, values)))
      for (const value of samplesOf(type).flatMap(({ values }) => values)) {
        const back = typeOf(type).read(typeOf(type).write(value))
        if (back !== value) t.equal(back, value, 'the sample is canonical')
      }
      await apply(
        wanted.map((item) =>
          edit(
            item.name,
            type,
            item.members.map(({ value }) => add(value)),
          ),
        ),
      )
      t.same(await peer.dump(), wanted, 'written')
      t.same((await list()).rrsets.filter(isOf(type)), wanted, 'listed')
      for (const item of wanted) {
        const read = await adapter.readRRset(zone, item.name, type)
        t.same(read === null ? [] : sorted([read]), [item], `read ${item.name}`)
      }
      await writeBack(t, peer, apply, (await list()).rrsets.filter(isOf(type)))
    })
  }

  await t.test('what others wrote is listed and written back unchanged', async (t) => {
    const { peer, list, apply } = await start(t, makePeer)
    const { recordTypes } = peer.provider.capabilities
    const all = sorted(
      recordTypes.flatMap((type) => samplesOf(type).map((s) => rrset(s.name, type, s.values, 600))),
    )
    await peer.seed(all)
    const listed = (await list()).rrsets
    t.same(
      listed.filter((item) => all.some(({ name, type }) => item.name === name && item.type === type)),
      all,
    )
    await writeBack(t, peer, apply, all)
  })

  await t.test(`a list of ${PAGING_SIZE} RRsets is complete`, async (t) => {
    const { peer, list } = await start(t, makePeer)
    const many = Array.from({ length: PAGING_SIZE }, (_, i) =>
      rrset(`host-${i}`, 'A', [`10.0.${i >> 8}.${i & 255}`]),
    )
    await peer.seed(many)
    const listed = (await list()).rrsets.filter(isOf('A'))
    t.equal(listed.length, PAGING_SIZE)
    t.same(listed, sorted(many))
  })

  await t.test('foreign content is not listed as ours, and survives', async (t) => {
    const { peer, adapter, zone, list, apply } = await start(t, makePeer)
    if (peer.foreign === undefined) return skip(t, "the peer can't hold what we don't manage")
    const look = await peer.foreign()
    const before = await look()
    const { rrsets, unmanaged } = await list()
    const served = (item: RRset | null) =>
      item && { ...item, members: item.members.filter(({ disabled }) => !disabled) }
    t.same(rrsets.filter(({ name, type }) => name === 'foreign' && type === 'A').map(served), [
      rrset('foreign', 'A', ['192.0.2.1']),
    ])
    t.ok(unmanaged.length > 0, 'types that we do not manage are listed')
    t.same(served(await adapter.readRRset(zone, 'foreign', 'A')), rrset('foreign', 'A', ['192.0.2.1']))
    await apply([edit('foreign', 'A', [add('192.0.2.99')])])
    t.notSame(await look(), before)
    await apply([edit('foreign', 'A', [{ action: 'remove', member: { value: '192.0.2.99' } }])])
    t.same(await look(), before, 'after a sibling came and went')
    await apply([edit('foreign', 'A', [replace('192.0.2.1', '192.0.2.98')])])
    await apply([edit('foreign', 'A', [replace('192.0.2.98', '192.0.2.1')])])
    t.same(await look(), before, 'after a sibling was replaced and restored')
    await apply([edit('elsewhere', 'A', [add('192.0.2.1')])])
    await apply([edit('elsewhere', 'A', [{ action: 'remove', member: { value: '192.0.2.1' } }])])
    t.same(await look(), before, 'after work elsewhere in the zone')
  })
}

const isOf = (type: RecordType) => (item: RRset) =>
  // The zone's own name servers come from the provider.
  item.type === type && !(item.type === 'NS' && item.name === '@')

/** Writing what is there already must change nothing, and where RRsets are compared not even call. */
async function writeBack(
  t: Test,
  peer: Peer,
  apply: (edits: ReturnType<typeof edit>[]) => Promise<void>,
  rrsets: RRset[],
): Promise<void> {
  const before = await peer.dump()
  const writes = peer.writes?.()
  await apply(
    rrsets.map((item) =>
      edit(
        item.name,
        item.type,
        item.members.map((m) => add(m.value)),
        item.ttl ?? undefined,
      ),
    ),
  )
  await apply(
    rrsets.map((item) =>
      edit(
        item.name,
        item.type,
        item.members.map((m) => replace(m.value, m.value)),
        item.ttl ?? undefined,
      ),
    ),
  )
  t.same(await peer.dump(), before, 'written back unchanged')
  if (peer.provider.capabilities.identity !== 'rrset')
    skip(t, 'without a write: members have ids of their own')
  else if (writes === undefined) skip(t, "without a write: the peer's calls can't be counted")
  else t.equal(peer.writes?.(), writes, 'without a write')
}
