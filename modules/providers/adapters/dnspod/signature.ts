import { createHash, createHmac } from 'node:crypto'
import type { FinishedRequest } from '../../client/client.ts'

const ALGORITHM = 'TC3-HMAC-SHA256'
const SERVICE = 'dnspod'
const SIGNED = 'content-type;host'

const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')

const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data)

/**
 * The headers that sign a request (TC3-HMAC-SHA256, https://cloud.tencent.com/document/api/1427/56189). `now`:
 * milliseconds since 1970; the signature is valid for five minutes.
 */
export function sign(
  { headers, body }: Pick<FinishedRequest, 'headers' | 'body'>,
  { secretId, secretKey }: { secretId: string; secretKey: string },
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const date = new Date(now).toISOString().slice(0, 10)
  const scope = `${date}/${SERVICE}/tc3_request`
  const signed = SIGNED.split(';').map((name) => `${name}:${headers[name] ?? ''}\n`)
  // The service that checks it does not know the path of a proxy.
  const canonical = ['POST', '/', '', signed.join(''), SIGNED, hash(body)].join('\n')
  const text = [ALGORITHM, timestamp, scope, hash(canonical)].join('\n')
  const key = [date, SERVICE, 'tc3_request'].reduce<string | Buffer>(
    (before, part) => hmac(before, part).digest(),
    `TC3${secretKey}`,
  )
  const signature = hmac(key, text).digest('hex')
  return {
    authorization: `${ALGORITHM} Credential=${secretId}/${scope}, SignedHeaders=${SIGNED}, Signature=${signature}`,
    'x-tc-timestamp': timestamp,
  }
}
