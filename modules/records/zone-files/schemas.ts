import { Type } from '@sinclair/typebox'
import { named } from '../../../schemas/named.ts'
import { laterFields } from '../../../schemas/records/later.ts'
import { RecordType } from '../../../schemas/records/record-type.ts'
import { ReasonCode, ReasonParams } from '../../../schemas/problem.ts'
import { Nullable } from '../../../schemas/scalars.ts'
import { Keep } from '../schemas.ts'

/** Size of a zone file, which may be larger than other bodies. */
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
    description: '`merge` only adds and updates; `replace` also deletes records missing from the file',
    examples: ['merge'],
  }),
  dryRun: Type.Boolean({ default: false, examples: [true] }),
  keep: Keep,
  listRecords: Type.Boolean({
    default: false,
    description: 'With `dryRun` or `keep`: include the parsed records of the file as `records`',
    examples: [false],
  }),
  ...laterFields,
})

const ZoneFileRecord = Type.Object(
  {
    line: Type.Integer({ description: 'Line in which the record begins', examples: [3] }),
    name: Type.String({ examples: ['www'] }),
    recordType: RecordType,
    value: Type.String({ description: 'Value in canonical form', examples: ['192.0.2.10'] }),
    ttl: Nullable(
      Type.Integer({ description: 'Seconds; null if the file does not set it', examples: [300] }),
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
        description: 'With `listRecords`: all records of the file, including those that already exist',
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
    description: 'Apply the plan instead of only returning it',
    examples: [false],
  }),
  keep: Keep,
  ...laterFields,
})

export const ZoneHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'The `ETag` of the zone that the file is based on; 412 if its records have changed since',
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
