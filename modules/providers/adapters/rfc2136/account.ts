import { Type, type Static } from '@sinclair/typebox'
import { TSIG_ALGORITHMS } from '../../../../dns/wire/tsig.ts'

export const credentialSchema = Type.Object({
  server: Type.String({
    title: 'Server',
    description: 'Name or address of the primary server of the zones',
    pattern: '^[0-9A-Za-z._:-]+$',
    maxLength: 253,
    examples: ['ns1.example.net'],
  }),
  port: Type.String({
    title: 'Port',
    description: 'TCP port of the DNS server',
    pattern: '^([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$',
    default: '53',
  }),
  keyName: Type.String({
    title: 'Name of the key',
    description: 'As configured on the server for transfers and updates of the zones',
    pattern: '^[0-9A-Za-z._-]+$',
    maxLength: 253,
    examples: ['zonekeeper'],
  }),
  algorithm: Type.String({
    title: 'Algorithm of the key',
    enum: [...TSIG_ALGORITHMS],
    default: 'hmac-sha256',
  }),
  secret: Type.String({
    title: 'Secret of the key',
    description: 'In base64, as printed by tsig-keygen and keymgr',
    pattern: '^[0-9A-Za-z+/]+={0,2}$',
    maxLength: 1024,
    writeOnly: true,
  }),
  zones: Type.Optional(
    Type.String({
      title: 'Zones',
      description: "Zones to choose from, separated by spaces or commas; a DNS server can't list its zones",
      maxLength: 16_384,
      examples: ['example.com example.org'],
    }),
  ),
  catalog: Type.Optional(
    Type.String({
      title: 'Catalog zone',
      description: 'A zone that lists the others (RFC 9432), if the server has one',
      maxLength: 253,
      examples: ['catalog.invalid'],
    }),
  ),
})

export type Credentials = Static<typeof credentialSchema>
