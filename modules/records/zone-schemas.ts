import { Type } from '@sinclair/typebox'
import { named } from '../../schemas/named.ts'
import { PageEnvelope, PageQuery } from '../../schemas/paging.ts'
import { ReasonCode, ReasonParams, ToldProblem } from '../../schemas/problem.ts'
import { RecordType } from '../../schemas/record-type.ts'
import { Nullable, Uuid } from '../../schemas/scalars.ts'
import { Keep } from './change-schemas.ts'

/** Of a zone file, which may be larger than other bodies. */
export const MAX_ZONEFILE_BYTES = 5 * 1024 * 1024

export const SyncQuery = Type.Object({
  dryRun: Type.Boolean({ default: false, description: 'Only answer the difference', examples: [false] }),
  force: Type.Boolean({
    default: false,
    description: 'Also when it deletes more than 30 % of a domain of 10 records or more',
    examples: [false],
  }),
})

export const ImportZoneBody = Type.Object({
  zonefile: Type.String({
    maxLength: MAX_ZONEFILE_BYTES,
    description: 'A master file (RFC 1035 section 5)',
    examples: ['www 300 IN A 192.0.2.10\n'],
  }),
  mode: Type.Unsafe<'merge' | 'replace'>({
    type: 'string',
    enum: ['merge', 'replace'],
    default: 'merge',
    description: '`merge` only adds and updates; `replace` also deletes what the file does not have',
    examples: ['merge'],
  }),
  dryRun: Type.Boolean({ default: false, examples: [true] }),
  keep: Keep,
  listRecords: Type.Boolean({
    default: false,
    description:
      'With `dryRun` or `keep`: `records` of the answer has the records of the file as they were read',
    examples: [false],
  }),
})

const ZoneFileRecord = Type.Object(
  {
    line: Type.Integer({ description: 'In which it begins', examples: [3] }),
    name: Type.String({ examples: ['www'] }),
    recordType: RecordType,
    value: Type.String({ description: 'In canonical form', examples: ['192.0.2.10'] }),
    ttl: Nullable(
      Type.Integer({ description: 'Seconds; null: the file says nothing about it', examples: [300] }),
    ),
    proxied: Type.Optional(Type.Boolean({ examples: [false] })),
  },
  named('ZoneFileRecord'),
)

export const ImportZoneAnswer = Type.Object(
  {
    plan: Type.Unsafe<object>({ $ref: 'Plan#' }),
    skipped: Type.Array(
      Type.Object({
        line: Type.Integer({ examples: [3] }),
        type: Type.String({ examples: ['SOA'] }),
        name: Type.String({ examples: ['@'] }),
        reason: Type.String({ examples: ["The SOA is the provider's own"] }),
        code: Type.Unsafe<string>({ ...ReasonCode, examples: ['soa_of_provider'] }),
        params: Type.Optional(ReasonParams),
      }),
    ),
    records: Type.Optional(
      Type.Array(ZoneFileRecord, {
        description: 'Where `listRecords` asked for them; with those that are there already',
      }),
    ),
  },
  named('ZoneImport'),
)

export const ImportDomainsBody = Type.Object({
  providerConfigId: Uuid,
  zones: Type.Array(Type.String({ minLength: 1, maxLength: 253, examples: ['example.com'] }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
  }),
  zoneIds: Type.Optional(
    Type.Record(Type.String({ maxLength: 253 }), Type.String({ minLength: 1, maxLength: 500 }), {
      maxProperties: 100,
      description: 'By the name in `zones`: which of several zones of that name it is',
      examples: [{ 'example.com': 'Z2FDTNDATAQYW2' }],
    }),
  ),
})

export const ImportDomainsAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      zone: Type.String({ examples: ['example.com'] }),
      success: Type.Boolean({ examples: [true] }),
      domainId: Nullable(Uuid),
      synced: Nullable(Type.Integer({ examples: [12] })),
      unmanaged: Nullable(
        Type.Integer({ description: 'Records of types that are not managed here', examples: [0] }),
      ),
      error: Nullable(Type.String({ examples: [null] })),
      problem: Nullable({ ...ToldProblem, examples: [null] }),
    }),
  ),
  total: Type.Integer({ examples: [1] }),
  succeeded: Type.Integer({ examples: [1] }),
})

export const UnmanagedQuery = Type.Object(PageQuery(50))

export const UnmanagedPage = Type.Object({
  records: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['4'] }),
      recordType: Type.String({ examples: ['PTR'] }),
      ttl: Type.Integer({ examples: [3600] }),
      value: Type.String({ description: "In the provider's words", examples: ['host.example.com.'] }),
    }),
  ),
  ...PageEnvelope,
})
