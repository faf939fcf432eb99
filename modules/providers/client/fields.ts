import { Type } from '@sinclair/typebox'
import { VISIBLE_ASCII } from '../../../schemas/scalars.ts'

/* Credential fields shared by many providers, and their use. */

/** The API URL, if it differs from the provider's `own`: a sandbox, a region, a proxy. */
export const ApiUrl = (own: string) =>
  Type.Optional(
    Type.String({
      title: 'API address',
      description: `Only where it is another than ${own}`,
      format: 'uri',
      pattern: '^https?://[^/?#]',
      maxLength: 2048,
      examples: [own],
    }),
  )

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
