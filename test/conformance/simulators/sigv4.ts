import { hmac256, percentEncoded, sha256 } from './digests.ts'
import type { SimulatorRequest } from './server.ts'

/** Of an access key, and of where a request is for. */
export interface SigV4Scope {
  accessKeyId: string
  secretAccessKey: string
  region: string
  service: string
}

/** What services that sign so have of their own. */
export interface SigV4Words {
  algorithm: string
  /** What stands before the secret. */
  prefix: string
  /** What ends the scope. */
  end: string
}

export const AWS: SigV4Words = { algorithm: 'AWS4-HMAC-SHA256', prefix: 'AWS4', end: 'aws4_request' }

/** What is signed of a request. */
export type Signable = Pick<SimulatorRequest, 'method' | 'target' | 'headers' | 'bytes'>

/** Of AWS Signature Version 4 or one of its kind, in hex. `amzDate`: as `20231114T221320Z`. `signed`: names of headers. */
export function sigV4(
  request: Signable,
  { secretAccessKey, region, service }: SigV4Scope,
  amzDate: string,
  signed: string[],
  { algorithm, prefix, end } = AWS,
): string {
  const [path = '/', query = ''] = request.target.split('?')
  const pairs = query.split('&').filter((pair) => pair !== '')
  const canonicalQuery = pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return `${percentEncoded(decodeURIComponent(name))}=${percentEncoded(decodeURIComponent(value.join('=')))}`
  })
  const names = signed.map((name) => name.toLowerCase()).sort()
  const canonical = [
    request.method,
    // What stands in the path is encoded once more.
    path.split('/').map(percentEncoded).join('/'),
    canonicalQuery.sort().join('&'),
    ...names.map((name) => `${name}:${String(request.headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    names.join(';'),
    sha256(request.bytes),
  ].join('\n')
  const day = amzDate.slice(0, 8)
  const toSign = [algorithm, amzDate, `${day}/${region}/${service}/${end}`, sha256(canonical)]
  const key = [region, service, end].reduce<Buffer>(hmac256, hmac256(`${prefix}${secretAccessKey}`, day))
  return hmac256(key, toSign.join('\n')).toString('hex')
}

/** The header by which a request is signed. */
export const sigV4Header = (
  request: Signable,
  scope: SigV4Scope,
  amzDate: string,
  signed: string[],
  words = AWS,
) =>
  [
    `${words.algorithm} Credential=${scope.accessKeyId}/${amzDate.slice(0, 8)}/${scope.region}/${scope.service}/${words.end}`,
    `SignedHeaders=${signed.join(';')}`,
    `Signature=${sigV4(request, scope, amzDate, signed, words)}`,
  ].join(', ')
