import { Type } from '@sinclair/typebox'
import type { RecordData } from '../../dns/types/index.ts'
import { CursorQuery, NextCursor, Order, PageEnvelope, PageQuery } from '../../schemas/paging.ts'
import { DnsRecord, Fields } from '../../schemas/record.ts'
import { MAX_TYPES, RecordType } from '../../schemas/record-type.ts'
import { ref } from '../../schemas/ref.ts'
import { Nullable, Uuid } from '../../schemas/scalars.ts'
import { named } from '../../schemas/named.ts'

/** Records in one bulk call. */
export const MAX_BULK = 100
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

export const IfMatchHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      description: 'The `version` of the record that the change is meant for, or the `ETag` of `getRecord`',
      examples: ['"1"'],
    }),
  ),
})

const Warnings = Type.Array(
  Type.String({ examples: ['www CNAME app points to app, which this zone does not have'] }),
  {
    description: 'Allowed, and most likely not meant',
  },
)

export const RecordAnswer = Type.Object(
  {
    ...DnsRecord.properties,
    warnings: Warnings,
    changeId: { ...Nullable(Uuid), description: 'The change in the history; null when nothing changed' },
  },
  { $id: 'ChangedRecord' },
)

const SORTS = ['name', 'type', 'createdAt'] as const
export type Sort = (typeof SORTS)[number]

/** What a search of a list looks into. */
const SEARCHED = ['name', 'value', 'name,value'] as const
export type Searched = (typeof SEARCHED)[number]

/** Records of one page: those of a large zone in ten calls. */
const MAX_PAGE = 1_000

const { page, limit } = PageQuery(50)

export const ListQuery = Type.Object({
  page: Type.Unsafe<number>({ ...page, description: 'Ignored with `cursor`' }),
  limit: Type.Unsafe<number>({ ...limit, maximum: MAX_PAGE }),
  ...CursorQuery,
  type: Type.Optional(
    Type.Array(RecordType, {
      maxItems: MAX_TYPES,
      uniqueItems: true,
      description: 'Several may be given, each by a parameter of its own: `type=A&type=AAAA`',
      examples: [['A']],
    }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 253,
      description: 'Part of the host name, or of what `in` says',
      examples: ['www'],
    }),
  ),
  in: Type.Unsafe<Searched>({
    ...named('SearchedIn'),
    type: 'string',
    enum: [...SEARCHED],
    default: 'name',
    description: 'What `search` looks into: host names, values, or both',
    examples: ['name'],
  }),
  data: Type.Optional(
    Type.Boolean({
      description: 'With the fields of each value in `data`',
      default: false,
      examples: [false],
    }),
  ),
  sort: Type.Unsafe<Sort>({
    ...named('RecordSort'),
    type: 'string',
    enum: [...SORTS],
    default: 'name',
    examples: ['name'],
  }),
  order: Order,
})

export const RecordPage = Type.Object(
  {
    records: Type.Array(ref(DnsRecord)),
    ...PageEnvelope,
    ...NextCursor,
    recordsVersion: Type.Integer({
      description: 'As of the domain: pages of different versions do not belong together',
      examples: [7],
    }),
  },
  named('RecordPage'),
)

/** The answer to a deletion. */
export const Deleted = Type.Null({
  description: 'Deleted',
  headers: {
    'change-id': {
      description: 'The change in the history',
      schema: { type: 'string', format: 'uuid' },
    },
  },
})

export const EXAMPLE = { recordType: 'A', name: 'www', value: '192.0.2.10', ttl: 300 }

export const BulkBody = Type.Object({
  // Each entry is judged on its own, so a wrong one must not fail the whole call here.
  records: Type.Array(
    Type.Unsafe<unknown>({ description: 'As the body of createRecord', examples: [EXAMPLE] }),
    {
      minItems: 1,
      maxItems: MAX_BULK,
    },
  ),
})

export const BulkAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      success: Type.Boolean({ examples: [true] }),
      recordType: Nullable(Type.String({ examples: ['A'] })),
      name: Nullable(Type.String({ examples: ['www'] })),
      id: Type.Optional(Uuid),
      error: Type.Optional(Type.String({ description: 'Why it was not done' })),
      warnings: Type.Optional(Warnings),
    }),
  ),
  total: Type.Integer({ description: 'Entries submitted', examples: [1] }),
  succeeded: Type.Integer({ examples: [1] }),
  changeId: {
    ...Nullable(Uuid),
    description: 'The change in the history; null when no entry could be attempted',
  },
})

export const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 253,
    description:
      'Part of a host name or of a value, a full name, an address or how one begins, or a network such as `192.0.2.0/24`; up to two characters: the host name itself',
    examples: ['192.0.2.10'],
  }),
  page: Type.Unsafe<number>({ ...page, description: 'Ignored with `cursor`' }),
  limit,
  ...CursorQuery,
})

export const SearchAnswer = Type.Object({
  records: Type.Array(
    Type.Object({ ...DnsRecord.properties, domainName: Type.String({ examples: ['example.com'] }) }),
  ),
  ...PageEnvelope,
  ...NextCursor,
  complete: Type.Boolean({
    description: 'Not so: there are more than 1,000, of which these are some, and `total` is 1,000',
    examples: [true],
  }),
})
