import { Type } from '@sinclair/typebox'
import { named } from '../../../schemas/named.ts'
import { RecordType } from '../../../schemas/record-type.ts'
import { ReasonCode, ReasonParams } from '../../../schemas/problem.ts'
import { Nullable } from '../../../schemas/scalars.ts'
import { Keep } from '../schemas.ts'

/** Of a zone file, which may be larger than other bodies. */
export const MAX_ZONEFILE_BYTES = 5 * 1024 * 1024

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

const Format = Type.Unsafe<'bind'>({
  ...named('ZoneFormat'),
  type: 'string',
  enum: ['bind'],
  description:
    'A zone file (RFC 1035 section 5), the only form. The command line converts octoDNS YAML: `zonekeeper import` and `zonekeeper export`',
  examples: ['bind'],
})

export const ZoneQuery = Type.Object({ format: Type.Optional(Format) })

export const PutZoneQuery = Type.Object({
  format: Type.Optional(Format),
  apply: Type.Boolean({
    default: false,
    description: 'Do it, instead of only answering the plan',
    examples: [false],
  }),
  keep: Keep,
})

export const ZoneHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        'The `ETag` of the zone that the file was made from: 412 when its records were changed since',
      examples: ['"7.Vd2x0mU1"'],
    }),
  ),
})

/** The zone as a file. */
export const ZoneContent = {
  'text/dns': {
    schema: Type.String({ examples: ['$ORIGIN example.com.\n$TTL 3600\nwww\t300\tIN\tA\t192.0.2.10\n'] }),
  },
}
