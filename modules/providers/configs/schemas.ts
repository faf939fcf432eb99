import { Type } from '@sinclair/typebox'
import type { Capabilities } from '../contract.ts'
import { ErrorCode } from '../../../schemas/problem.ts'
import { RecordType } from '../../../schemas/record-type.ts'
import { Label, Nullable, Timestamp, Uuid } from '../../../schemas/scalars.ts'
import { named } from '../../../schemas/named.ts'

/** Values of any kind of credential; each provider's own schema is applied where the provider is known. */
const Credentials = Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 8192 }), {
  maxProperties: 20,
  description: 'As `credentialSchema` of the provider says',
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
      'JSON Schema of the credentials, with titles: enough to draw the form. Secrets are writeOnly.',
    examples: [
      { type: 'object', required: ['apiUrl'], properties: { apiUrl: { type: 'string', title: 'API URL' } } },
    ],
  }),
  rights: Type.String({
    description: 'The least rights that the credentials need, for people; empty: there is nothing to say',
    examples: ['A token with the rights Zone:Read and DNS:Edit for the zones in question.'],
  }),
  capabilities: Type.Object({
    recordTypes: Type.Array(RecordType, { examples: [['A', 'AAAA', 'MX']] }),
    otherTypes: Type.Boolean({
      description: 'Takes any other type as `TYPE65534` (RFC 3597)',
      examples: [true],
    }),
    identity: Type.Unsafe<Capabilities['identity']>({
      type: 'string',
      enum: ['record-id', 'rrset'],
      description: 'What it changes at once: a record, or all of a name and type',
      examples: ['rrset'],
    }),
    idsChange: Type.Boolean({
      description: 'A record has another `providerId` after it was changed',
      examples: [false],
    }),
    batch: Type.Unsafe<Capabilities['batch']>({
      type: 'string',
      enum: ['none', 'best-effort', 'atomic'],
      description:
        'What it takes in one call: one record or set, several of which each is done on its own, or several of which all are done or none',
      examples: ['atomic'],
    }),
    maxBatch: Type.Integer({
      description: 'Sets of records that are handed over at once, at most',
      examples: [1000],
    }),
    maxBatchValues: Type.Optional(
      Type.Integer({ description: 'Values in one call, at most; missing: no limit', examples: [1000] }),
    ),
    maxBatchLength: Type.Optional(
      Type.Integer({
        description: 'Characters of names and values in one call, at most; missing: no limit',
        examples: [32_000],
      }),
    ),
    proxied: Type.Boolean({ examples: [false] }),
    routing: Type.Boolean({
      description: 'Several RRsets of one name and type, told apart by `routing` of their records',
      examples: [false],
    }),
    comments: Type.Boolean({ description: 'Keeps comments of records itself', examples: [false] }),
    ttlOf: Type.Unsafe<Capabilities['ttlOf']>({
      type: 'string',
      enum: ['rrset', 'record', 'zone'],
      description: 'What has a TTL of its own; of `zone` it is changed at the provider alone',
      examples: ['rrset'],
    }),
    automaticTtl: Type.Boolean({ description: '`ttl: null`: the provider chooses it', examples: [false] }),
    writeUnit: Type.Unsafe<Capabilities['writeUnit']>({
      type: 'string',
      enum: ['record', 'rrset', 'zone'],
      description: 'What one write replaces; changes of one `zone` go one after another',
      examples: ['rrset'],
    }),
    disabledRecords: Type.Boolean({
      description: 'Records may be `enabled: false`: kept without being served',
      examples: [true],
    }),
    minTtl: Type.Integer({ examples: [1] }),
    maxTtl: Type.Integer({ examples: [2147483647] }),
    ttls: Type.Optional(
      Type.Array(Type.Integer(), {
        description: 'The only TTLs that it takes, seconds; missing: all from `minTtl` to `maxTtl`',
        examples: [[300, 3600, 86_400]],
      }),
    ),
    defaultTtl: Type.Integer({
      description: 'What it gives records of which no TTL is said, seconds',
      examples: [3600],
    }),
    ttlByPlan: Type.Boolean({
      description: 'How low a TTL may be depends on the plan of the account; `minTtl` is the lowest of all',
      examples: [false],
    }),
    txt: Type.Object(
      {
        maxLength: Type.Integer({ description: 'Bytes of all strings together', examples: [2048] }),
        strings: Type.Boolean({ description: 'Keeps the bounds between strings', examples: [true] }),
        beyondAscii: Type.Boolean({ examples: [true] }),
        without: Type.Array(Type.String(), {
          description: 'Characters that it does not take',
          examples: [[]],
        }),
      },
      { description: 'What TXT records can hold there' },
    ),
    wildcards: Type.Boolean({ examples: [true] }),
    underscores: Type.Boolean({
      description: 'Labels that begin with `_` are taken for every type',
      examples: [true],
    }),
    nullMx: Type.Boolean({ description: 'Takes `0 .` as MX (RFC 7505)', examples: [true] }),
    apexCname: Type.Boolean({ examples: [false] }),
    apexAlias: Type.Boolean({ description: 'Takes ALIAS or ANAME at the apex', examples: [true] }),
    apexNs: Type.Boolean({ description: 'NS at the apex may be changed', examples: [true] }),
    createZone: Type.Boolean({ examples: [true] }),
    zoneNameServers: Type.Boolean({
      description: 'Creating a zone needs `nameServers` of the configuration',
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
      description: '`local` where there is no upstream',
      examples: ['provider'],
    }),
  }),
})

export const Catalogue = Type.Object({ providers: Type.Array(CatalogueEntry) })

const NameServers = Type.Array(Type.String({ minLength: 1, maxLength: 254, examples: ['ns1.example.net'] }), {
  maxItems: 13,
  description: 'Full names, for zones that are created with it; the first is the primary of their SOA',
  examples: [['ns1.example.net', 'ns2.example.net']],
})

const Hostmaster = Nullable(
  Type.String({
    maxLength: 254,
    description: 'Mail address in the SOA of zones that are created with it; null: hostmaster at the zone',
    examples: ['hostmaster@example.net'],
  }),
)

const Breaker = Type.Object(
  {
    state: Type.Unsafe<'closed' | 'open'>({
      type: 'string',
      enum: ['closed', 'open'],
      description:
        '`open`: it could not be reached several times in a row, and calls fail at once with `Retry-After` until the next try',
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
        description: 'Whose it is, where an administrator makes it for another',
      }),
    ),
    nameServers: Type.Optional(NameServers),
    hostmaster: Type.Optional(Hostmaster),
  },
  named('NewProviderConfig'),
)

const ChangedCredentials = Type.Record(
  Type.String({ maxLength: 100 }),
  Nullable(Type.String({ maxLength: 8192, examples: ['a-long-random-key'] })),
  {
    maxProperties: 20,
    description: 'What is missing, empty or masked stays; null removes what is optional',
    examples: [{ apiKey: 'another-long-random-key' }],
  },
)

export const UpdateConfigBody = Type.Partial(
  Type.Object({
    name: Name,
    credentials: ChangedCredentials,
    nameServers: NameServers,
    hostmaster: Hostmaster,
  }),
)

export const TestReport = Type.Object(
  {
    success: Type.Boolean({ examples: [true] }),
    code: Nullable({ ...ErrorCode, examples: [null] }),
    error: Nullable(
      Type.String({ description: 'Why not, such as that the key was refused', examples: [null] }),
    ),
  },
  named('ProviderConfigTest'),
)
