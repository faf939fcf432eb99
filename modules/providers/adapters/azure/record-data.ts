import { quoteBytes, splitTokens, unescapeBytes } from '../../../../dns/text/strings.ts'
import { typeOf } from '../../../../dns/types/index.ts'
import { readSoa, writeSoa, type SoaData } from '../../../../dns/zone-file/soa.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { Zone } from '../../contract.ts'
import type { Spell } from '../../shared/rrsets/edited-set.ts'
import {
  joinFields,
  namesIn,
  splitFields,
  withoutDot,
  type FieldNames,
} from '../../shared/spelling/field-data.ts'
import { isObject, textOf } from '../../client/json.ts'
import { plainValues, type ListedSet } from '../../shared/rrsets/listed-sets.ts'
import type { RawSet } from './client.ts'

/** A record: each type has its own fields, with plain texts. */
export type RawRecord = Record<string, unknown>

/** A dot leads to a nested field. */
const FIELDS: FieldNames = {
  A: ['ipv4Address'],
  AAAA: ['ipv6Address'],
  CNAME: ['cname'],
  NS: ['nsdname'],
  PTR: ['ptrdname'],
  MX: ['preference', 'exchange'],
  SRV: ['priority', 'weight', 'port', 'target'],
  CAA: ['flags', 'tag', 'value'],
  DS: ['keyTag', 'algorithm', 'digest.algorithmType', 'digest.value'],
  TLSA: ['usage', 'selector', 'matchingType', 'certAssociationData'],
  NAPTR: ['order', 'preference', 'flags', 'services', 'regexp', 'replacement'],
}

const SOA_NAMES = namesIn('host email')
const SOA_NUMBERS = namesIn('serialNumber refreshTime retryTime expireTime minimumTTL')

/** Types with a single record instead of a list. */
const SINGLE: ReadonlySet<string> = new Set(['CNAME', 'SOA'])

/** The property that holds the records of a set. */
const propertyOf = (type: string): string =>
  `${type === 'CAA' ? 'caa' : type}Record${SINGLE.has(type) ? '' : 's'}`

const fieldOf = (record: RawRecord, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), record)

/** Fields whose names have a dot, nested. */
function nested(fields: RawRecord): RawRecord {
  const record: RawRecord = {}
  for (const [path, value] of Object.entries(fields)) {
    const [name = '', inner] = path.split('.')
    record[name] = inner === undefined ? value : { ...(record[name] as object | undefined), [inner]: value }
  }
  return record
}

/** Data in the fields of Azure. The only field of a TXT is a list of strings. */
export const spell: Spell<RawRecord> = (type) => {
  const names = FIELDS[type] ?? []
  if (type !== 'TXT')
    return {
      read: (record) => joinFields(type, names, (name) => fieldOf(record, name)),
      write: (value) => nested(splitFields(type, value, names)),
    }
  return {
    read({ value }) {
      const strings = Array.isArray(value) ? value.map((one) => quoteBytes(Buffer.from(textOf(one)))) : []
      return typeOf(type).read(strings.join(' '))
    },
    write(value) {
      const words = splitTokens(typeOf(type).write(value)) ?? []
      return { value: words.map(({ raw }) => unescapeBytes(raw)?.toString() ?? raw) }
    },
  }
}

export const readSoaRecord = (record: RawRecord): SoaData | null =>
  readSoa([...SOA_NAMES, ...SOA_NUMBERS].map((name) => String(record[name])).join(' '))

export function writeSoaRecord(soa: SoaData): RawRecord {
  const words = writeSoa(soa).split(' ')
  return Object.fromEntries([
    ...SOA_NAMES.map((name) => [name, withoutDot(words.shift() ?? '')]),
    ...SOA_NUMBERS.map((name) => [name, Number(words.shift())]),
  ])
}

/** The last part of the name that Azure gives the type. */
const typeIn = ({ type }: RawSet): string => type.split('/').at(-1) ?? type

export function recordsOf(raw: RawSet): RawRecord[] {
  const content = raw.properties[propertyOf(typeIn(raw))]
  return (Array.isArray(content) ? content : [content]).filter(isObject)
}

/** The set in our terms; null: it is not in the zone. */
export function toListed(raw: RawSet, zone: Zone): ListedSet<RawRecord> | null {
  const name = readOwner(raw.name, zone.name)
  if (name === null) return null
  const { TTL: ttl, metadata, targetResource: target } = raw.properties
  return {
    name,
    type: typeIn(raw),
    ttl,
    values: plainValues(recordsOf(raw)),
    ...(metadata && Object.keys(metadata).length > 0 && { extra: { metadata } }),
    ...(target?.id && { instead: `alias of ${target.id}` }),
  }
}

/** A set to send. Properties other than TTL and records stay unchanged. */
export function propertiesOf(
  type: string,
  held: RawSet | null,
  { ttl, records, extra }: { ttl: number; records: readonly RawRecord[]; extra: unknown },
): Record<string, unknown> {
  // Azure sets the first two itself, and the third is empty unless the set is an alias.
  const before: Record<string, unknown> = held?.properties ?? {}
  const { fqdn: _, provisioningState: __, targetResource: ___, ...rest } = before
  return {
    ...(held === null && isObject(extra) ? extra : rest),
    TTL: ttl,
    [propertyOf(type)]: SINGLE.has(type) ? records[0] : records,
  }
}
