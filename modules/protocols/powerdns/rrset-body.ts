import { rrsetKey } from '../../../dns/names/rrset.ts'
import { relativeName } from '../../../dns/names/names.ts'
import { readType, typeOf, type RecordType } from '../../../dns/types/index.ts'
import { absoluteData } from '../../../dns/zone-file/relative-data.ts'
import { MAX_COMMENT, MAX_VALUE } from '../../records/service.ts'
import { refused } from './errors.ts'
import { readCanonical } from './zone-ids.ts'

/** RRsets of a body, read and checked by the rules of PowerDNS, with its words. Members that it does not know are ignored. */

export type ChangeKind = 'REPLACE' | 'DELETE' | 'EXTEND' | 'PRUNE'
const KINDS: ReadonlySet<string> = new Set<ChangeKind>(['REPLACE', 'DELETE', 'EXTEND', 'PRUNE'])

export interface GivenRecord {
  /** Canonical. */
  value: string
  disabled: boolean
}

export interface GivenRRset {
  /** Relative to the zone. */
  name: string
  /** Null: the SOA. */
  type: RecordType | null
  kind: ChangeKind
  /** Seconds; undefined: none was given. */
  ttl: number | undefined
  /** Undefined: they stay. For the SOA, as given. */
  records: GivenRecord[] | undefined
  contents: string[]
  /** Undefined: they stay. */
  comments: string[] | undefined
  /** For messages: `www.example.org. IN A`. */
  title: string
}

/** Enough for a large zone at once; a DNS provider needs minutes for more. */
const MAX_RECORDS = 10_000
const MAX_TTL = 2_147_483_647

export type Members = Readonly<Record<string, unknown>>

export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}

/** Reads the RRsets of a PATCH. Throws a 422. */
export function readRRsets(body: unknown, zone: string): GivenRRset[] {
  const { rrsets } = membersOf(body)
  if (!Array.isArray(rrsets)) throw refused('No rrsets given in update request')
  return readList(rrsets, zone, (members) => text(members, 'changetype'))
}

/** Reads the RRsets of a new zone, which are all created. Throws a 422. */
export const readNewRRsets = (rrsets: readonly unknown[], zone: string): GivenRRset[] =>
  readList(rrsets, zone, () => 'REPLACE')

function readList(
  rrsets: readonly unknown[],
  zone: string,
  kindOf: (members: Members) => string,
): GivenRRset[] {
  const seen = new Map<string, ChangeKind>()
  let count = 0
  return rrsets.map((given) => {
    const members = membersOf(given)
    const rrset = readRRset(members, zone, kindOf(members).toUpperCase())
    count += 1 + (rrset.records?.length ?? 0)
    if (count > MAX_RECORDS)
      throw refused(`A request changes at most ${MAX_RECORDS} RRsets and records; send several`)
    const key = rrsetKey({ name: rrset.name, type: rrset.type ?? 'SOA' })
    const before = seen.get(key)
    // Single records may be added and removed one after the other.
    const isWhole = rrset.kind === 'REPLACE' || rrset.kind === 'DELETE'
    if (before !== undefined && (isWhole || before === 'REPLACE' || before === 'DELETE'))
      throw refused(`Duplicate RRset ${rrset.title} with changetype: ${rrset.kind}`)
    seen.set(key, rrset.kind)
    return rrset
  })
}

function readRRset(members: Members, zone: string, kind: string): GivenRRset {
  const canonical = readCanonical(text(members, 'name'))
  const typeText = text(members, 'type').toUpperCase()
  const title = `${text(members, 'name').slice(0, 300)} IN ${typeText.slice(0, 20)}`
  const name = relativeName(canonical, zone)
  if (!isKind(kind)) throw refused('Changetype not understood')
  if (name === null) throw refused(`RRset ${title}: Name is out of zone`)
  const type = readType(typeText)
  if (type === null && typeText !== 'SOA') throw refused(`RRset ${title}: unknown type given`)
  const place = { name, type, kind, title }
  if (kind === 'DELETE') return { ...place, records: [], contents: [], comments: undefined, ttl: undefined }
  const [records, comments] = [list(members, 'records'), list(members, 'comments')]
  if (records === undefined && comments === undefined) throw refused(`No change for RRset ${title}`)
  const isSingle = kind !== 'REPLACE'
  if (isSingle && records?.length !== 1)
    throw refused(`Exactly one record must be given with changetype ${kind} for RRset ${title}`)
  if (isSingle && comments !== undefined && comments.length > 0)
    throw refused(`Changetype ${kind} does not change comments of RRset ${title}`)
  const read = records?.map((record) => readRecord(membersOf(record), type, zone, title))
  return {
    ...place,
    ttl: ttlIn(members, kind === 'REPLACE' && (read?.length ?? 0) > 0, title),
    records: type === null ? undefined : withoutRepeated(read, title),
    contents: read?.map(({ content }) => content) ?? [],
    comments: isSingle ? undefined : comments?.map((comment) => readComment(membersOf(comment))),
  }
}

const isKind = (kind: string): kind is ChangeKind => KINDS.has(kind)

function readRecord(members: Members, type: RecordType | null, zone: string, title: string) {
  const content = text(members, 'content')
  if (content.length > MAX_VALUE)
    throw refused(`RRset ${title}: a record has more than ${MAX_VALUE} characters`)
  const { disabled = false } = members
  if (typeof disabled !== 'boolean') throw refused("Key 'disabled' is not a Boolean")
  if (members['set-ptr'] === true) throw refused("'set-ptr' is not supported; change the PTR record yourself")
  return { content, disabled, value: type === null ? content : valueOf(type, content, zone, title) }
}

/** Returns the canonical value of data in presentation form, in which names are absolute and texts are in quotes. */
function valueOf(type: RecordType, content: string, zone: string, title: string): string {
  const value = typeOf(type).read(content)
  const at = `Record ${title.replace(' IN ', '/')} '${content.slice(0, 200)}'`
  if (value === null) throw refused(`${at}: Parsing record content: not valid for ${type}`)
  const isRelative = typeOf(type).read(absoluteData(type, content, zone)) !== value
  if (isRelative || (type === 'TXT' && !/^\s*"/.test(content)))
    throw refused(`${at}: Not in expected format (parsed as '${typeOf(type).write(value).slice(0, 200)}')`)
  return value
}

function withoutRepeated(
  records: readonly (GivenRecord & { content: string })[] | undefined,
  title: string,
): GivenRecord[] | undefined {
  const seen = new Set<string>()
  return records?.map(({ value, disabled, content }) => {
    if (seen.has(value)) throw refused(`Duplicate record in RRset ${title} with content "${content}"`)
    seen.add(value)
    return { value, disabled }
  })
}

/** Only the text is kept: the history names the time, the user and the token. */
function readComment(members: Members): string {
  const content = text(members, 'content')
  if (content.length > MAX_COMMENT) throw refused(`A comment has at most ${MAX_COMMENT} characters`)
  return content
}

function ttlIn(members: Members, isRequired: boolean, title: string): number | undefined {
  const given = members['ttl']
  // PowerDNS reads numbers in texts, too.
  const ttl = typeof given === 'string' && /^\d{1,10}$/.test(given) ? Number(given) : given
  if (ttl === undefined || ttl === null) {
    if (isRequired) throw refused("Key 'ttl' not an Integer or not present")
    return undefined
  }
  if (!Number.isInteger(ttl)) throw refused("Key 'ttl' not an Integer or not present")
  if ((ttl as number) < 0 || (ttl as number) > MAX_TTL)
    throw refused(`RRset ${title}: TTL must be from 0 to ${MAX_TTL}`)
  return ttl as number
}

export function text(members: Members, key: string): string {
  const value = members[key]
  if (typeof value !== 'string') throw refused(`Key '${key}' not present or not a String`)
  return value
}

function list(members: Members, key: string): unknown[] | undefined {
  const value = members[key]
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) throw refused(`Key '${key}' is not an Array`)
  return value
}
