import { Type } from '@sinclair/typebox'
import { readName } from '../../../../dns/wire-name.ts'
import { TSIG_ALGORITHMS, type TsigAlgorithm } from '../../../../dns/tsig.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import type { Provider } from '../../contract.ts'
import { Rfc2136Adapter } from './adapter.ts'
import { Client } from './client.ts'

const credentialSchema = Type.Object({
  server: Type.String({
    title: 'Server',
    description: 'Name or address of the primary server of the zones',
    pattern: '^[0-9A-Za-z._:-]+$',
    maxLength: 253,
    examples: ['ns1.example.net'],
  }),
  port: Type.String({
    title: 'Port',
    description: 'For DNS over TCP',
    pattern: '^([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$',
    default: '53',
  }),
  keyName: Type.String({
    title: 'Name of the key',
    description: 'As in the configuration of the server, for transfers and updates of the zones',
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
    description: 'In base64, as tsig-keygen and keymgr write it',
    pattern: '^[0-9A-Za-z+/]+={0,2}$',
    maxLength: 1024,
    writeOnly: true,
  }),
  zones: Type.Optional(
    Type.String({
      title: 'Zones',
      description:
        'Names to choose from, with spaces or commas between them: a server does not list its zones',
      maxLength: 16_384,
      examples: ['example.com example.org'],
    }),
  ),
  catalog: Type.Optional(
    Type.String({
      title: 'Catalog zone',
      description: 'A zone that lists the others (RFC 9432), where the server has one',
      maxLength: 253,
      examples: ['catalog.invalid'],
    }),
  ),
})

/** Of BIND 9.18, Knot 3.2 and later. Not what belongs to signing: DNSKEY, CDS, CDNSKEY. */
const TYPES = [
  'A',
  'AAAA',
  'CNAME',
  'NS',
  'MX',
  'TXT',
  'SRV',
  'CAA',
  'PTR',
  'DNAME',
  'DS',
  'TLSA',
  'SMIMEA',
  'SSHFP',
  'OPENPGPKEY',
  'NAPTR',
  'SVCB',
  'HTTPS',
  'LOC',
  'URI',
  'HINFO',
  'RP',
  'CERT',
  'CSYNC',
  'APL',
  'EUI48',
  'EUI64',
  'ZONEMD',
] as const satisfies RecordType[]

/** BIND's default `sig-signing-type`: it notes there how far it has signed, and drops what others say. */
const SIGNING_STATE = 'TYPE65534'
const STATE_REFUSED = {
  field: 'type',
  code: 'type_of_signing',
  message: `must not be ${SIGNING_STATE}, in which BIND notes how far it has signed`,
} as const

const rfc2136: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000003',
  key: 'rfc2136',
  name: 'DNS updates (BIND, Knot)',
  credentialSchema,
  rights:
    'One key for both: transfers (AXFR) and updates of the zones; in BIND allow-transfer and allow-update or update-policy, in Knot an acl with transfer and update.',
  capabilities: {
    recordTypes: TYPES,
    otherTypes: true,
    identity: 'rrset',
    batch: 'atomic',
    // One message has 65,535 bytes, and each RRset is in it as it was and as it shall be.
    maxBatch: 50,
    maxBatchLength: 16_000,
    proxied: false,
    routing: false,
    comments: false,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'rrset',
    disabledRecords: false,
    minTtl: 0,
    maxTtl: 2_147_483_647,
    apexCname: false,
    apexNs: true,
    createZone: false,
    zoneNameServers: false,
    soa: 'write',
    dnssec: 'none',
    deleteZone: false,
    truth: 'provider',
  },
  serverOf: ({ server, port }) => `${server.toLowerCase()}:${port}`,
  audit: (_zoneName, edits) =>
    edits.flatMap(({ type, changes }, edit) =>
      type === SIGNING_STATE ? changes.map((_, change) => ({ edit, change, ...STATE_REFUSED })) : [],
    ),
  open({ server, port, keyName, algorithm, secret, zones = '', catalog = '' }, context) {
    const key = {
      name: readName(keyName) ?? keyName,
      algorithm: algorithm as TsigAlgorithm,
      secret: Buffer.from(secret, 'base64'),
    }
    const names = zones.split(/[\s,;]+/).flatMap((name) => readName(name) ?? [])
    const list = { names: [...new Set(names)], catalog: readName(catalog.trim()) }
    return new Rfc2136Adapter(new Client({ host: server, port: Number(port), key }, context), list)
  },
}

export default rfc2136
