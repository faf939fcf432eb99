import { Type } from '@sinclair/typebox'
import type { RecordData } from '../../dns/types/index.ts'
import { named } from '../../schemas/named.ts'
import { laterFields } from '../../schemas/records/later.ts'
import { Fields } from '../../schemas/records/record.ts'
import { RecordType } from '../../schemas/records/record-type.ts'
import { Nullable, Uuid } from '../../schemas/scalars.ts'

/** Size of a body with one or many records; synced values may be long and are sent back whole. */
export const MAX_RECORDS_BYTES = 1024 * 1024

const MAX_TTL = 2_147_483_647

export const Name = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Name relative to the zone, `@` for the apex. A full name within the domain is shortened',
  examples: ['www'],
})

/** Characters of a value. Synced values may be as long as DNS allows, and are sent back with other fields. */
export const MAX_VALUE = 300_000

export const Value = Type.String({
  maxLength: MAX_VALUE,
  description:
    'Value in the format of its type: MX "10 mail.example.com", SRV "priority weight port target", TXT unquoted',
  examples: ['192.0.2.10'],
})

const Strings = Type.Array(Type.String({ maxLength: 1100, examples: ['txtvers=1'] }), {
  minItems: 1,
  maxItems: 65_535,
  description: 'Instead of the value of a TXT record: its strings of at most 255 bytes each',
})

const Data = Type.Unsafe<RecordData>({
  ...Fields,
  description: 'Instead of the value: its fields as described by `GET /api/record-types`',
})

const Ttl = Nullable(
  Type.Integer({
    minimum: 0,
    maximum: MAX_TTL,
    description:
      'Seconds. 0 or missing: the TTL of the RRset, else the default of the domain. Null: the provider chooses, if it supports that',
    examples: [300],
  }),
)

const RoutingKey = Nullable(
  Type.Object(
    { key: Type.String({ maxLength: 500, examples: ['default'] }) },
    { ...named('RoutingKey'), description: 'Selects one of several existing RRsets of that name and type' },
  ),
)

const Priority = Nullable(
  Type.Integer({
    minimum: 0,
    maximum: 65535,
    description: "Of MX and SRV: instead of the value's first number, or the same",
    examples: [null],
  }),
)

const Proxied = Type.Boolean({ description: 'Only if the provider offers a proxy', examples: [false] })

const Enabled = Type.Boolean({
  description: 'False keeps the record without publishing it; only with `capabilities.disabledRecords`',
  examples: [true],
})

/** Characters of a comment. */
export const MAX_COMMENT = 500

const Comment = Type.String({
  maxLength: MAX_COMMENT,
  description: 'A note for people; not published in DNS',
  examples: ['the shop'],
})

export const recordFields = {
  strings: Type.Optional(Strings),
  data: Type.Optional(Data),
  ttl: Type.Optional(Ttl),
  priority: Type.Optional(Priority),
  proxied: Type.Optional(Proxied),
  enabled: Type.Optional(Enabled),
  comment: Type.Optional(Comment),
  routing: Type.Optional(RoutingKey),
}

export const EXAMPLE = { recordType: 'A', name: 'www', value: '192.0.2.10', ttl: 300 }

/** Fields of a new record. */
export const NewRecord = Type.Object({
  recordType: RecordType,
  name: Name,
  value: Type.Optional(Value),
  ...recordFields,
})

/** Fields of a record that is changed; those that are missing stay. */
export const RecordUpdate = Type.Partial(
  Type.Object({
    recordType: RecordType,
    name: Name,
    value: Value,
    strings: Strings,
    data: Data,
    ttl: Ttl,
    priority: Priority,
    proxied: Proxied,
    enabled: Enabled,
    comment: Comment,
    routing: RoutingKey,
    version: Type.Integer({
      minimum: 1,
      description: 'Refused with 409 if the record has another version',
      examples: [1],
    }),
  }),
)

export const CreateBody = Type.Object({ ...NewRecord.properties, ...laterFields }, named('CreateRecord'))
export const UpdateBody = Type.Object({ ...RecordUpdate.properties, ...laterFields }, named('UpdateRecord'))

export const RecordParams = Type.Object({ id: Uuid, recordId: Uuid })

/** Asks to keep the plan. */
export const Keep = Type.Boolean({
  default: false,
  description:
    'Only plan, and keep the plan for an hour. Apply it with its `planId` and `applyRecords`: once, by the same user or token, and only while it would still do the same',
  examples: [false],
})
