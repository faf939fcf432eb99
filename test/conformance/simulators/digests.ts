import { createHash, createHmac } from 'node:crypto'

/* What signatures of requests have alike. */

/** In hex. */
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

export const hmac256 = (key: string | Uint8Array, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

/** As RFC 3986 has it: `encodeURIComponent` leaves five characters more as they are. */
export const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
