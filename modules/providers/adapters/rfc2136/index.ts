import { Type } from '@sinclair/typebox'
import { TSIG_ALGORITHMS } from '../../../../dns/wire/tsig.ts'
import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { ANY_TEXT } from '../../contract.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
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
}

export type Credentials = CredentialsOf<typeof credentials>

/**
 * BIND's default `sig-signing-type`: BIND stores the progress of signing there, and drops what others write.
 */
const SIGNING_STATE = 'TYPE65534'
const STATE_REFUSED = {
  field: 'type',
  code: 'type_of_signing',
  message: `must not be ${SIGNING_STATE}, in which BIND stores the progress of signing`,
} as const

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000003',
  key: 'rfc2136',
  name: 'DNS updates (BIND, Knot)',
  credentials,
  rights:
    'One key for both: transfers (AXFR) and updates of the zones. In BIND set allow-transfer and allow-update or update-policy, in Knot an acl with transfer and update.',
  can: {
    // Types of BIND 9.18, Knot 3.2 and later, except those for signing: DNSKEY, CDS, CDNSKEY.
    recordTypes: [
      ...BASIC_TYPES,
      ...typesIn(
        'PTR DNAME DS TLSA SMIMEA SSHFP OPENPGPKEY NAPTR SVCB HTTPS LOC URI HINFO RP CERT CSYNC APL',
      ),
      ...typesIn('EUI48 EUI64 ZONEMD IPSECKEY DHCID KX AFSDB KEY NID L32 L64 LP'),
    ],
    otherTypes: true,
    identity: 'rrset',
    batch: 'atomic',
    // A message has 65,535 bytes, and contains each RRset before and after the change.
    maxBatch: 50,
    maxBatchLength: 16_000,
    minTtl: 0,
    defaultTtl: 3600,
    txt: ANY_TEXT,
    nullMx: true,
    apexNs: true,
    soa: 'write',
  },
  serverOf: ({ server, port }) => `${server.toLowerCase()}:${port}`,
  audit: (_zoneName, edits) =>
    edits.flatMap(({ type, changes }, edit) =>
      type === SIGNING_STATE ? changes.map((_, change) => ({ edit, change, ...STATE_REFUSED })) : [],
    ),
  load: () => import('./adapter.ts'),
})
