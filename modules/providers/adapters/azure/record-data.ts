import { quoteBytes, splitTokens, unescapeBytes } from '../../../../dns/text/strings.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { Zone } from '../../contract.ts'
import type { Spell } from '../../shared/edited-set.ts'
import { isObject, textOf } from '../../client/json.ts'
import { plainValues, type ListedSet } from '../../shared/listed-sets.ts'
import type { RawSet } from './client.ts'

/** A record: each type has its own fields, with plain texts. */
export type RawRecord = Record<string, unknown>

/** `name`: absolute, with a final dot or without. */
type Kind = 'number' | 'name' | 'text' | 'plain'

interface Form {
  /** Property that holds the records of a set. */
  property: string
  /** A single record instead of a list. */
  single?: true
  /** In the order of presentation data; a dot leads to a nested field. */
  fields: Record<string, Kind>
}

const FORMS: Record<string, Form> = {
  A: { property: 'ARecords', fields: { ipv4Address: 'plain' } },
  AAAA: { property: 'AAAARecords', fields: { ipv6Address: 'plain' } },
  CNAME: { property: 'CNAMERecord', single: true, fields: { cname: 'name' } },
  NS: { property: 'NSRecords', fields: { nsdname: 'name' } },
  PTR: { property: 'PTRRecords', fields: { ptrdname: 'name' } },
  MX: { property: 'MXRecords', fields: { preference: 'number', exchange: 'name' } },
  SRV: {
    property: 'SRVRecords',
    fields: { priority: 'number', weight: 'number', port: 'number', target: 'name' },
  },
  CAA: { property: 'caaRecords', fields: { flags: 'number', tag: 'plain', value: 'text' } },
  DS: {
    property: 'DSRecords',
    fields: {
      keyTag: 'number',
      algorithm: 'number',
      'digest.algorithmType': 'number',
      'digest.value': 'plain',
    },
  },
  TLSA: {
    property: 'TLSARecords',
    fields: { usage: 'number', selector: 'number', matchingType: 'number', certAssociationData: 'plain' },
  },
  NAPTR: {
    property: 'NAPTRRecords',
    fields: {
      order: 'number',
      preference: 'number',
      flags: 'text',
      services: 'text',
      regexp: 'text',
      replacement: 'name',
    },
  },
  /** Its only field is a list of strings. */
  TXT: { property: 'TXTRecords', fields: {} },
  SOA: {
    property: 'SOARecord',
    single: true,
    fields: {
      host: 'name',
      email: 'name',
      serialNumber: 'number',
      refreshTime: 'number',
      retryTime: 'number',
      expireTime: 'number',
      minimumTTL: 'number',
    },
  },
}

const formOf = (type: string): Form => FORMS[type] ?? { property: `${type}Records`, fields: {} }

/** Presentation data of a record. */
export function rdataOf(type: string, record: RawRecord): string {
  if (type === 'TXT') {
    const strings = Array.isArray(record['value']) ? record['value'] : []
    return strings.map((string) => quoteBytes(Buffer.from(textOf(string)))).join(' ')
  }
  return Object.entries(formOf(type).fields)
    .map(([path, kind]) => readField(kind, fieldOf(record, path)))
    .join(' ')
}

function readField(kind: Kind, value: unknown): string {
  if (typeof value === 'number') return String(value)
  const text = textOf(value)
  if (kind === 'text') return quoteBytes(Buffer.from(text))
  return kind === 'name' && text === '' ? '.' : text
}

const fieldOf = (record: RawRecord, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), record)

/** The record for presentation data. */
export function recordOf(type: string, rdata: string): RawRecord {
  const words = (splitTokens(rdata) ?? []).map(({ raw }) => raw)
  if (type === 'TXT') return { value: words.map(textIn) }
  const record: RawRecord = {}
  Object.entries(formOf(type).fields).forEach(([path, kind], at) => {
    const [name = '', inner] = path.split('.')
    const value = writeField(kind, words[at] ?? '')
    record[name] = inner === undefined ? value : { ...(record[name] as object | undefined), [inner]: value }
  })
  return record
}

function writeField(kind: Kind, word: string): string | number {
  if (kind === 'number') return Number(word)
  if (kind === 'text') return textIn(word)
  return kind === 'name' && word !== '.' ? word.replace(/\.$/, '') : word
}

const textIn = (word: string): string => unescapeBytes(word)?.toString() ?? word

/** Data in the fields of Azure. */
export const spell: Spell<RawRecord> = (type: RecordType) => ({
  read: (record) => typeOf(type).read(rdataOf(type, record)),
  write: (value) => recordOf(type, typeOf(type).write(value)),
})

/** The last part of the name that Azure gives the type. */
const typeIn = ({ type }: RawSet): string => type.split('/').at(-1) ?? type

export function recordsOf(raw: RawSet): RawRecord[] {
  const content = raw.properties[formOf(typeIn(raw)).property]
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
  const { property, single } = formOf(type)
  return {
    ...(held === null && isObject(extra) ? extra : rest),
    TTL: ttl,
    [property]: single ? records[0] : records,
  }
}
