import { Type, type Static } from '@sinclair/typebox'
import type { RecordData } from '../../dns/types/index.ts'
import { RecordType } from './record-type.ts'
import { Nullable, OneOf, Timestamp, Uuid } from '../scalars.ts'
import { named } from '../named.ts'

const RecordStatus = OneOf(['active', 'pending', 'failed'], {
  ...named('RecordStatus'),
  description:
    '`pending`: sent to the provider but not confirmed yet; `failed`: the last change could not be confirmed; sync to see the current state',
})
type RecordStatus = Static<typeof RecordStatus>

/** Data of a record by field name. */
export const Fields = Type.Unsafe<RecordData>({
  ...named('RecordData'),
  type: 'object',
  additionalProperties: true,
  maxProperties: 100,
  examples: [{ address: '192.0.2.10' }],
})

export const ShownTtl = Nullable(
  Type.Integer({ description: 'Seconds; null where the provider chooses', examples: [300] }),
)

export const ShownRouting = Nullable(
  Type.Object(
    {
      key: Type.String({
        description: 'Identifies the RRset among those with the same name and type',
        examples: ['default'],
      }),
      line: Type.Optional(Type.String({ examples: ['telecom'] })),
      weight: Type.Optional(Type.Number({ examples: [10] })),
      setIdentifier: Type.Optional(Type.String({ examples: ['eu-west'] })),
      region: Type.Optional(Type.String({ examples: ['eu-west-1'] })),
    },
    {
      ...named('Routing'),
      description:
        'Set where the provider answers with one of several RRsets, by line, weight or region; null where there is only one',
      examples: [null],
    },
  ),
)

export const DnsRecord = Type.Object(
  {
    id: Uuid,
    domainId: Uuid,
    recordType: RecordType,
    name: Type.String({ description: 'Relative to the zone; `@` for the apex', examples: ['www'] }),
    unicodeName: Type.String({ examples: ['www'] }),
    value: Type.String({ description: 'Canonical form', examples: ['192.0.2.10'] }),
    strings: Type.Optional(
      Type.Array(Type.String(), {
        description: 'For TXT records not split into strings of 255 bytes: the strings, each in value syntax',
      }),
    ),
    data: Type.Optional(
      Type.Unsafe<RecordData>({
        ...Fields,
        description: 'Fields of the value, as described by `GET /api/record-types`; in lists only on request',
      }),
    ),
    ttl: ShownTtl,
    priority: Nullable(Type.Integer({ description: 'MX and SRV only', examples: [null] })),
    proxied: Type.Boolean({ examples: [false] }),
    enabled: Type.Boolean({ description: 'False: stored but not published', examples: [true] }),
    comment: Type.String({ description: 'Not published', examples: ['the shop'] }),
    routing: ShownRouting,
    status: RecordStatus,
    version: Type.Integer({ description: 'Increases with each change; for `If-Match`', examples: [1] }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'DnsRecord' },
)
export type DnsRecord = Static<typeof DnsRecord>

/** A record that conflicts with a change, with what a client needs to decide. */
export const RecordSnapshot = Type.Object(
  {
    id: Uuid,
    recordType: RecordType,
    name: DnsRecord.properties.name,
    value: DnsRecord.properties.value,
    strings: DnsRecord.properties.strings,
    ttl: DnsRecord.properties.ttl,
    priority: DnsRecord.properties.priority,
    proxied: DnsRecord.properties.proxied,
    enabled: DnsRecord.properties.enabled,
    comment: DnsRecord.properties.comment,
    routing: DnsRecord.properties.routing,
    version: DnsRecord.properties.version,
  },
  { $id: 'RecordSnapshot' },
)
export type RecordSnapshot = Static<typeof RecordSnapshot>
