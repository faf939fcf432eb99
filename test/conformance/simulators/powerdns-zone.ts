import { isIPv4, isIPv6 } from 'node:net'
import { Refused, json as jsonAnswer, type Body } from './answers.ts'
import type { SimulatedZone } from './dialect.ts'

export interface PowerDnsRecord {
  content: string
  disabled: boolean
}

export interface PowerDnsComment {
  content: string
  account: string
  modified_at: number
}

export interface PowerDnsRRset {
  name: string
  type: string
  ttl: number
  records: PowerDnsRecord[]
  comments: PowerDnsComment[]
}

export const json = (status: number, value: unknown) => jsonAnswer(status, value, { connection: 'close' })

/** Ends the request as PowerDNS's API does. */
export const says = (status: number, error: string) => new Refused(json(status, { error }))
const refused = (error: string) => says(422, error)

// Of 4.7.
const TYPES = (
  'A AAAA CNAME NS MX TXT SRV CAA SOA PTR DNAME DS CDS CDNSKEY DNSKEY TLSA SMIMEA SSHFP OPENPGPKEY NAPTR SVCB ' +
  'HTTPS LOC URI HINFO RP CERT CSYNC APL EUI48 EUI64 ZONEMD ALIAS LUA MINFO AFSDB KX SPF IPSECKEY DHCID KEY NID L32 L64 LP'
).split(' ')
const ALLOWED = /^[a-z0-9_/@*.-]+$/i

const keyOf = (name: string, type: string) => `${name.toLowerCase()} ${type}`

/** One zone, with the checks that PowerDNS 4.7 makes when it is changed. */
export class PowerDnsZone implements SimulatedZone {
  readonly name: string
  /** The name with the final dot. */
  readonly apex: string
  serial = 2026010101
  /** Empty: a change leaves the serial as it is. */
  soaEditApi = 'DEFAULT'
  /** As `GET /zones/{id}/cryptokeys` answers them. */
  keys: { active: boolean; keytype: string; ds: string[] }[] = []
  #rrsets = new Map<string, PowerDnsRRset>()

  constructor(name: string) {
    this.name = name
    this.apex = `${name}.`
    const soa = `a.misconfigured.dns.server.invalid. hostmaster.${this.apex} ${this.serial} 10800 3600 604800 3600`
    const records = [{ content: soa, disabled: false }]
    this.#put({ name: this.apex, type: 'SOA', ttl: 3600, records, comments: [] })
  }

  /** Asked for once more, it makes more keys. */
  sign(signed: boolean): void {
    const tag = 12_345 + this.keys.length
    const key = { active: true, keytype: 'csk', ds: [`${tag} 13 2 ${'ab'.repeat(32)}`] }
    this.keys = signed ? [...this.keys, key] : []
  }

  /** In PowerDNS's order: names descending. A copy. */
  get rrsets(): PowerDnsRRset[] {
    const all = [...this.#rrsets.values()]
    all.sort((a, b) => Number(a.name < b.name) - Number(a.name > b.name) || (a.type < b.type ? 1 : -1))
    return structuredClone(all)
  }

  /** All of the changes or none. Throws Refused. */
  patch(rrsets: unknown): void {
    if (!Array.isArray(rrsets)) throw refused('No rrsets given in update request')
    const before = new Map(this.#rrsets)
    const seen = new Set<string>()
    try {
      for (const rrset of rrsets) this.#change(rrset as Body, seen)
    } catch (error) {
      this.#rrsets = before
      throw error
    }
    if (this.soaEditApi !== '') this.serial++
  }

  #change(change: Body, seen: Set<string>): void {
    const name = canonical(String(change['name']))
    const type = String(change['type'])
    const changetype = String(change['changetype']).toUpperCase()
    const label = `${name} IN ${type}`
    if (!TYPES.includes(type) && !/^TYPE\d+$/.test(type)) throw refused(`RRset ${label}: unknown type given`)
    if (seen.has(keyOf(name, type))) {
      throw refused(`Duplicate RRset ${label} with changetype: ${changetype}`)
    }
    seen.add(keyOf(name, type))
    if (changetype === 'DELETE') return void this.#rrsets.delete(keyOf(name, type))
    if (changetype !== 'REPLACE') throw refused('Changetype not understood')
    if (name !== this.apex && !name.toLowerCase().endsWith(`.${this.apex}`)) {
      throw refused(`RRset ${label}: Name is out of zone`)
    }
    this.#replace(name, type, change)
  }

  #replace(name: string, type: string, change: Body): void {
    const label = `${name} IN ${type}`
    const old = this.#rrsets.get(keyOf(name, type))
    const rrset: PowerDnsRRset = { name, type, ttl: old?.ttl ?? 0, records: old?.records ?? [], comments: [] }
    rrset.comments = (change['comments'] as PowerDnsComment[] | undefined) ?? old?.comments ?? []
    if (change['records'] === undefined && change['comments'] === undefined) {
      throw refused(`No change for RRset ${label}`)
    }
    if (Array.isArray(change['records'])) {
      if (!Number.isInteger(change['ttl'])) throw refused("Key 'ttl' not an Integer or not present")
      rrset.ttl = Number(change['ttl'])
      rrset.records = (change['records'] as PowerDnsRecord[]).map(({ content, disabled }) => {
        checkContent(`Record ${name}/${type} '${content}'`, type, content)
        return { content: type === 'AAAA' ? shownAddress(content) : content, disabled: disabled === true }
      })
      this.#checkRecords(label, rrset)
    }
    if (rrset.records.length === 0) this.#rrsets.delete(keyOf(name, type))
    else this.#put(rrset)
  }

  #checkRecords(label: string, rrset: PowerDnsRRset): void {
    const contents = new Set<string>()
    for (const { content } of rrset.records) {
      if (contents.has(content)) throw refused(`Duplicate record in RRset ${label} with content "${content}"`)
      contents.add(content)
    }
    if (rrset.type === 'CNAME' && contents.size > 1) throw refused(`RRset ${label} has more than one record`)
    const others = TYPES.filter((type) => type !== rrset.type).flatMap((type) => {
      const other = this.#rrsets.get(keyOf(rrset.name, type))
      // Disabled records don't get in the way.
      return other?.records.some((record) => !record.disabled) === true ? [other] : []
    })
    if (others.some((other) => (other.type === 'CNAME') !== (rrset.type === 'CNAME'))) {
      throw refused(`RRset ${label}: Conflicts with pre-existing RRset`)
    }
  }

  #put(rrset: PowerDnsRRset): void {
    this.#rrsets.set(keyOf(rrset.name, rrset.type), rrset)
  }
}

/** The name, when it is one that the API takes. Throws Refused. */
export function canonical(name: string): string {
  if (!name.endsWith('.')) throw refused(`DNS Name '${name}' is not canonical`)
  if (!ALLOWED.test(name)) {
    throw refused(`Name '${name.replaceAll(' ', '\\032')}' contains unsupported characters`)
  }
  return name
}

/** IPv4-mapped addresses are shown in a form that is not taken. */
const shownAddress = (content: string): string => {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(content) ?? []
  if (high === undefined || low === undefined) return content
  const bytes = [high, low].flatMap((part) => [parseInt(part, 16) >> 8, parseInt(part, 16) & 255])
  return `::ffff:${bytes.join('.')}`
}

const TARGET = /\S+$/
const PATTERNS: Record<string, RegExp> = {
  MX: /^\d+ \S+$/,
  SRV: /^\d+ \d+ \d+ \S+$/,
  CAA: /^\d+ \S+ \S.*$/,
}

function checkContent(label: string, type: string, content: string): void {
  const parsing = `${label}: Parsing record content (try 'pdnsutil check-zone')`
  const format = (parsed: string) => refused(`${label}: Not in expected format (parsed as '${parsed}')`)
  if (type === 'A' && !isIPv4(content)) throw refused(`${parsing}: unable to parse IP address`)
  if (type === 'AAAA' && (!isIPv6(content) || content.includes('.')))
    throw refused(`${label}: Invalid IPv6 address`)
  if (PATTERNS[type]?.test(content) === false) {
    throw refused(`${parsing}: missing field at the end of record content '${content}'`)
  }
  if (['CNAME', 'NS', 'MX', 'SRV', 'PTR'].includes(type) && !content.endsWith('.')) {
    throw format(`${content}.`)
  }
  if (type === 'TXT' && !/^"([^"\\]|\\.)*"( "([^"\\]|\\.)*")*$/s.test(content)) throw format(`"${content}"`)
  if (type === 'CAA' && !content.endsWith('"')) throw format(content.replace(TARGET, '"$&"'))
}
