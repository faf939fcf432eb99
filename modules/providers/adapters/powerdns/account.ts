import { Type, type Static } from '@sinclair/typebox'
import { VISIBLE_ASCII } from '../../../../schemas/scalars.ts'

export const credentialSchema = Type.Object({
  apiUrl: Type.String({
    title: 'API address',
    description: 'URL of the PowerDNS web server, or of a proxy in front of it',
    format: 'uri',
    pattern: '^https?://[^/?#]',
    maxLength: 2048,
    examples: ['http://pdns.example.com:8081'],
  }),
  apiKey: Type.String({
    title: 'API key',
    description: 'The value of api-key in the PowerDNS configuration',
    // Characters allowed in a header.
    pattern: VISIBLE_ASCII,
    maxLength: 1024,
    writeOnly: true,
  }),
  serverId: Type.String({
    title: 'Server',
    description: 'Always "localhost" for PowerDNS itself; others only behind a proxy for several servers',
    pattern: '^[A-Za-z0-9._-]+$',
    maxLength: 255,
    default: 'localhost',
  }),
  proxyUser: Type.Optional(
    Type.String({
      title: 'User name for a proxy',
      description: 'Only if a proxy in front of PowerDNS requires a password (RFC 7617)',
      pattern: '^[^:\\p{Cc}]+$',
      maxLength: 255,
    }),
  ),
  proxyPassword: Type.Optional(
    Type.String({
      title: 'Password for a proxy',
      description: 'Belongs to the user name',
      pattern: '^\\P{Cc}+$',
      maxLength: 1024,
      writeOnly: true,
    }),
  ),
})

export type Credentials = Static<typeof credentialSchema>

/** The part of the API's path that belongs to one server. */
export const serverUrl = (apiUrl: string, serverId: string): string =>
  `${apiRoot(apiUrl)}/api/v1/servers/${encodeURIComponent(serverId)}`

/** Users enter the address with or without the API's path, and with a proxy's prefix before it. */
const apiRoot = (apiUrl: string): string =>
  apiUrl
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\/api(\/v1)?$/, '')
