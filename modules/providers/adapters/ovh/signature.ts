import { createHash } from 'node:crypto'
import type { FinishedRequest } from '../../client/client.ts'

/** Headers that authenticate a request (https://github.com/ovh/node-ovh). `now`: milliseconds since 1970 by OVH's clock. */
export function sign(
  { method, url, body }: Pick<FinishedRequest, 'method' | 'url' | 'body'>,
  keys: { applicationKey: string; applicationSecret: string; consumerKey: string },
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const text = [keys.applicationSecret, keys.consumerKey, method, url.href, Buffer.from(body), timestamp]
  return {
    'x-ovh-application': keys.applicationKey,
    'x-ovh-consumer': keys.consumerKey,
    'x-ovh-timestamp': timestamp,
    'x-ovh-signature': `$1$${createHash('sha1').update(text.join('+')).digest('hex')}`,
  }
}
