import { Type } from '@sinclair/typebox'
import type { RecordData } from '../../dns/types/index.ts'
import { named } from '../../schemas/named.ts'
import { Fields } from '../../schemas/record.ts'
import { RecordType } from '../../schemas/record-type.ts'
import { Nullable, Uuid } from '../../schemas/scalars.ts'

/** Of a body with one record or many: a value that was synced may be long, and comes back whole. */
export const MAX_RECORDS_BYTES = 1024 * 1024

const MAX_TTL = 2_147_483_647

export const Name = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Host part, `@` for the apex; a full name under the domain is shortened',
  examples: ['www'],
})

export const Value = Type.String({
  // What was synced may be as long as DNS has it, and comes back with other fields.
  maxLength: 300_000,
  description: 'As its type says: MX "10 mail.example.com", SRV "priority weight port target", TXT unquoted',
  examples: ['192.0.2.10'],
})

const Strings = Type.Array(Type.String({ maxLength: 1100, examples: ['txtvers=1'] }), {
  minItems: 1,
  maxItems: 65_535,
  description: 'Of a TXT, instead of the value: its strings, of at most 255 bytes each',
})

const Data = Type.Unsafe<RecordData>({
  ...Fields,
  description: 'Instead of the value: its fields, as `GET /api/record-types` describes them',
})

const Ttl = Nullable(
  Type.Integer({
    minimum: 0,
    maximum: MAX_TTL,
    description:
      'Seconds; 0 or missing: that of the RRset, else the default of the domain; null: the provider chooses, where it can',
    examples: [300],
  }),
)

const RoutingKey = Nullable(
  Type.Object(
    { key: Type.String({ maxLength: 500, examples: ['default'] }) },
    { ...named('RoutingKey'), description: 'Which of several sets of that name and type; it must be there' },
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

const Proxied = Type.Boolean({ description: 'Only where the provider can', examples: [false] })

const Enabled = Type.Boolean({
  description: 'Not so: kept without being published; only where `capabilities.disabledRecords`',
  examples: [true],
})

const Comment = Type.String({
  maxLength: 500,
  description: 'For people; kept here and not published',
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

export const CreateBody = Type.Object(
  {
    recordType: RecordType,
    name: Name,
    value: Type.Optional(Value),
    ...recordFields,
  },
  named('CreateRecord'),
)

export const UpdateBody = Type.Partial(
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
    version: Type.Integer({ minimum: 1, description: 'Refused with 409 when out of date', examples: [1] }),
  }),
  named('UpdateRecord'),
)

export const RecordParams = Type.Object({ id: Uuid, recordId: Uuid })

/** What a body or query says to have its plan kept. */
export const Keep = Type.Boolean({
  default: false,
  description:
    'Only plan, and keep the plan for an hour: `planId` in the answer is what `applyRecords` does it by. Whoever makes the plan can apply it, once, and only while it would do the same',
  examples: [false],
})
