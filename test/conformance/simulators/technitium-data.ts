import { bytesOfText } from '../../../dns/text/text.ts'
import { readType, typeOf, type RecordType } from '../../../dns/types/index.ts'
import { Refused, isBody, json, type Body } from './answers.ts'
import { readFields, writeFields, type Fields, type Kind } from './data-fields.ts'
import { rdataOfText } from './rdata.ts'

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
const BINDING: Fields = { svcPriority: 'number', svcTargetName: 'bareName', svcParams: 'rest' }

/** The types with parameters of their own, and their data as answers have it. */
const FIELDS: Record<string, Fields> = {
  A: { ipAddress: 'text' },
  AAAA: { ipAddress: 'text' },
  NS: { nameServer: 'bareName' },
  CNAME: { cname: 'bareName' },
  PTR: { ptrName: 'bareName' },
  MX: { preference: 'number', exchange: 'bareName' },
  TXT: { text: 'text' },
  SRV: { priority: 'number', weight: 'number', port: 'number', target: 'bareName' },
  NAPTR: {
    order: 'number',
    preference: 'number',
    flags: 'quoted',
    services: 'quoted',
    regexp: 'quoted',
    replacement: 'bareName',
  },
  DNAME: { dname: 'bareName' },
  DS: {
    keyTag: 'number',
    algorithm: ALGORITHM,
    digestType: { SHA1: 1, SHA256: 2, GOST_R_34_11_94: 3, SHA384: 4 },
    digest: 'text',
  },
  SSHFP: {
    algorithm: { RSA: 1, DSA: 2, ECDSA: 3, Ed25519: 4, Ed448: 6 },
    fingerprintType: { SHA1: 1, SHA256: 2 },
    fingerprint: 'text',
  },
  TLSA: {
    certificateUsage: { PKIX_TA: 0, PKIX_EE: 1, DANE_TA: 2, DANE_EE: 3 },
    selector: { Cert: 0, SPKI: 1 },
    matchingType: { Full: 0, SHA2_256: 1, SHA2_512: 2 },
    certificateAssociationData: 'text',
  },
  SVCB: BINDING,
  HTTPS: BINDING,
  URI: { priority: 'number', weight: 'number', uri: 'quoted' },
  CAA: { flags: 'number', tag: 'text', value: 'quoted' },
  ANAME: { aname: 'bareName' },
}
/** How the parameters of a type begin. */
const PREFIXES: Record<string, string> = { NAPTR: 'naptr', SSHFP: 'sshfp', TLSA: 'tlsa', URI: 'uri' }
/** Of these there is one at a name, which is not said to change it. */
export const SINGLE = ['CNAME', 'DNAME']
export const TYPES = Object.keys(FIELDS)
const BINDING_KEYS = new Set(['mandatory', 'alpn', 'port', 'ipv4hint', 'ech', 'ipv6hint', 'dohpath'])

/** All is 200: what went wrong stands in `status`. */
export const failed = (errorMessage: string): Refused =>
  new Refused(
    json(200, {
      status: 'error',
      errorMessage,
      stackTrace: '   at DnsServerCore.DnsWebService.WebServiceApiMiddleware(HttpContext context)',
    }),
  )
export const invalid = (parameter: string) =>
  failed(`Invalid value was specified for the parameter: ${parameter}`)

const capital = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
const renewed = (name: string) => (name === 'aname' ? 'newAName' : `new${capital(name)}`)
function parameterOf(type: string, field: string): string {
  const prefix = PREFIXES[type]
  return prefix === undefined || prefix === field ? field : `${prefix}${capital(field)}`
}

/** The data that parameters say. `by`: what a parameter is called. */
export function readData(type: string, parameters: URLSearchParams, by = (name: string) => name): Body {
  const fields = Object.entries(FIELDS[type] ?? {})
  const data = Object.fromEntries(
    fields.map(([field, kind]) => {
      const name = by(parameterOf(type, field))
      const given = parameters.get(name) ?? ''
      if (given === '' && type !== 'NAPTR') throw failed(`Parameter '${name}' missing.`)
      return [field, valueOf(name, kind, given)]
    }),
  )
  const known = readType(type)
  if (known !== null && typeOf(known).read(rdataOf(type, data)) === null)
    throw invalid(by(parameterOf(type, fields[0]?.[0] ?? '')))
  return data
}

/** What becomes of the data by an update: what it does not say anew stays. */
export function renewData(type: string, parameters: URLSearchParams): Body {
  if (SINGLE.includes(type)) return readData(type, parameters)
  return readData(type, parameters, (name) => (parameters.has(renewed(name)) ? renewed(name) : name))
}

function valueOf(name: string, kind: Kind, given: string): unknown {
  if (kind === 'number') {
    if (!/^\d{1,5}$/.test(given)) throw invalid(name)
    return Number(given)
  }
  // The root is shown as nothing.
  if (kind === 'bareName') return given.toLowerCase().replace(/\.$/, '')
  if (kind === 'rest') return given === 'false' ? {} : bindingOf(name, given)
  if (typeof kind === 'string') return given
  const word = given.replaceAll('-', '_')
  if (!(word in kind)) throw invalid(name)
  return word
}

/** `alpn|h2,h3|port|53443`. Which keys are taken beyond those with names is not documented: none. */
function bindingOf(name: string, given: string): Body {
  const parts = given.split('|')
  if (parts.length % 2 !== 0) throw invalid(name)
  const pairs = parts.flatMap((key, i) => (i % 2 === 0 ? [[key, parts[i + 1] ?? ''] as const] : []))
  if (pairs.some(([key, value]) => !BINDING_KEYS.has(key) || value === '')) throw invalid(name)
  return Object.fromEntries(pairs)
}

/** The data as a master file has it. */
export function rdataOf(type: string, data: Body): string {
  if (type === 'TXT') return rdataOfText(String(data['text']))
  const { svcParams } = data
  const params = Object.entries(isBody(svcParams) ? svcParams : {}).map((pair) => pair.join('='))
  return writeFields(FIELDS[type] ?? {}, { ...data, svcParams: params.join(' ') })
}

/** The other way: the parameters that say a canonical value. */
export function parametersOf(type: RecordType, value: string): Record<string, string> {
  if (type === 'TXT') return { text: bytesOfText(value).toString() }
  const data = readFields(FIELDS[type] ?? {}, typeOf(type).write(value))
  const { svcParams } = data
  if (typeof svcParams === 'string') data['svcParams'] = svcParams.replaceAll(/[= ]/g, '|') || 'false'
  return Object.fromEntries(Object.entries(data).map(([field, of]) => [parameterOf(type, field), String(of)]))
}
