import { createHash, createHmac } from 'node:crypto'
import type { FinishedRequest } from '../../client/client.ts'

const ALGORITHM = 'ACS3-HMAC-SHA256'

const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')

/**
 * The headers that sign a request (ACS3-HMAC-SHA256, https://www.alibabacloud.com/help/en/sdk/product-overview/v3-request-structure-and-signature).
 * `now`: milliseconds since 1970; each `nonce` is accepted once.
 */
export function sign(
  { method, url, headers, body }: FinishedRequest,
  { accessKeyId, accessKeySecret }: { accessKeyId: string; accessKeySecret: string },
  { now, nonce }: { now: number; nonce: string },
): Record<string, string> {
  const own = {
    'x-acs-content-sha256': hash(body),
    'x-acs-date': new Date(now).toISOString().replace(/\.\d+/, ''),
    'x-acs-signature-nonce': nonce,
  }
  const signed = Object.entries({ ...headers, ...own })
    .filter(([name]) => name === 'host' || name === 'content-type' || name.startsWith('x-acs-'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  // Already encoded as in RFC 3986. The service that checks it does not know the path of a proxy.
  const query = url.search.slice(1).split('&').sort().join('&')
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('')
  const canonical = [method, '/', query, lines, names, own['x-acs-content-sha256']].join('\n')
  const signature = createHmac('sha256', accessKeySecret)
    .update(`${ALGORITHM}\n${hash(canonical)}`)
    .digest('hex')
  return {
    ...own,
    authorization: `${ALGORITHM} Credential=${accessKeyId},SignedHeaders=${names},Signature=${signature}`,
  }
}
