import { createHash, createHmac } from 'node:crypto'
import type { FinishedRequest } from '../../client/client.ts'

export interface SigningKey {
  accessKeyId: string
  secretAccessKey: string
  /** Only with temporary credentials. */
  sessionToken?: string | undefined
  region: string
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const SERVICE = 'route53'

/**
 * The headers that sign a request (Signature Version 4,
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). `now`:
 * milliseconds since 1970; AWS accepts a difference of 5 minutes.
 */
export function signatureOf(
  { method, url, headers, body }: FinishedRequest,
  { accessKeyId, secretAccessKey, sessionToken = '', region }: SigningKey,
  now: number,
): Record<string, string> {
  const moment = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  const date = moment.slice(0, 8)
  const added = { 'x-amz-date': moment, ...(sessionToken !== '' && { 'x-amz-security-token': sessionToken }) }
  const signed = Object.entries({ host: headers['host'] ?? url.host, ...added })
  const names = signed.map(([name]) => name).join(';')
  const canonical = [
    method,
    canonicalPath(url),
    canonicalQuery(url),
    ...signed.map(([name, value]) => `${name}:${value.trim()}`),
    '',
    names,
    sha256(body),
  ].join('\n')
  const scope = `${date}/${region}/${SERVICE}/aws4_request`
  const text = [ALGORITHM, moment, scope, sha256(canonical)].join('\n')
  const key = scope
    .split('/')
    .reduce<Buffer | string>((secret, part) => hmac(secret, part).digest(), `AWS4${secretAccessKey}`)
  const signature = hmac(key, text).digest('hex')
  return {
    ...added,
    authorization: `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

/** Characters that are escaped in the request are escaped twice here. */
const canonicalPath = ({ pathname }: URL): string => pathname.split('/').map(encodeURIComponent).join('/')

/** Sorted by bytes; the encoding is already that of RFC 3986. */
const canonicalQuery = ({ search }: URL): string =>
  search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort()
    .join('&')

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text)
