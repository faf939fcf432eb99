import { hmac256, sha256 } from './digests.ts'

export interface SignedByTc3 {
  secretKey: string
  /** Unix time, seconds. */
  timestamp: number
  headers: NodeJS.Dict<string | string[]>
  /** The names of the headers that are signed, in order. */
  signed: string[]
  body: string | Uint8Array
}

/** The signature of a POST to `/` of the service dnspod by TC3-HMAC-SHA256. */
export function tc3Signature({ secretKey, timestamp, headers, signed, body }: SignedByTc3): string {
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim().toLowerCase()}\n`).join('')
  const canonical = `POST\n/\n\n${lines}\n${signed.join(';')}\n${sha256(body)}`
  const date = new Date(timestamp * 1000).toISOString().slice(0, 10)
  const text = `TC3-HMAC-SHA256\n${timestamp}\n${date}/dnspod/tc3_request\n${sha256(canonical)}`
  const key = hmac256(hmac256(hmac256(`TC3${secretKey}`, date), 'dnspod'), 'tc3_request')
  return hmac256(key, text).toString('hex')
}
