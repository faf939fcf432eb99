import { RCODE, TYPE, type ResourceRecord } from '../../../dns/wire/message.ts'
import { typeCode } from '../../../dns/wire/type-codes.ts'
import type { Delegation, Dns, DnsAnswer, DnsServer } from '../../../plugins/outbound/dns/index.ts'
import { OutboundError } from '../../../plugins/outbound/http-exchange.ts'
import type { HealthCode } from '../catalogue.ts'
import { finding, type Found } from '../checking/finding.ts'
import type { AskedServer } from './delegation.ts'
import {
  isOf,
  isSignedBy,
  knowsAlgorithm,
  knowsDigest,
  readDs,
  readKey,
  readSignature,
  type Ds,
  type Key,
  type Signature,
} from './signatures.ts'
import { orFailure } from './tools.ts'

export const DNSSEC_CODES: HealthCode[] = [
  'dnssec.bogus',
  'dnssec.ds_without_key',
  'dnssec.key_without_ds',
  'dnssec.expiring',
]

const DS_CODE = typeCode('DS') ?? 0
const DNSKEY_CODE = typeCode('DNSKEY') ?? 0
const RRSIG_CODE = typeCode('RRSIG') ?? 0
/** The part of its validity that a signature should not reach. */
const LAST_PART = 1 / 8

/**
 * Validates the apex as far as the zone and its DS go: the digest of a DS against a DNSKEY, the signature over the DNSKEY RRset
 * by that key, and the signature over the SOA by a key of the zone, each with its time. The chain above is not followed, and
 * other names are not asked.
 */
export async function dnssecFindings(
  dns: Dns,
  zone: string,
  { parentServers }: Delegation,
  asked: readonly AskedServer[],
  now: Date,
  signal: AbortSignal,
): Promise<Found> {
  const first = asked.find(({ state }) => state === 'answers')
  const ds = await dsAt(dns, zone, parentServers, signal)
  const [keys, soa] = first
    ? await Promise.all([
        ask(dns, first.server, zone, 'DNSKEY', signal),
        ask(dns, first.server, zone, 'SOA', signal),
      ])
    : [null, null]
  if (!ds || !keys || !soa) return unknown('no_answer', 'The DS records or the keys could not be read.')
  return judge(zone, ds, keys, soa, Math.floor(now.getTime() / 1000))
}

const unknown = (reason: string, detail: string): Found => ({
  findings: [],
  unknown: [{ codes: DNSSEC_CODES, subject: null, reason, detail }],
})

async function ask(dns: Dns, server: DnsServer, name: string, type: string, signal: AbortSignal) {
  const answer = await orFailure(dns.query(server, { name, type, dnssecOk: true }, signal))
  return answer instanceof OutboundError || answer.rcode !== RCODE.NOERROR ? null : answer
}

async function dsAt(dns: Dns, zone: string, servers: readonly DnsServer[], signal: AbortSignal) {
  for (const server of servers.slice(0, 4)) {
    const answer = await ask(dns, server, zone, 'DS', signal)
    if (answer?.isAuthoritative === true) return dataOf(answer, zone, DS_CODE).map(readDs)
  }
  return null
}

const rrsetOf = ({ answers }: DnsAnswer, name: string, type: number): ResourceRecord[] =>
  answers.filter((record) => record.name === name && record.type === type)
const dataOf = (answer: DnsAnswer, name: string, type: number) =>
  rrsetOf(answer, name, type).map(({ data }) => data)

function judge(zone: string, ds: Ds[], keyAnswer: DnsAnswer, soaAnswer: DnsAnswer, now: number): Found {
  const keyRrset = rrsetOf(keyAnswer, zone, DNSKEY_CODE)
  const keys = keyRrset.map(({ data }) => readKey(data))
  const about = { name: '@', type: 'DNSKEY' } as const
  if (ds.length === 0) {
    if (keys.length === 0) return { findings: [], unknown: [] }
    const detail = `The zone has ${keys.length} keys, but the parent zone has no DS.`
    const found = finding({ ...about, code: 'dnssec.key_without_ds', detail, params: { keys: keys.length } })
    return withExpiring({ findings: [found], unknown: [] }, [keyAnswer, soaAnswer], zone, now)
  }
  // What resolvers don't know, they treat as unsigned (RFC 4035 section 5.2).
  const known = ds.filter((one) => knowsDigest(one) && knowsAlgorithm(one.algorithm))
  if (known.length === 0)
    return unknown('algorithm', 'The DS records use algorithms that are not known here.')
  const entries = keys.filter((key) => known.some((one) => isOf(one, key, zone)))
  if (entries.length === 0) {
    const tags = ds.map(({ tag }) => tag)
    const detail = `No key of the zone matches the DS records (${tags.join(', ')}).`
    const found = finding({ ...about, code: 'dnssec.ds_without_key', detail, params: { tags } })
    return { findings: [found], unknown: [] }
  }
  const problems = [
    whyInvalid(keyAnswer, zone, DNSKEY_CODE, entries, now),
    whyInvalid(soaAnswer, zone, TYPE.SOA, keys, now),
  ]
  const found: Found = { findings: [], unknown: [] }
  for (const [at, problem] of problems.entries()) {
    if (problem === null) continue
    const rrset = at === 0 ? 'DNSKEY' : 'SOA'
    const detail = `The ${rrset} records have no valid signature: ${problem}.`
    const params = { rrset, problem }
    found.findings.push(finding({ ...about, code: 'dnssec.bogus', subject: rrset, detail, params }))
  }
  return withExpiring(found, [keyAnswer, soaAnswer], zone, now)
}

const signaturesOf = (answer: DnsAnswer, zone: string): Signature[] =>
  dataOf(answer, zone, RRSIG_CODE).map(readSignature)

/** Why no signature of the RRset holds; null if one does. */
function whyInvalid(answer: DnsAnswer, zone: string, type: number, keys: Key[], now: number): string | null {
  const rrset = rrsetOf(answer, zone, type)
  const signatures = signaturesOf(answer, zone).filter(({ covers }) => covers === type)
  if (signatures.length === 0) return 'there is none'
  const made = signatures.filter((signature) => keys.some((key) => isSignedBy(signature, key, rrset)))
  if (made.length === 0) return 'it was not made by a key of the zone'
  if (made.some(({ begins, expires }) => begins <= now && now <= expires)) return null
  return made.every(({ expires }) => expires < now) ? 'it has expired' : 'it is not valid yet'
}

/** Adds what will expire soon. */
function withExpiring(found: Found, answers: DnsAnswer[], zone: string, now: number): Found {
  const late = answers
    .flatMap((answer) => signaturesOf(answer, zone))
    .filter(({ begins, expires }) => expires > now && expires - now < (expires - begins) * LAST_PART)
  const [first] = late.sort((one, other) => one.expires - other.expires)
  if (first) {
    const at = new Date(first.expires * 1000).toISOString()
    const detail = `A signature of key ${first.tag} expires at ${at}.`
    const params = { expiresAt: at, tag: first.tag }
    found.findings.push(finding({ code: 'dnssec.expiring', name: '@', type: 'DNSKEY', detail, params }))
  }
  return found
}
