import { splitTokens, unescapeBytes } from '../../../dns/text/strings.ts'
import { readType, typeOf, type RecordType } from '../../../dns/types/index.ts'
import { isBody, type Body } from './answers.ts'
import { readFields, writeField, writeFields, type Fields } from './data-fields.ts'

interface Form {
  /** Where the records of such an RRset are. */
  property: string
  /** The one record is not in a list. */
  single?: true
  /** Not known to the API's version of 2018. */
  later?: true
  fields: Fields
}

/** Each type has fields of its own, with texts as they are: nothing is escaped in them. */
export const FORMS: Record<string, Form> = {
  A: { property: 'ARecords', fields: { ipv4Address: 'text' } },
  AAAA: { property: 'AAAARecords', fields: { ipv6Address: 'text' } },
  CAA: { property: 'caaRecords', fields: { flags: 'number', tag: 'text', value: 'quoted' } },
  CNAME: { property: 'CNAMERecord', single: true, fields: { cname: 'bareName' } },
  DS: {
    property: 'DSRecords',
    later: true,
    fields: { keyTag: 'number', algorithm: 'number', algorithmType: 'number', value: 'text' },
  },
  MX: { property: 'MXRecords', fields: { preference: 'number', exchange: 'name' } },
  NAPTR: {
    property: 'NAPTRRecords',
    later: true,
    fields: {
      order: 'number',
      preference: 'number',
      flags: 'quoted',
      services: 'quoted',
      regexp: 'quoted',
      replacement: 'name',
    },
  },
  NS: { property: 'NSRecords', fields: { nsdname: 'name' } },
  PTR: { property: 'PTRRecords', fields: { ptrdname: 'bareName' } },
  SOA: { property: 'SOARecord', single: true, fields: {} },
  SRV: {
    property: 'SRVRecords',
    fields: { priority: 'number', weight: 'number', port: 'number', target: 'bareName' },
  },
  TLSA: {
    property: 'TLSARecords',
    later: true,
    fields: { usage: 'number', selector: 'number', matchingType: 'number', certAssociationData: 'text' },
  },
  TXT: { property: 'TXTRecords', fields: { value: 'quoted' } },
}

/** The records of an RRset's properties, alone or in a list. */
export function recordsOf(type: string, properties: Body): Body[] {
  const content = properties[FORMS[type]?.property ?? '']
  return (Array.isArray(content) ? content : [content]).filter(isBody)
}

/** As a master file has it. A DS has an object in its object; the strings of a TXT are a list. */
export function rdataOf(type: string, { digest, ...record }: Body): string {
  const { value, ...more } = { ...record, ...(isBody(digest) && digest) }
  if (Array.isArray(value)) return value.map((text) => writeField('quoted', text)).join(' ')
  return type === 'TXT' ? '' : writeFields(FORMS[type]?.fields ?? {}, { ...more, value })
}

/** A record's value in our canonical form; null: it is not one of the type. */
export function meaningOf(type: string, record: Body): string | null {
  const known = readType(type)
  return known === null ? null : typeOf(known).read(rdataOf(type, record))
}

function recordOf(type: RecordType, value: string): Body {
  const rdata = typeOf(type).write(value)
  const record = readFields(FORMS[type]?.fields ?? {}, rdata)
  if (type === 'TXT') return { value: splitTokens(rdata)?.map(({ raw }) => String(unescapeBytes(raw))) }
  if (type !== 'DS') return record
  const { algorithmType, value: digest, ...rest } = record
  return { ...rest, digest: { algorithmType, value: digest } }
}

/** What an RRset with these canonical values has. */
export function propertiesOf(type: RecordType, values: string[]): Body {
  const { property = '', single } = FORMS[type] ?? {}
  const records = values.map((value) => recordOf(type, value))
  return { [property]: single ? records[0] : records }
}
