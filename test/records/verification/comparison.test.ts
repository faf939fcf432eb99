import t from 'tap'
import { RCODE } from '../../../dns/wire/message.ts'
import { compare } from '../../../modules/records/verification/comparison.ts'
import { decidingNames, expectedOf } from '../../../modules/records/verification/expected.ts'
import type { DnsAnswer } from '../../../plugins/outbound/dns/index.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'
import { record } from '../../helpers/dns-server.ts'

const ZONE = 'example.com'
const held = (name: string, type: RecordType, value: string, more: object = {}) => ({
  name,
  type,
  value,
  enabled: true,
  deleting: false,
  proxied: false,
  routing: null,
  ...more,
})

/** How an answer for a name and type compares, with these records stored. */
function compared(
  key: { name: string; type: RecordType },
  records: ReturnType<typeof held>[],
  answer: Partial<DnsAnswer>,
  unmanaged: { name: string; type: string }[] = [],
): string {
  const [expected] = expectedOf(ZONE, [key], records, unmanaged)
  if (expected === undefined) return 'left out'
  const full = {
    rcode: RCODE.NOERROR,
    isAuthoritative: true,
    isTruncated: false,
    isAuthentic: false,
    answers: [],
    authorities: [],
    additionals: [],
    ...answer,
  }
  return compare(expected, full).state
}

const WWW = { name: 'www', type: 'A' } as const
const www = held('www', 'A', '192.0.2.1')
const a = (owner: string, value = '192.0.2.1') => record(owner, 'A', value)

void t.test('values count, not their order, case or TTL', async (t) => {
  const two = [www, held('www', 'A', '192.0.2.2')]
  const both = [a('www.example.com', '192.0.2.2'), { ...a('www.example.com'), ttl: 5 }]
  t.equal(compared(WWW, two, { answers: both }), 'agrees')
  t.equal(compared(WWW, two, { answers: [a('www.example.com')] }), 'differs')
  t.equal(compared(WWW, [www], { answers: both }), 'differs')
  t.equal(compared(WWW, [{ ...www, enabled: false }], {}), 'agrees', 'disabled ones are not served')
  const mx = held('@', 'MX', '10 mail.example.com')
  const answers = [record('example.com', 'MX', '10 mail.example.com')]
  t.equal(compared({ name: '@', type: 'MX' }, [mx], { answers }), 'agrees')
})

void t.test('texts are compared joined', async (t) => {
  const long = 'x'.repeat(300)
  const text = (value: string) => [held('@', 'TXT', value)]
  const key = { name: '@', type: 'TXT' } as const
  t.equal(compared(key, text(`"${long}"`), { answers: [record(ZONE, 'TXT', `"${long}"`)] }), 'agrees')
  t.equal(compared(key, text('"ab"'), { answers: [record(ZONE, 'TXT', '"a" "b"')] }), 'agrees')
  t.equal(compared(key, text('"ab"'), { answers: [record(ZONE, 'TXT', '"ba"')] }), 'differs')
})

void t.test('deleted: NXDOMAIN, NODATA, or what a wildcard answers', async (t) => {
  t.equal(compared(WWW, [], { rcode: RCODE.NXDOMAIN }), 'agrees')
  t.equal(compared(WWW, [], {}), 'agrees')
  t.equal(compared(WWW, [], { answers: [a('www.example.com')] }), 'differs')
  t.equal(compared(WWW, [www], { rcode: RCODE.NXDOMAIN }), 'differs')
  const wildcard = [held('*', 'A', '192.0.2.7')]
  t.equal(compared(WWW, wildcard, { answers: [a('www.example.com', '192.0.2.7')] }), 'agrees')
  t.equal(compared(WWW, wildcard, { answers: [a('www.example.com')] }), 'differs')
  const deep = { name: 'a.b', type: 'A' } as const
  t.equal(compared(deep, [held('*.b', 'A', '192.0.2.1')], { answers: [a('a.b.example.com')] }), 'agrees')
  t.equal(
    compared({ name: '*', type: 'A' }, wildcard, { answers: [a('*.example.com', '192.0.2.7')] }),
    'agrees',
  )
})

void t.test('a CNAME is not followed', async (t) => {
  const cname = held('www', 'CNAME', 'host.example.com')
  const answers = [record('www.example.com', 'CNAME', 'host.example.com'), a('host.example.com')]
  t.equal(compared({ name: 'www', type: 'CNAME' }, [cname], { answers }), 'agrees')
  t.equal(compared(WWW, [cname], { answers }), 'agrees', 'its former A is gone')
  t.equal(compared(WWW, [www], { answers }), 'differs', 'the CNAME is still there')
  t.equal(compared(WWW, [cname], { rcode: RCODE.NXDOMAIN, answers: answers.slice(0, 1) }), 'agrees')
})

void t.test('delegations are in the referral', async (t) => {
  const ns = [held('sub', 'NS', 'ns.sub.example.com'), held('ns.sub', 'A', '192.0.2.1')]
  const key = { name: 'sub', type: 'NS' } as const
  const referral = {
    isAuthoritative: false,
    authorities: [record('sub.example.com', 'NS', 'ns.sub.example.com')],
  }
  t.equal(compared(key, ns, referral), 'agrees')
  t.equal(
    compared(key, ns, { ...referral, authorities: [record('sub.example.com', 'NS', 'old.example')] }),
    'differs',
  )
  t.equal(compared(key, [], referral), 'differs', 'a deleted delegation is still there')
  const glue = { name: 'ns.sub', type: 'A' } as const
  t.equal(compared(glue, ns, { ...referral, additionals: [a('ns.sub.example.com')] }), 'agrees')
  t.equal(compared(glue, ns, referral), 'not_comparable', 'servers may leave out glue')
  t.equal(compared(key, ns, { answers: [record('sub.example.com', 'NS', 'of.child')] }), 'not_comparable')
  const ds = `1 13 2 ${'ab'.repeat(32)}`
  const dsKey = { name: 'sub', type: 'DS' } as const
  const signed = [...ns, held('sub', 'DS', ds)]
  t.equal(compared(dsKey, signed, { answers: [record('sub.example.com', 'DS', ds)] }), 'agrees')
  t.equal(compared(dsKey, signed, {}), 'differs')
})

void t.test('servers that do not have the zone', async (t) => {
  t.equal(compared(WWW, [www], { rcode: RCODE.REFUSED, isAuthoritative: false }), 'refused')
  for (const rcode of [RCODE.SERVFAIL, RCODE.NOTAUTH, RCODE.NOTIMP])
    t.equal(compared(WWW, [www], { rcode }), 'lame')
  t.equal(
    compared(WWW, [www], { isAuthoritative: false, answers: [a('www.example.com')] }),
    'lame',
    'a cache',
  )
  const upward = [record('com', 'NS', 'a.gtld-servers.net')]
  t.equal(compared(WWW, [www], { isAuthoritative: false, authorities: upward }), 'lame')
  t.equal(
    compared(WWW, [www], { isAuthoritative: false, authorities: [record(ZONE, 'NS', 'ns.example')] }),
    'lame',
  )
})

void t.test('answers that the provider decides are left out', async (t) => {
  const apex = { name: '@', type: 'A' } as const
  t.equal(compared(apex, [held('@', 'ALIAS', 'host.example')], {}), 'left out')
  t.equal(compared({ name: '@', type: 'ALIAS' }, [held('@', 'ALIAS', 'host.example')], {}), 'left out')
  t.equal(compared({ name: '@', type: 'CNAME' }, [held('@', 'CNAME', 'host.example')], {}), 'left out')
  t.equal(compared(WWW, [{ ...www, proxied: true }], {}), 'left out')
  t.equal(compared(WWW, [held('www', 'A', '192.0.2.1', { routing: { id: 'a' } })], {}), 'left out')
  t.equal(compared(WWW, [www], {}, [{ name: 'www', type: 'LUA' }]), 'left out')
  t.equal(compared({ name: 'a.www', type: 'A' }, [held('www', 'DNAME', 'host.example')], {}), 'left out')
  t.equal(compared({ name: '@', type: 'TXT' }, [held('@', 'ALIAS', 'host.example')], {}), 'agrees')
})

void t.test('the names that decide', async (t) => {
  t.same(decidingNames(['a.b.c', '@']).sort(), ['*', '*.b.c', '*.c', '@', 'a.b.c', 'b.c', 'c'])
})
