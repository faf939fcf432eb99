import { Type, type Static } from '@sinclair/typebox'
import { Secret } from '../../client/fields.ts'

export const credentialSchema = Type.Object({
  apiUrl: Type.String({
    title: 'API address',
    description: 'Of the web console of the DNS server, or of a proxy before it',
    format: 'uri',
    pattern: '^https?://[^/?#]',
    maxLength: 2048,
    examples: ['http://dns.example.com:5380/api'],
  }),
  apiToken: Secret(
    'API token',
    'Made in the web console by the menu of a user → Create API Token; it has all rights of that user',
  ),
})

export type Credentials = Static<typeof credentialSchema>
