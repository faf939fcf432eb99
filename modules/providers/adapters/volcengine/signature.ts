import { createHash, createHmac } from 'node:crypto'
import type { FinishedRequest } from '../../client/client.ts'

const ALGORITHM = 'HMAC-SHA256'
const SIGNED = 'host;x-date'
/** The service has only this one. */
const REGION = 'cn-beijing'

const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')

const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data)

/**
 * Headers that authenticate a request for 15 minutes (https://www.volcengine.com/docs/6369/67269). `now`: milliseconds
 * since 1970.
 */
export function sign(
  { method, url, headers, body }: FinishedRequest,
  { accessKeyId, secretAccessKey }: { accessKeyId: string; secretAccessKey: string },
  now: number,
  service = 'dns',
): Record<string, string> {
  const date = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const scope = [date.slice(0, 8), REGION, service, 'request']
  // The query is already encoded as in RFC 3986. The path is always `/`, because the service does not see the
  // path of a proxy.
  const query = url.search.slice(1).split('&').sort().join('&')
  const lines = `host:${headers['host'] ?? ''}\nx-date:${date}\n`
  const canonical = [method, '/', query, lines, SIGNED, hash(body)].join('\n')
  const text = [ALGORITHM, date, scope.join('/'), hash(canonical)].join('\n')
  const key = scope.reduce<string | Buffer>((before, part) => hmac(before, part).digest(), secretAccessKey)
  const signature = hmac(key, text).digest('hex')
  return {
    'x-date': date,
    authorization: `${ALGORITHM} Credential=${accessKeyId}/${scope.join('/')}, SignedHeaders=${SIGNED}, Signature=${signature}`,
  }
}
