import { splitTokens, unescapeBytes } from '../../../dns/text/strings.ts'
import { readType, typeOf, type RecordType } from '../../../dns/types/index.ts'
import { isBody, type Body } from './answers.ts'

interface Form {
  /** Where the records of such a set stand. */
  property: string
  /** Of a set's one record, which is not in a list. */
  single?: true
  /** Not known to the API's version of 2018. */
  later?: true
  /** A record in the presentation of RFC 1035. */
  rdata(record: Body): string
  /** The record of such a presentation's parts, which are without quotes and escapes. */
  record(parts: string[]): Body
}

const quoted = (text: unknown) => `"${String(text).replaceAll(/["\\]/g, '\\$&')}"`
/** Absolute, with the final dot or without; none is the root. */
const target = (name: unknown) => (String(name).endsWith('.') ? String(name) : `${String(name)}.`)
const words = (...parts: unknown[]) => parts.map(String).join(' ')
const bare = (name: string | undefined) => (name === '.' ? name : name?.replace(/\.$/, ''))

/** Each type has fields of its own, with texts as they are: nothing is escaped in them. */
export const FORMS: Record<string, Form> = {
  A: {
    property: 'ARecords',
    rdata: ({ ipv4Address }) => words(ipv4Address),
    record: ([ipv4Address]) => ({ ipv4Address }),
  },
  AAAA: {
    property: 'AAAARecords',
    rdata: ({ ipv6Address }) => words(ipv6Address),
    record: ([ipv6Address]) => ({ ipv6Address }),
  },
  CAA: {
    property: 'caaRecords',
    rdata: ({ flags, tag, value }) => words(flags, tag, quoted(value)),
    record: ([flags, tag, value]) => ({ flags: Number(flags), tag, value }),
  },
  CNAME: {
    property: 'CNAMERecord',
    single: true,
    rdata: ({ cname }) => target(cname),
    record: ([cname]) => ({ cname: bare(cname) }),
  },
  DS: {
    property: 'DSRecords',
    later: true,
    rdata: ({ keyTag, algorithm, digest }) => {
      const { algorithmType, value } = isBody(digest) ? digest : {}
      return words(keyTag, algorithm, algorithmType, value)
    },
    record: ([keyTag, algorithm, type, value]) => ({
      keyTag: Number(keyTag),
      algorithm: Number(algorithm),
      digest: { algorithmType: Number(type), value },
    }),
  },
  MX: {
    property: 'MXRecords',
    rdata: ({ preference, exchange }) => words(preference, target(exchange)),
    record: ([preference, exchange]) => ({ preference: Number(preference), exchange }),
  },
  NAPTR: {
    property: 'NAPTRRecords',
    later: true,
    rdata: ({ order, preference, flags, services, regexp, replacement }) =>
      words(order, preference, quoted(flags), quoted(services), quoted(regexp), target(replacement)),
    record: ([order, preference, flags, services, regexp, replacement]) => ({
      order: Number(order),
      preference: Number(preference),
      flags,
      services,
      regexp,
      replacement: replacement === '.' ? '' : replacement,
    }),
  },
  NS: {
    property: 'NSRecords',
    rdata: ({ nsdname }) => target(nsdname),
    record: ([nsdname]) => ({ nsdname }),
  },
  PTR: {
    property: 'PTRRecords',
    rdata: ({ ptrdname }) => target(ptrdname),
    record: ([ptrdname]) => ({ ptrdname: bare(ptrdname) }),
  },
  SOA: {
    property: 'SOARecord',
    single: true,
    rdata: ({ host, email, serialNumber, refreshTime, retryTime, expireTime, minimumTTL }) =>
      words(target(host), target(email), serialNumber, refreshTime, retryTime, expireTime, minimumTTL),
    record: () => ({}),
  },
  SRV: {
    property: 'SRVRecords',
    rdata: ({ priority, weight, port, target: to }) => words(priority, weight, port, target(to)),
    record: ([priority, weight, port, to]) => ({
      priority: Number(priority),
      weight: Number(weight),
      port: Number(port),
      target: bare(to),
    }),
  },
  TLSA: {
    property: 'TLSARecords',
    later: true,
    rdata: ({ usage, selector, matchingType, certAssociationData }) =>
      words(usage, selector, matchingType, certAssociationData),
    record: ([usage, selector, matchingType, certAssociationData]) => ({
      usage: Number(usage),
      selector: Number(selector),
      matchingType: Number(matchingType),
      certAssociationData,
    }),
  },
  TXT: {
    property: 'TXTRecords',
    rdata: ({ value }) => (Array.isArray(value) ? value.map(quoted).join(' ') : ''),
    record: (value) => ({ value }),
  },
}

/** The records of a set's properties, alone or in a list. */
export function recordsOf(type: string, properties: Body): Body[] {
  const content = properties[FORMS[type]?.property ?? '']
  return (Array.isArray(content) ? content : [content]).filter(isBody)
}

/** A record's value in our canonical form; null: it is none of the type. */
export function meaningOf(type: string, record: Body): string | null {
  const [known, form] = [readType(type), FORMS[type]]
  return known === null || form === undefined ? null : typeOf(known).read(form.rdata(record))
}

/** What is set to hold these canonical values. */
export function propertiesOf(type: RecordType, values: string[]): Body {
  const form = FORMS[type]
  if (form === undefined) throw new Error(`Azure has no ${type} records`)
  const records = values.map((value) => {
    const tokens = splitTokens(typeOf(type).write(value)) ?? []
    return form.record(tokens.map(({ raw }) => String(unescapeBytes(raw))))
  })
  return { [form.property]: form.single ? records[0] : records }
}
