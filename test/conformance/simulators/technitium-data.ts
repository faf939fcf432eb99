import { unescapeBytes, splitTokens, quoteBytes } from '../../../dns/text/strings.ts'
import { bytesOfText } from '../../../dns/text/text.ts'
import { readType, typeOf } from '../../../dns/types/index.ts'
import type { Body } from './answers.ts'
import { rdataOfText } from './rdata.ts'

/** Of a field of a record's data. A list: the words for its numbers, as answers have them. */
type Kind = 'number' | 'name' | 'text' | 'quoted' | 'binding' | Record<string, number>

interface Field {
  /** Of requests. */
  parameter: string
  /** What answers call it. */
  shown: string
  kind: Kind
}

const field = (parameter: string, kind: Kind, shown = parameter): Field => ({ parameter, shown, kind })

const ALGORITHM = {
  RSAMD5: 1,
  DSA: 3,
  RSASHA1: 5,
  DSA_NSEC3_SHA1: 6,
  RSASHA1_NSEC3_SHA1: 7,
  RSASHA256: 8,
  RSASHA512: 10,
  ECC_GOST: 12,
  ECDSAP256SHA256: 13,
  ECDSAP384SHA384: 14,
  ED25519: 15,
  ED448: 16,
}
const BINDING = [
  field('svcPriority', 'number'),
  field('svcTargetName', 'name'),
  field('svcParams', 'binding'),
]

/** The types with parameters of their own, and those in the order of master files. */
const FIELDS: Record<string, readonly Field[]> = {
  A: [field('ipAddress', 'text')],
  AAAA: [field('ipAddress', 'text')],
  NS: [field('nameServer', 'name')],
  CNAME: [field('cname', 'name')],
  PTR: [field('ptrName', 'name')],
  MX: [field('preference', 'number'), field('exchange', 'name')],
  TXT: [field('text', 'text')],
  SRV: [
    field('priority', 'number'),
    field('weight', 'number'),
    field('port', 'number'),
    field('target', 'name'),
  ],
  NAPTR: [
    field('naptrOrder', 'number', 'order'),
    field('naptrPreference', 'number', 'preference'),
    field('naptrFlags', 'quoted', 'flags'),
    field('naptrServices', 'quoted', 'services'),
    field('naptrRegexp', 'quoted', 'regexp'),
    field('naptrReplacement', 'name', 'replacement'),
  ],
  DNAME: [field('dname', 'name')],
  DS: [
    field('keyTag', 'number'),
    field('algorithm', ALGORITHM),
    field('digestType', { SHA1: 1, SHA256: 2, GOST_R_34_11_94: 3, SHA384: 4 }),
    field('digest', 'text'),
  ],
  SSHFP: [
    field('sshfpAlgorithm', { RSA: 1, DSA: 2, ECDSA: 3, Ed25519: 4, Ed448: 6 }, 'algorithm'),
    field('sshfpFingerprintType', { SHA1: 1, SHA256: 2 }, 'fingerprintType'),
    field('sshfpFingerprint', 'text', 'fingerprint'),
  ],
  TLSA: [
    field('tlsaCertificateUsage', { PKIX_TA: 0, PKIX_EE: 1, DANE_TA: 2, DANE_EE: 3 }, 'certificateUsage'),
    field('tlsaSelector', { Cert: 0, SPKI: 1 }, 'selector'),
    field('tlsaMatchingType', { Full: 0, SHA2_256: 1, SHA2_512: 2 }, 'matchingType'),
    field('tlsaCertificateAssociationData', 'text', 'certificateAssociationData'),
  ],
  SVCB: BINDING,
  HTTPS: BINDING,
  URI: [
    field('uriPriority', 'number', 'priority'),
    field('uriWeight', 'number', 'weight'),
    field('uri', 'quoted'),
  ],
  CAA: [field('flags', 'number'), field('tag', 'text'), field('value', 'quoted')],
  ANAME: [field('aname', 'name')],
}
/** Of these there is one at a name, which is not said to change it. */
export const SINGLE = ['CNAME', 'DNAME']
export const TYPES = Object.keys(FIELDS)
const BINDING_KEYS = new Set(['mandatory', 'alpn', 'port', 'ipv4hint', 'ech', 'ipv6hint', 'dohpath'])

export type Parameters = URLSearchParams

const NEW_NAMES: Record<string, string> = { aname: 'newAName', sshfpAlgorithm: 'newSshfpAlgorithm' }
const renewed = (name: string) => NEW_NAMES[name] ?? `new${name[0]?.toUpperCase()}${name.slice(1)}`
const isMissing = (value: string | null): value is null => value === null || value === ''

/** What is wrong, in the words of an error. */
export class Wrong extends Error {}

/** The data that parameters say. `by`: what a parameter is called. */
export function readData(type: string, parameters: Parameters, by = (name: string) => name): Body {
  const read = (FIELDS[type] ?? []).map(({ parameter, shown, kind }) => {
    const name = by(parameter)
    const given = parameters.get(name)
    if (isMissing(given) && !parameter.startsWith('naptr')) throw new Wrong(`Parameter '${name}' missing.`)
    return [shown, valueOf(name, kind, given ?? '')] as const
  })
  const data = Object.fromEntries(read)
  const known = readType(type)
  if (known !== null && typeOf(known).read(presentationOf(type, data)) === null)
    throw new Wrong(
      `Invalid value was specified for the parameter: ${by(FIELDS[type]?.[0]?.parameter ?? '')}`,
    )
  return data
}

/** What becomes of the data by an update: what it does not say anew stays. */
export function renewData(type: string, parameters: Parameters): Body {
  if (SINGLE.includes(type)) return readData(type, parameters)
  return readData(type, parameters, (name) => (parameters.has(renewed(name)) ? renewed(name) : name))
}

function valueOf(name: string, kind: Kind, given: string): unknown {
  const wrong = () => new Wrong(`Invalid value was specified for the parameter: ${name}`)
  if (kind === 'number') {
    if (!/^\d{1,5}$/.test(given)) throw wrong()
    return Number(given)
  }
  // The root is shown as nothing.
  if (kind === 'name') return given.toLowerCase().replace(/\.$/, '')
  if (kind === 'binding') return given === 'false' ? {} : bindingOf(given, wrong)
  if (typeof kind === 'string') return given
  const word = given.replaceAll('-', '_')
  if (!(word in kind)) throw wrong()
  return word
}

/** `alpn|h2,h3|port|53443`. Which keys are taken beyond those with names is not documented: none. */
function bindingOf(given: string, wrong: () => Wrong): Body {
  const parts = given.split('|')
  if (parts.length % 2 !== 0) throw wrong()
  const pairs = parts.flatMap((key, i) => (i % 2 === 0 ? [[key, parts[i + 1] ?? ''] as const] : []))
  if (pairs.some(([key, value]) => !BINDING_KEYS.has(key) || value === '')) throw wrong()
  return Object.fromEntries(pairs)
}

/** The data as a master file has it. */
export function presentationOf(type: string, data: Body): string {
  if (type === 'TXT') return rdataOfText(String(data['text']))
  const shown = (FIELDS[type] ?? []).map((one) => written(one.kind, data[one.shown]))
  return shown.join(' ').trim()
}

function written(kind: Kind, value: unknown): string {
  if (kind === 'name') return `${String(value)}.`
  if (kind === 'quoted') return quoteBytes(Buffer.from(String(value)))
  if (kind === 'binding')
    return Object.entries(value as Body)
      .map(([key, of]) => `${key}=${String(of)}`)
      .join(' ')
  return typeof kind === 'string' ? String(value) : String(kind[String(value)])
}

/** The other way: the parameters that say data as a master file has it. */
export function parametersOf(type: string, rdata: string): Record<string, string> {
  const fields = FIELDS[type] ?? []
  if (type === 'TXT') return { text: bytesOfText(rdata).toString() }
  const tokens = (splitTokens(rdata, { pairs: true }) ?? []).map(({ raw }) =>
    (unescapeBytes(raw) ?? Buffer.of()).toString(),
  )
  return Object.fromEntries(
    fields.map(({ parameter, kind }, i) => {
      const token = tokens[i] ?? ''
      const pairs = tokens.slice(i).map((pair) => pair.replace('=', '|'))
      if (kind === 'binding') return [parameter, pairs.join('|') || 'false']
      if (typeof kind === 'string') return [parameter, token]
      return [parameter, Object.keys(kind).find((word) => String(kind[word]) === token) ?? token]
    }),
  )
}
