import { Type } from '@sinclair/typebox'
import { VISIBLE_ASCII } from '../../../schemas/scalars.ts'

/* Credential fields shared by many providers, and their use. */

/** The API URL, if it differs from the provider's `own`: a sandbox, a region, a proxy. */
export const ApiUrl = (own: string) =>
  Type.Optional(HttpUrl('API address', `Only where it is another than ${own}`, own))

/** The URL of a server. */
export const HttpUrl = (title: string, description: string, example: string) =>
  Type.String({
    title,
    description,
    format: 'uri',
    pattern: '^https?://[^/?#]',
    maxLength: 2048,
    examples: [example],
  })

/** A secret that fits into a header. `description`: where to find or create it. */
export const Secret = (title: string, description: string) =>
  Type.String({ title, description, pattern: VISIBLE_ASCII, maxLength: 4096, writeOnly: true })

/** A visible field that belongs to a secret, such as the id of a key. */
export const PlainText = (title: string, description: string) =>
  Type.String({ title, description, pattern: VISIBLE_ASCII, maxLength: 255 })

/** Returns `url` and `isOwnAddress` of an `Api`. */
export const addressOf = (own: string, given: string | undefined) => ({
  url: (given ?? own)
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, ''),
  isOwnAddress: given !== undefined,
})
