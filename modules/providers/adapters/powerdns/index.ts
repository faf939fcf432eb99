import { Type } from '@sinclair/typebox'
import { VISIBLE_ASCII } from '../../../../schemas/scalars.ts'
import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { HttpUrl } from '../../client/fields.ts'
import { ANY_TEXT } from '../../contract.ts'
import { auditValues } from '../../shared/audits.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  apiUrl: HttpUrl(
    'API address',
    'URL of the PowerDNS web server, or of a proxy in front of it',
    'http://pdns.example.com:8081',
  ),
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
}

export type Credentials = CredentialsOf<typeof credentials>

/** Types that PowerDNS uses for records of its own: LUA is a program that the server runs. */
const OWN_TYPES: Record<string, string> = { TYPE65400: 'ADDR', TYPE65401: 'ALIAS', TYPE65402: 'LUA' }

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000002',
  key: 'powerdns',
  name: 'PowerDNS',
  credentials,
  rights: 'PowerDNS has a single key with all permissions. Its setting api must be on, and api-readonly off.',
  can: {
    // Supported by 4.4 and later.
    recordTypes: [
      ...BASIC_TYPES,
      ...typesIn('PTR DNAME DS CDS CDNSKEY DNSKEY TLSA SMIMEA SSHFP OPENPGPKEY NAPTR SVCB HTTPS LOC'),
      ...typesIn(
        'URI HINFO RP CERT CSYNC APL EUI48 EUI64 ZONEMD ALIAS IPSECKEY DHCID KX AFSDB KEY NID L32 L64 LP',
      ),
    ],
    otherTypes: true,
    identity: 'rrset',
    batch: 'atomic',
    // PowerDNS accepts 2 MB (webserver-max-bodysize); 500 RRsets are smaller unless their values are huge.
    maxBatch: 500,
    disabledRecords: true,
    minTtl: 0,
    defaultTtl: 3600,
    txt: ANY_TEXT,
    nullMx: true,
    apexAlias: true,
    apexNs: true,
    createZone: true,
    zoneNameServers: true,
    soa: 'write',
    dnssec: 'write',
    deleteZone: true,
  },
  serverOf: ({ apiUrl, serverId }) => serverUrl(apiUrl, serverId),
  audit: (_, edits) =>
    auditValues(edits, (_member, { type }) => {
      const own = OWN_TYPES[type]
      if (own === undefined) return null
      const message = `must not be ${type}: PowerDNS uses that for its own type ${own}`
      return { field: 'type', code: 'type_taken', message }
    }),
  load: () => import('./adapter.ts'),
})

/** The URL of one server. Users enter the address with or without the API's path, and with a proxy's prefix before it. */
export const serverUrl = (apiUrl: string, serverId: string): string => {
  const root = apiUrl
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\/api(\/v1)?$/, '')
  return `${root}/api/v1/servers/${encodeURIComponent(serverId)}`
}
