import { Type } from '@sinclair/typebox'
import type { Capabilities } from '../contract.ts'
import { ErrorCode } from '../../../schemas/problem.ts'
import { RecordType } from '../../../schemas/records/record-type.ts'
import { Label, Nullable, Timestamp, Uuid } from '../../../schemas/scalars.ts'
import { named } from '../../../schemas/named.ts'

/** Values of any kind of credential; the provider's own schema is applied once the provider is known. */
const Credentials = Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 8192 }), {
  maxProperties: 20,
  description: 'As described by `credentialSchema` of the provider',
  examples: [{ apiUrl: 'http://127.0.0.1:8081', apiKey: 'a-long-random-key', serverId: 'localhost' }],
})

const MaskedCredentials = Type.Record(Type.String(), Type.String(), {
  description: 'Secrets are masked',
  examples: [{ apiUrl: 'http://127.0.0.1:8081', apiKey: '••••9f2c', serverId: 'localhost' }],
})

const CatalogueEntry = Type.Object({
  id: Uuid,
  key: Type.String({ examples: ['powerdns'] }),
  name: Type.String({ examples: ['PowerDNS'] }),
  credentialSchema: Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    description:
      'JSON Schema of the credentials, with titles: enough to generate a form. Secrets are writeOnly.',
    examples: [
      { type: 'object', required: ['apiUrl'], properties: { apiUrl: { type: 'string', title: 'API URL' } } },
    ],
  }),
  rights: Type.String({
    description: 'Minimal permissions of the credentials, as text; empty: nothing to say',
    examples: ['A token with the permissions Zone:Read and DNS:Edit for the zones.'],
  }),
  capabilities: Type.Object({
    recordTypes: Type.Array(RecordType, { examples: [['A', 'AAAA', 'MX']] }),
    otherTypes: Type.Boolean({
      description: 'Supports any other type as `TYPE65534` (RFC 3597)',
      examples: [true],
    }),
    identity: Type.Unsafe<Capabilities['identity']>({
      type: 'string',
      enum: ['record-id', 'rrset'],
      description: 'What it changes at once: a record, or all records of a name and type',
      examples: ['rrset'],
    }),
    idsChange: Type.Boolean({
      description: 'A record gets a new `providerId` with each change',
      examples: [false],
    }),
    batch: Type.Unsafe<Capabilities['batch']>({
      type: 'string',
      enum: ['none', 'best-effort', 'atomic'],
      description:
        'What it accepts in one call: one record or RRset, several that are handled separately, or several that are all applied or none',
      examples: ['atomic'],
    }),
    maxBatch: Type.Integer({
      description: 'Maximum number of RRsets per call',
      examples: [1000],
    }),
    maxBatchValues: Type.Optional(
      Type.Integer({ description: 'Maximum number of values per call; missing: no limit', examples: [1000] }),
    ),
    maxBatchLength: Type.Optional(
      Type.Integer({
        description: 'Maximum number of characters of names and values per call; missing: no limit',
        examples: [32_000],
      }),
    ),
    proxied: Type.Boolean({ examples: [false] }),
    routing: Type.Boolean({
      description:
        'Supports several RRsets of one name and type, distinguished by `routing` of their records',
      examples: [false],
    }),
    comments: Type.Boolean({ description: 'Stores comments of records', examples: [false] }),
    ttlOf: Type.Unsafe<Capabilities['ttlOf']>({
      type: 'string',
      enum: ['rrset', 'record', 'zone'],
      description: 'What has its own TTL; with `zone`, it can only be changed at the provider',
      examples: ['rrset'],
    }),
    automaticTtl: Type.Boolean({ description: '`ttl: null`: the provider chooses it', examples: [false] }),
    writeUnit: Type.Unsafe<Capabilities['writeUnit']>({
      type: 'string',
      enum: ['record', 'rrset', 'zone'],
      description: 'What one write replaces; changes of one `zone` are made one after another',
      examples: ['rrset'],
    }),
    disabledRecords: Type.Boolean({
      description: 'Records can be `enabled: false`: kept without being served',
      examples: [true],
    }),
    minTtl: Type.Integer({ examples: [1] }),
    maxTtl: Type.Integer({ examples: [2147483647] }),
    ttls: Type.Optional(
      Type.Array(Type.Integer(), {
        description: 'The only TTLs it accepts, in seconds; missing: all from `minTtl` to `maxTtl`',
        examples: [[300, 3600, 86_400]],
      }),
    ),
    defaultTtl: Type.Integer({
      description: 'The TTL of records without one, in seconds',
      examples: [3600],
    }),
    ttlByPlan: Type.Boolean({
      description: "The minimum TTL depends on the account's plan; `minTtl` is the lowest of all",
      examples: [false],
    }),
    txt: Type.Object(
      {
        maxLength: Type.Integer({ description: 'Bytes of all strings together', examples: [2048] }),
        strings: Type.Boolean({ description: 'Keeps how a text is split into strings', examples: [true] }),
        beyondAscii: Type.Boolean({ examples: [true] }),
        without: Type.Array(Type.String(), {
          description: 'Characters it does not accept',
          examples: [[]],
        }),
      },
      { description: 'Limits of TXT records' },
    ),
    wildcards: Type.Boolean({ examples: [true] }),
    underscores: Type.Boolean({
      description: 'Labels that begin with `_` are taken for every type',
      examples: [true],
    }),
    nullMx: Type.Boolean({ description: 'Accepts `0 .` as MX (RFC 7505)', examples: [true] }),
    apexCname: Type.Boolean({ examples: [false] }),
    apexAlias: Type.Boolean({ description: 'Accepts ALIAS or ANAME at the apex', examples: [true] }),
    apexNs: Type.Boolean({ description: 'NS at the apex can be changed', examples: [true] }),
    createZone: Type.Boolean({ examples: [true] }),
    zoneNameServers: Type.Boolean({
      description: 'Creating a zone requires `nameServers` of the connection',
      examples: [true],
    }),
    soa: Type.Unsafe<Capabilities['soa']>({
      type: 'string',
      enum: ['none', 'read', 'write'],
      examples: ['write'],
      ...named('CapabilityExtent'),
    }),
    dnssec: Type.Unsafe<Capabilities['dnssec']>({
      type: 'string',
      enum: ['none', 'read', 'write'],
      examples: ['write'],
      ...named('CapabilityExtent'),
    }),
    deleteZone: Type.Boolean({ examples: [true] }),
    truth: Type.Unsafe<Capabilities['truth']>({
      type: 'string',
      enum: ['provider', 'local'],
      description: '`local` if records are only stored here',
      examples: ['provider'],
    }),
  }),
})

export const Catalogue = Type.Object({ providers: Type.Array(CatalogueEntry) })

const NameServers = Type.Array(Type.String({ minLength: 1, maxLength: 254, examples: ['ns1.example.net'] }), {
  maxItems: 13,
  description: 'Full names, for zones created with this connection; the first is the primary in their SOA',
  examples: [['ns1.example.net', 'ns2.example.net']],
})

const Hostmaster = Nullable(
  Type.String({
    maxLength: 254,
    description:
      'Mail address in the SOA of zones created with this connection; null: hostmaster at the zone',
    examples: ['hostmaster@example.net'],
  }),
)

const VerifyServers = Type.Array(Type.String({ minLength: 2, maxLength: 60, examples: ['192.0.2.53:53'] }), {
  maxItems: 13,
  description:
    'IP addresses with optional ports of servers that are asked to verify changes, instead of the delegated name servers; empty: those. Private ones need OUTBOUND_ALLOW',
  examples: [[]],
})

const Breaker = Type.Object(
  {
    state: Type.Unsafe<'closed' | 'open'>({
      type: 'string',
      enum: ['closed', 'open'],
      description:
        '`open`: the provider was unreachable several times in a row, and calls fail immediately with `Retry-After` until the next attempt',
      examples: ['closed'],
      ...named('BreakerState'),
    }),
    since: Nullable(Timestamp),
    nextTry: Nullable(Timestamp),
  },
  named('Breaker'),
)

export const ProviderConfig = Type.Object(
  {
    id: Uuid,
    providerId: Uuid,
    providerKey: Type.String({ examples: ['powerdns'] }),
    name: Type.String({ examples: ['Own name servers'] }),
    ownerId: Uuid,
    credentials: MaskedCredentials,
    nameServers: NameServers,
    hostmaster: Hostmaster,
    verifyServers: VerifyServers,
    breaker: Breaker,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  named('ProviderConfig'),
)

export const ProviderConfigs = Type.Object({ providerConfigs: Type.Array(ProviderConfig) })

const Name = Label(100, ['Own name servers'])

export const CreateConfigBody = Type.Object(
  {
    providerId: Uuid,
    name: Name,
    credentials: Type.Optional(Credentials),
    ownerId: Type.Optional(
      Type.Unsafe<string>({
        ...Uuid,
        description: 'The owner, if an administrator creates it for another user',
      }),
    ),
    nameServers: Type.Optional(NameServers),
    hostmaster: Type.Optional(Hostmaster),
    verifyServers: Type.Optional(VerifyServers),
  },
  named('NewProviderConfig'),
)

const ChangedCredentials = Type.Record(
  Type.String({ maxLength: 100 }),
  Nullable(Type.String({ maxLength: 8192, examples: ['a-long-random-key'] })),
  {
    maxProperties: 20,
    description: 'Missing, empty and masked values stay unchanged; null removes an optional value',
    examples: [{ apiKey: 'another-long-random-key' }],
  },
)

export const UpdateConfigBody = Type.Partial(
  Type.Object({
    name: Name,
    credentials: ChangedCredentials,
    nameServers: NameServers,
    hostmaster: Hostmaster,
    verifyServers: VerifyServers,
  }),
)

export const TestReport = Type.Object(
  {
    success: Type.Boolean({ examples: [true] }),
    code: Nullable({ ...ErrorCode, examples: [null] }),
    error: Nullable(
      Type.String({ description: 'The reason for a failure, such as a refused key', examples: [null] }),
    ),
  },
  named('ProviderConfigTest'),
)
