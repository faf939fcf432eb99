import { Type, type Static } from '@sinclair/typebox'
import type { RecordData } from '../dns/types/index.ts'
import { RecordType } from './record-type.ts'
import { Nullable, Timestamp, Uuid } from './scalars.ts'
import { named } from './named.ts'

const RecordStatus = Type.Unsafe<'active' | 'pending' | 'failed'>({
  ...named('RecordStatus'),
  type: 'string',
  enum: ['active', 'pending', 'failed'],
  description:
    '`pending`: sent to the provider and not confirmed yet; `failed`: the last change could not be confirmed, a sync tells the truth',
  examples: ['active'],
})
type RecordStatus = Static<typeof RecordStatus>

/** The data of a record by the names of its fields. */
export const Fields = Type.Unsafe<RecordData>({
  ...named('RecordData'),
  type: 'object',
  additionalProperties: true,
  maxProperties: 100,
  examples: [{ address: '192.0.2.10' }],
})

/** Seconds, or what the provider chooses. */
export const ShownTtl = Nullable(
  Type.Integer({ description: 'Seconds; null: the provider chooses', examples: [300] }),
)

/** Which of several RRsets of one name and type. */
export const ShownRouting = Nullable(
  Type.Object(
    {
      key: Type.String({ description: 'Tells the sets of one name and type apart', examples: ['default'] }),
      line: Type.Optional(Type.String({ examples: ['telecom'] })),
      weight: Type.Optional(Type.Number({ examples: [10] })),
      setIdentifier: Type.Optional(Type.String({ examples: ['eu-west'] })),
      region: Type.Optional(Type.String({ examples: ['eu-west-1'] })),
    },
    {
      ...named('Routing'),
      description:
        'Where the provider answers with one of several sets, by line, weight or region; null: there is one',
      examples: [null],
    },
  ),
)

export const DnsRecord = Type.Object(
  {
    id: Uuid,
    domainId: Uuid,
    recordType: RecordType,
    name: Type.String({ description: 'Host part, `@` for the apex', examples: ['www'] }),
    unicodeName: Type.String({ examples: ['www'] }),
    value: Type.String({ description: 'In canonical form', examples: ['192.0.2.10'] }),
    strings: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Of a TXT whose strings are not the plain ones of 255 bytes; each as a value is written',
      }),
    ),
    data: Type.Optional(
      Type.Unsafe<RecordData>({
        ...Fields,
        description:
          'The fields of the value, as `GET /api/record-types` describes them; in lists only when asked for',
      }),
    ),
    ttl: ShownTtl,
    priority: Nullable(Type.Integer({ description: 'Of MX and SRV', examples: [null] })),
    proxied: Type.Boolean({ examples: [false] }),
    enabled: Type.Boolean({ description: 'Not so: kept without being published', examples: [true] }),
    comment: Type.String({ description: 'For people; not published', examples: ['the shop'] }),
    routing: ShownRouting,
    status: RecordStatus,
    version: Type.Integer({ description: 'Rises with each change; for If-Match', examples: [1] }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'DnsRecord' },
)
export type DnsRecord = Static<typeof DnsRecord>

/** A record that stands against a change, as far as a client needs it to decide. */
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
