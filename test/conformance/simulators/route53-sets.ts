import { readType, typeOf } from '../../../dns/types/index.ts'
import { readQuoted } from '../../../dns/text/text.ts'
import type { Routing } from '../../../dns/names/rrset.ts'
import { MAX_TTL } from './checks.ts'
import { invalidInput } from './route53-answers.ts'
import { isElements, listOf, textOf, type Xml, type XmlElements } from './xml.ts'

/** A record set as it is kept: its elements, of which `Name` is shown with escapes. */
export interface Route53Set {
  /** Lower case, with the final dot, without escapes. */
  name: string
  type: string
  identifier: string | undefined
  /** Which of `POLICIES` it goes by. */
  policy: string | undefined
  elements: XmlElements
}

/** In this order, or the document is not valid. */
const ELEMENTS = (
  'Name Type SetIdentifier Weight Region GeoLocation Failover MultiValueAnswer TTL ResourceRecords AliasTarget ' +
  'HealthCheckId TrafficPolicyInstanceId CidrRoutingConfig GeoProximityLocation'
).split(' ')
const POLICIES = [
  'Weight',
  'Region',
  'GeoLocation',
  'Failover',
  'MultiValueAnswer',
  'CidrRoutingConfig',
  'GeoProximityLocation',
]
const ALIAS = ['HostedZoneId', 'DNSName', 'EvaluateTargetHealth']
const TYPES = 'SOA A TXT NS CNAME MX NAPTR PTR SRV SPF AAAA CAA DS TLSA SSHFP SVCB HTTPS'.split(' ')
/** A byte by three octal digits, or what it escapes. */
const ESCAPED = /^(?:[^\\]|\\(?:[0-3][0-7]{2}|\D))*$/
const MAX_VALUE = 4000

/** The elements must be of these, in this order. */
export function inOrder(element: Xml | undefined, name: string, order: string[]): XmlElements {
  const content = isElements(element) ? element : {}
  let last = -1
  for (const child of Object.keys(content).filter((key) => !key.startsWith('@_'))) {
    const at = order.indexOf(child)
    if (at <= last) {
      const found = `Invalid content was found starting with element '${child}'`
      throw invalidInput(`Invalid XML ; cvc-complex-type.2.4.a: ${found} in '${name}'.`)
    }
    last = at
  }
  return content
}

/** What is asked for, in the form in which it is kept. Throws Refused. */
export function readSet(element: Xml | undefined, action: string): Route53Set {
  const given = inOrder(element, 'ResourceRecordSet', ELEMENTS)
  const [shown, type] = [textOf(given['Name']), textOf(given['Type'])]
  if (shown === undefined || type === undefined)
    throw invalidInput("Invalid XML ; The content of element 'ResourceRecordSet' is not complete.")
  if (!TYPES.includes(type)) {
    const rule = `Member must satisfy enum value set: [${TYPES.join(', ')}]`
    throw invalidInput(`Value '${type}' at 'resourceRecordSet.type' failed to satisfy constraint: ${rule}`)
  }
  const name = nameOf(shown)
  const identifier = textOf(given['SetIdentifier'])
  const policies = POLICIES.filter((policy) => given[policy] !== undefined)
  const change = `Change with [Action=${action}, Name=${shown}, Type=${type}, SetIdentifier=${identifier ?? 'null'}]`
  if (policies.length > 0 && identifier === undefined)
    throw invalidInput(`Invalid request: Missing field 'SetIdentifier' in ${change}`)
  const found = policies.length === 0 ? 'none' : 'more than one'
  if (identifier !== undefined && policies.length !== 1)
    throw invalidInput(
      `Invalid request: Expected exactly one of [${POLICIES.join(', ')}], but found ${found} in ${change}`,
    )
  if (given['Weight'] !== undefined && !isNumber(given['Weight'], 255))
    throw invalidInput(`Invalid request: Weight must be from 0 to 255 in ${change}`)
  const elements = { ...given, Name: escapedName(name), ...contentOf(given, change) }
  return { name, type, identifier, policy: policies[0], elements }
}

/** Either records with a TTL, or an alias with neither. */
function contentOf(given: XmlElements, change: string): XmlElements {
  const { TTL: ttl, ResourceRecords: records, AliasTarget: alias } = given
  const isOne = alias === undefined ? ttl !== undefined && isElements(records) : !ttl && !records
  if (!isOne) {
    const kinds = '[AliasTarget, all of [TTL, and ResourceRecords], or TrafficPolicyInstanceId]'
    const found = alias === undefined ? 'none' : 'more than one'
    throw invalidInput(`Invalid request: Expected exactly one of ${kinds}, but found ${found} in ${change}`)
  }
  if (alias !== undefined) {
    const target = inOrder(alias, 'AliasTarget', ALIAS)
    const missing = ALIAS.find((name) => textOf(target[name]) === undefined)
    if (missing !== undefined) throw invalidInput(`Invalid request: Missing field '${missing}' in ${change}`)
    return { AliasTarget: { ...target, DNSName: escapedName(nameOf(textOf(target['DNSName']) ?? '')) } }
  }
  if (!isNumber(ttl, MAX_TTL)) throw invalidInput(`Invalid request: TTL is not valid in ${change}`)
  return { TTL: String(Number(ttl)) }
}

const isNumber = (content: Xml | undefined, most: number): boolean =>
  /^\d{1,10}$/.test(textOf(content) ?? '') && Number(content) <= most

/** As they were sent. */
export function valuesOf({ elements }: Route53Set): string[] {
  const records = elements['ResourceRecords']
  return listOf(isElements(records) ? records['ResourceRecord'] : undefined).map(
    (record) => (isElements(record) ? textOf(record['Value']) : undefined) ?? '',
  )
}

/** By weight or region; the key of a set is its identifier. */
export function routingOf({ identifier, elements }: Route53Set): Routing | null {
  const [weight, region] = [textOf(elements['Weight']), textOf(elements['Region'])]
  if (identifier === undefined) return null
  return {
    key: identifier,
    setIdentifier: identifier,
    ...(weight !== undefined && { weight: Number(weight) }),
    ...(region !== undefined && { region }),
  }
}

/** Without escapes, in lower case, with the final dot. */
export function nameOf(shown: string): string {
  const plain = shown.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)))
  return plain.toLowerCase().replace(/\.?$/, '.')
}

/** All but letters, digits, hyphens and underscores by octal numbers: a wildcard is `\052`. */
export const escapedName = (name: string): string =>
  name.replace(/[^a-z0-9._-]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)

/** Why the value is none of the type; null: it is one. */
export function whyInvalid(type: string, value: string): string | null {
  const problem = (code: string, reason: string) =>
    `Invalid Resource Record: 'FATAL problem: ${code} (${reason}) encountered with '${value}''`
  if (value.length > MAX_VALUE) return problem('ValueTooLong', 'Value is too long')
  // Stricter than is known: what is not printable ASCII is taken by octal numbers alone.
  if (/[^ -~]/.test(value)) return problem('InvalidCharacterString', 'Value contains unescaped characters')
  if (!ESCAPED.test(value)) return problem('InvalidCharacterString', 'Value has a wrong escape')
  if (type === 'SOA') return value.split(' ').length === 7 ? null : problem('InvalidSOA', 'Value is no SOA')
  if (type === 'TXT' || type === 'SPF') {
    const strings = readQuoted(inDecimal(value))
    if (strings === null)
      return problem('InvalidCharacterString', 'Value should be enclosed in quotation marks')
    const isLong = strings.some(({ length }) => length > 255)
    return isLong ? problem('CharacterStringTooLong', 'Value is too long') : null
  }
  return meaningOf(type, value) === null ? problem(`Invalid${type}`, 'Value is not valid for the type') : null
}

/** The value in our canonical form; null: we have none for it. Names are absolute, with the final dot or without. */
export function meaningOf(type: string, value: string): string | null {
  const known = readType(type)
  return known === null ? null : typeOf(known).read(inDecimal(value))
}

/** Data in presentation format as it is sent here. */
export const inOctal = (rdata: string): string =>
  rdata.replace(/\\(?:(\d{3})|(.))/g, (escape, decimal?: string) =>
    decimal === undefined ? escape : `\\${Number(decimal).toString(8).padStart(3, '0')}`,
  )

/** Escapes are octal here, and decimal in master files (RFC 1035 section 5.1). */
export const inDecimal = (value: string): string =>
  value.replace(/\\(?:([0-7]{3})|(.))/g, (escape, octal?: string) =>
    octal === undefined ? escape : `\\${String(parseInt(octal, 8)).padStart(3, '0')}`,
  )
