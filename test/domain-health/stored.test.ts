import t from 'tap'
import { create } from '../change-requests/reviewed-zone.ts'
import type { Answer } from '../helpers/app.ts'
import { addDomain, addManual } from '../helpers/zone.ts'
import { startApp } from '../helpers/app.ts'

/* Each code about stored records: a zone that has it and one that has not, and the fix removes it. */

const { admin, database } = await startApp(t)
const manual = await addManual(admin)

interface Finding {
  code: string
  name: string
  type: string | null
  severity: string
  params: Record<string, unknown>
  fix: object[] | null
}

const check = async (domainId: string): Promise<Finding[]> => {
  const { status, body } = await admin.post(`/api/domains/${domainId}/health/check`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.findings
}
const codes = (findings: Finding[], name?: string) =>
  findings
    .filter(
      (finding) => (name === undefined || finding.name === name) && !/^(expiry|caa.none)/.test(finding.code),
    )
    .map(({ code }) => code)
    .sort()

const apply = async (domainId: string, changes: object[]): Promise<Answer> => {
  const done = await admin.post(`/api/domains/${domainId}/records/apply`, { changes })
  if (done.status !== 200) throw new Error(JSON.stringify(done.body))
  return done
}

type Rec = [name: string, type: string, value: string, ttl?: number]
let count = 0
/** A domain with these records. */
const zoneOf = async (...records: Rec[]) => {
  count += 1
  const { id, name } = await addDomain(admin, manual, `zone${count}.example`)
  const changes = records.map(([host, type, value, ttl = 300]) => ({
    ...create(host, value.replaceAll('ZONE', name), type),
    ttl,
  }))
  if (changes.length > 0) await apply(id, changes)
  return { id, name }
}

interface Case {
  code: string
  bad: Rec[]
  good: Rec[]
  /** What remains once the fix is applied; without it, no fix follows. */
  fixed?: string[]
}

const CASES: Case[] = [
  {
    code: 'mail.spf_syntax',
    bad: [['a', 'TXT', 'v=spf1 ip4:300.1.1.1 -all']],
    good: [['a', 'TXT', 'v=spf1 ?all']],
  },
  {
    code: 'mail.spf_syntax',
    bad: [['a', 'TXT', 'v=spf1 include=example.net -all']],
    good: [['a', 'TXT', 'v=spf1 include:example.net -all']],
    fixed: [],
  },
  {
    code: 'mail.spf_lookups',
    bad: [
      ['a', 'TXT', `v=spf1 ${Array.from({ length: 11 }, (_, i) => `a:h${i}.example.net`).join(' ')} -all`],
    ],
    good: [
      ['a', 'TXT', `v=spf1 ${Array.from({ length: 10 }, (_, i) => `a:h${i}.example.net`).join(' ')} -all`],
    ],
  },
  {
    code: 'mail.spf_many',
    bad: [
      ['a', 'TXT', 'v=spf1 ip4:192.0.2.1 -all'],
      ['a', 'TXT', 'v=spf1 ip4:192.0.2.2 -all'],
    ],
    good: [
      ['a', 'TXT', 'v=spf1 ip4:192.0.2.1 -all'],
      ['a', 'TXT', 'v=other'],
    ],
    fixed: [],
  },
  {
    code: 'mail.dmarc_syntax',
    bad: [['_dmarc', 'TXT', 'v=DMARC1; rua=mailto:d@example.net']],
    good: [['_dmarc', 'TXT', 'v=DMARC1; p=none; rua=mailto:d@example.net']],
    fixed: [],
  },
  {
    code: 'mail.dmarc_missing',
    bad: [['@', 'MX', '10 mail.example.net']],
    good: [
      ['@', 'MX', '10 mail.example.net'],
      ['_dmarc', 'TXT', 'v=DMARC1; p=reject'],
    ],
    fixed: [],
  },
  {
    code: 'mail.mx_without_address',
    bad: [
      ['a', 'MX', '10 mx.ZONE'],
      ['mx', 'TXT', 'no address'],
    ],
    good: [
      ['a', 'MX', '10 mx.ZONE'],
      ['mx', 'A', '192.0.2.1'],
    ],
  },
  {
    code: 'mail.mx_without_address',
    bad: [
      ['a', 'MX', '10 mx.ZONE'],
      ['a', 'MX', '20 mail.example.net'],
      ['mx', 'TXT', 'no address'],
    ],
    good: [
      ['a', 'MX', '10 mx.dev.ZONE'],
      ['*.dev', 'A', '192.0.2.1'],
    ],
    fixed: [],
  },
  {
    code: 'mail.mta_sts',
    bad: [['_mta-sts', 'TXT', 'v=STSv1; id=1']],
    good: [
      ['_mta-sts', 'TXT', 'v=STSv1; id=1'],
      ['mta-sts', 'A', '192.0.2.1'],
    ],
  },
  {
    code: 'mail.mta_sts',
    bad: [
      ['_mta-sts', 'TXT', 'v=STSv1; id=a-b'],
      ['mta-sts', 'A', '192.0.2.1'],
    ],
    good: [['a', 'TXT', 'v=STSv1']],
  },
  {
    code: 'caa.syntax',
    bad: [['a', 'CAA', '0 issue "letsencrypt"']],
    good: [
      ['a', 'CAA', '0 issue "letsencrypt.org; validationmethods=dns-01"'],
      ['b', 'CAA', '0 issue ";"'],
    ],
  },
  { code: 'address.private', bad: [['a', 'A', '172.31.0.1']], good: [['a', 'A', '172.32.0.1']] },
  { code: 'address.private', bad: [['a', 'AAAA', 'fd00::1']], good: [['a', 'AAAA', '2001:db8::1']] },
  { code: 'address.private', bad: [['a', 'A', '127.0.0.1']], good: [['a', 'A', '192.0.2.1']] },
  { code: 'ttl.short', bad: [['a', 'A', '192.0.2.1', 59]], good: [['a', 'A', '192.0.2.1', 60]], fixed: [] },
  {
    code: 'ttl.long',
    bad: [['a', 'A', '192.0.2.1', 604_801]],
    good: [['a', 'A', '192.0.2.1', 604_800]],
    fixed: [],
  },
  {
    code: 'target.missing',
    bad: [['a', 'CNAME', 'gone.ZONE']],
    good: [
      ['a', 'CNAME', 'x.y.ZONE'],
      ['*', 'A', '192.0.2.1'],
    ],
    fixed: [],
  },
  {
    code: 'target.missing',
    bad: [
      ['a', 'CNAME', 'x.y.ZONE'],
      ['*', 'A', '192.0.2.1'],
      ['y', 'TXT', 'closer than the wildcard'],
    ],
    good: [
      ['_sip._tcp', 'SRV', '10 60 5060 sip.sub.ZONE'],
      ['sub', 'NS', 'ns.example.net'],
    ],
    fixed: [],
  },
]

for (const [at, { code, bad, good, fixed }] of CASES.entries()) {
  void t.test(`${code} (${at})`, async (t) => {
    const sick = await zoneOf(...bad)
    const found = (await check(sick.id)).filter((finding) => finding.code === code)
    t.equal(found.length, 1, 'found once')
    t.notMatch(codes(await check((await zoneOf(...good)).id)), [code], 'a sound zone has no such finding')
    if (!fixed) return t.equal(found[0]?.fix, null)
    const plan = await admin.post(`/api/domains/${sick.id}/records/plan`, { changes: found[0]?.fix })
    t.match(plan, { status: 200, body: { conflicts: { length: 0 } } })
    await apply(sick.id, found[0]?.fix ?? [])
    t.same(
      (await check(sick.id)).filter((finding) => finding.code === code),
      [],
      'the fix removes it',
    )
  })
}

void t.test('mail.null_mx_beside_others and rrset.ttl_differs, which only an import brings', async (t) => {
  const { id } = await zoneOf(
    ['a', 'MX', '10 mail.example.net'],
    ['b', 'A', '192.0.2.1'],
    ['b', 'A', '192.0.2.2'],
  )
  t.same(codes(await check(id)), [])
  const rows = await database.db.selectFrom('records').selectAll().where('domain_id', '=', id).execute()
  const mx = rows.find(({ type }) => type === 'MX')
  const { routing: _, extra: __, ...copied } = mx as NonNullable<typeof mx>
  await database.db
    .insertInto('records')
    .values({
      ...copied,
      id: '0192f0a0-0000-7000-8000-00000000dead',
      value: '0 .',
      priority: 0,
      routing: null,
      extra: null,
    })
    .execute()
  await database.db
    .updateTable('records')
    .set({ ttl: 900 })
    .where('domain_id', '=', id)
    .where('value', '=', '192.0.2.2')
    .execute()
  const found = await check(id)
  t.same(codes(found), ['mail.null_mx_beside_others', 'rrset.ttl_differs'])
  for (const { fix } of found.filter(({ fix }) => fix)) await apply(id, fix ?? [])
  t.same(codes(await check(id)), [], 'the fixes remove both')
})

void t.test('what the registry said', async (t) => {
  const { id } = await zoneOf()
  const set = (values: object) =>
    database.db.updateTable('domains').set(values).where('id', '=', id).execute()
  const of = async () =>
    (await check(id))
      .filter(({ code }) => /^(expiry|registrar)/.test(code))
      .map(({ code, severity }) => `${code} ${severity}`)
  t.same(await of(), ['expiry.unknown info'])
  const days = (count: number) => new Date(Date.now() + count * 86_400_000)
  await set({ expires_at: days(31), epp_status: ['ok'] })
  t.same(await of(), ['registrar.unlocked warning'])
  await set({ expires_at: days(29), epp_status: ['clientTransferProhibited'] })
  t.same(await of(), ['expiry.near warning'])
  await set({ expires_at: days(3) })
  t.same(await of(), ['expiry.near error'])
  const below = await addDomain(admin, manual, 'sub.zone1.example')
  t.same(
    (await check(below.id)).map(({ code }) => code),
    [],
    'a subdomain is not registered, and has the CAA and DMARC policy of its domain',
  )
})

void t.test('caa.none', async (t) => {
  const has = async (id: string) => (await check(id)).some(({ code }) => code === 'caa.none')
  t.ok(await has((await zoneOf()).id))
  t.notOk(await has((await zoneOf(['@', 'CAA', '0 issue "letsencrypt.org"'])).id))
})
