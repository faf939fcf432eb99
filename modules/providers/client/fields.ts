import { Type } from '@sinclair/typebox'
import { VISIBLE_ASCII } from '../../../schemas/scalars.ts'

/* Credentials that many providers have alike, and what is made of them. */

/** The address of the API, for who has another than the provider's `own`: a sandbox, a region, a proxy. */
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

/** A secret that can stand in a header. `description`: where the user finds or makes it. */
export const Secret = (title: string, description: string) =>
  Type.String({ title, description, pattern: VISIBLE_ASCII, maxLength: 4096, writeOnly: true })

/** What goes with a secret and is shown, such as the id of a key. */
export const PlainText = (title: string, description: string) =>
  Type.String({ title, description, pattern: VISIBLE_ASCII, maxLength: 255 })

/** `url` and `isOwnAddress` of an `Api`. */
export const addressOf = (own: string, given: string | undefined) => ({
  url: (given ?? own)
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, ''),
  isOwnAddress: given !== undefined,
})
