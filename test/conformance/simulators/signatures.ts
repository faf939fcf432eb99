import { createHash, createHmac } from 'node:crypto'
import type { Refused } from './answers.ts'
import { hexKey } from './checks.ts'
import { isWrite, type SimulatorRequest } from './server.ts'

/* Requests signed by HMAC-SHA256. The text that is signed is nearly the same for all providers. */

/** In hex. */
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

const hmac256 = (key: string | Uint8Array, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

/** As RFC 3986 has it: `encodeURIComponent` leaves five more characters unchanged. */
export const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** The signed parts of a request. */
export type Signable = Pick<SimulatorRequest, 'method' | 'target' | 'headers' | 'bytes'>

/** How a provider derives the signature. */
export interface SignatureText {
  algorithm: string
  /** Precedes the secret. */
  prefix?: string
  /** Default: the path as it was sent. */
  path?: (path: string) => string
  /** Header values are signed in lower case. */
  lowerCase?: boolean
  /** The time is signed as a header only. */
  timeInHeader?: boolean
}

/** How a provider has its requests signed. */
export interface SignatureScheme extends SignatureText {
  /** Precedes the id of the key. Default: `Credential`. */
  keyWord?: string
  /** Between the parts of the header. Default: a comma and a space. */
  separator?: string
  time: { header: string; format: keyof typeof TIMES; maxSkewSeconds: number }
  /** Date, place and service. `day`: as 2023-11-14. */
  scope?: (day: string) => string
  /** Headers that must be signed. */
  needed: string[]
  /** What a request without a good signature is answered, or one that changes something with a key for reading. */
  refuse: Record<'form' | 'key' | 'time' | 'signature' | 'change', Refused>
}

const TIMES = {
  seconds: {
    write: (ms: number) => String(Math.floor(ms / 1000)),
    read: (text: string) => Number(text) * 1000,
  },
  iso: { write: (ms: number) => new Date(ms).toISOString().replace(/\.\d+/, ''), read: Date.parse },
  /** As 20231114T221320Z. */
  compact: {
    write: (ms: number) => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, ''),
    read: (text: string) =>
      Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')),
  },
}

/** The signature in hex. `time` and `scope`: as they are sent; `signed`: names of headers, in order. */
export function signatureOf(
  { algorithm, prefix = '', path: pathOf, lowerCase, timeInHeader }: SignatureText,
  secret: string,
  { method, target, headers, bytes }: Signable,
  { time, scope, signed }: { time: string; scope: string | undefined; signed: string[] },
): string {
  const [path = '/', query = ''] = target.split('?')
  const pairs = query.split('&').filter((pair) => pair !== '')
  const encoded = pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return `${percentEncoded(decodeURIComponent(name))}=${percentEncoded(decodeURIComponent(value.join('=')))}`
  })
  const valueOf = (name: string) => String(headers[name]).trim().replace(/ +/g, ' ')
  const canonical = [
    method,
    pathOf?.(path) ?? path,
    encoded.sort().join('&'),
    ...signed.map((name) => `${name}:${lowerCase ? valueOf(name).toLowerCase() : valueOf(name)}`),
    '',
    signed.join(';'),
    sha256(bytes),
  ].join('\n')
  const text = [algorithm, ...(timeInHeader ? [] : [time]), ...(scope ? [scope] : []), sha256(canonical)]
  const parts = scope?.split('/') ?? []
  const key = parts.reduce<string | Buffer>(hmac256, `${prefix}${secret}`)
  return hmac256(key, text.join('\n')).toString('hex')
}

const scopeAt = ({ scope }: SignatureScheme, ms: number): string | undefined =>
  scope?.(new Date(ms).toISOString().slice(0, 10))

function headerOf(scheme: SignatureScheme, key: string, signed: string, signature: string): string {
  const { algorithm, keyWord = 'Credential', separator = ', ' } = scheme
  const parts = [`${algorithm} ${keyWord}=${key}`, `SignedHeaders=${signed}`, `Signature=${signature}`]
  return parts.join(separator)
}

/** The id of the key that signed the request. `secrets`: by the ids of keys. Throws Refused. */
function signerOf(
  request: SimulatorRequest,
  scheme: SignatureScheme,
  secrets: Record<string, string>,
): string {
  const { time: stamp, needed, refuse } = scheme
  const form = headerOf(scheme, '(\\w+)(?:/([^,]+))?', '([a-z0-9;-]+)', '(.+)')
  const authorization = String(request.headers.authorization)
  const [, id, scope, names = '', signature] = new RegExp(`^${form}$`).exec(authorization) ?? []
  if (id === undefined) throw refuse.form
  const secret = secrets[id]
  if (secret === undefined) throw refuse.key
  const time = String(request.headers[stamp.header])
  const ms = TIMES[stamp.format].read(time)
  if (!(Math.abs(Date.now() - ms) <= stamp.maxSkewSeconds * 1000)) throw refuse.time
  const signed = names.split(';')
  const isWhole = needed.every((name) => signed.includes(name))
  const isInOrder = signed.toSorted().join(';') === names
  const isSigned = signatureOf(scheme, secret, request, { time, scope, signed }) === signature
  if (!isWhole || !isInOrder || scope !== scopeAt(scheme, ms) || !isSigned) throw refuse.signature
  return id
}

/** The headers that sign a request with all of its headers, at the time that it has in one or now. */
export function sign(
  request: Signable,
  scheme: SignatureScheme,
  { id, secret }: { id: string; secret: string },
): Record<string, string> {
  const { time: stamp, needed } = scheme
  const { read, write } = TIMES[stamp.format]
  const time = String(request.headers[stamp.header] ?? write(Date.now()))
  const scope = scopeAt(scheme, read(time))
  const given = Object.keys(request.headers).filter((name) => name !== stamp.header)
  const signed = [...new Set([...given, ...needed])].sort()
  const headers = { ...request.headers, [stamp.header]: time }
  const signature = signatureOf(scheme, secret, { ...request, headers }, { time, scope, signed })
  const key = scope === undefined ? id : `${id}/${scope}`
  return {
    [stamp.header]: time,
    authorization: headerOf(scheme, key, signed.join(';'), signature),
  }
}

/** Two keys of an account; with the second one nothing can be changed. */
export type SigningKeys = Record<'keyId' | 'secret' | 'readId' | 'readSecret', string>

/** The part of a dialect that is about signatures. `prefix`: of the ids of keys. */
export const signedBy = (scheme: SignatureScheme, prefix = '', changes = isWrite) => ({
  keys: (): SigningKeys => {
    const newId = () => `${prefix}${hexKey(10).toUpperCase()}`
    return { keyId: newId(), secret: hexKey(20), readId: newId(), readSecret: hexKey(20) }
  },
  headers: ({ keyId, secret }: SigningKeys, request: Signable) =>
    sign(request, scheme, { id: keyId, secret }),
  authenticate: (request: SimulatorRequest, { keyId, secret, readId, readSecret }: SigningKeys) => {
    const id = signerOf(request, scheme, { [keyId]: secret, [readId]: readSecret })
    if (id === readId && changes(request)) throw scheme.refuse.change
  },
  changes,
})
