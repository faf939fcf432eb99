import { Type } from '@sinclair/typebox'
import { Order, PageEnvelope, PageQuery } from '../../schemas/paging.ts'
import { DnsRecord } from '../../schemas/record.ts'
import { RecordType } from '../../schemas/record-type.ts'
import { ref } from '../../schemas/ref.ts'
import { Nullable, Timestamp, Uuid } from '../../schemas/scalars.ts'

/** Records in one bulk call, changes in one plan. */
export const MAX_BULK = 100
export const MAX_CHANGES = 1_000

/** Of a zone file, which may be larger than other bodies. */
export const MAX_ZONEFILE_BYTES = 5 * 1024 * 1024

const MAX_TTL = 2_147_483_647

const Name = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Host part, `@` for the apex; a full name under the domain is shortened',
  examples: ['www'],
})
const Value = Type.String({
  maxLength: 4096,
  description: 'As its type says: MX "10 mail.example.com", SRV "priority weight port target", TXT unquoted',
  examples: ['192.0.2.10'],
})
const Ttl = Type.Integer({
  minimum: 0,
  maximum: MAX_TTL,
  description: 'Seconds; 0 or missing: that of the RRset, else the default of the domain',
  examples: [300],
})
const Priority = Nullable(
  Type.Integer({
    minimum: 0,
    maximum: 65535,
    description: "Of MX and SRV: instead of the value's first number, or the same",
    examples: [null],
  }),
)
const Proxied = Type.Boolean({ description: 'Only where the provider can', examples: [false] })

const recordFields = {
  ttl: Type.Optional(Ttl),
  priority: Type.Optional(Priority),
  proxied: Type.Optional(Proxied),
}

export const CreateBody = Type.Object({ recordType: RecordType, name: Name, value: Value, ...recordFields })

export const UpdateBody = Type.Partial(
  Type.Object({
    recordType: RecordType,
    name: Name,
    value: Value,
    ttl: Ttl,
    priority: Priority,
    proxied: Proxied,
    version: Type.Integer({ minimum: 1, description: 'Refused with 409 when out of date', examples: [1] }),
  }),
)

export const RecordParams = Type.Object({ id: Uuid, recordId: Uuid })

export const IfMatchHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      pattern: '^(\\*|(W/)?"?[0-9]{1,9}"?)$',
      description: 'The version of the record that the change is meant for',
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
  { ...DnsRecord.properties, warnings: Warnings },
  { $id: 'ChangedRecord' },
)

export const SORTS = ['name', 'type', 'createdAt'] as const
export type Sort = (typeof SORTS)[number]

export const ListQuery = Type.Object({
  ...PageQuery(50),
  type: Type.Optional(RecordType),
  search: Type.Optional(
    Type.String({ maxLength: 253, description: 'Part of the host name', examples: ['www'] }),
  ),
  sort: Type.Unsafe<Sort>({ type: 'string', enum: [...SORTS], default: 'name', examples: ['name'] }),
  order: Order,
})

export const RecordPage = Type.Object({ records: Type.Array(ref(DnsRecord)), ...PageEnvelope })

const EXAMPLE = { recordType: 'A', name: 'www', value: '192.0.2.10', ttl: 300 }

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
      error: Type.Optional(
        Type.String({ description: 'When it failed', examples: ['www A 192.0.2.10 is there already'] }),
      ),
      warnings: Type.Optional(Warnings),
    }),
  ),
  total: Type.Integer({ description: 'Entries submitted', examples: [1] }),
  succeeded: Type.Integer({ examples: [1] }),
})

export const SyncQuery = Type.Object({
  dryRun: Type.Boolean({ default: false, description: 'Only answer the difference', examples: [false] }),
  force: Type.Boolean({
    default: false,
    description: 'Also when it deletes more than 30 % of a domain of 10 records or more',
    examples: [false],
  }),
})

const Content = Type.Object({
  name: Type.String({ examples: ['www'] }),
  recordType: RecordType,
  value: Type.String({ examples: ['192.0.2.10'] }),
  ttl: Type.Integer({ examples: [300] }),
  priority: Nullable(Type.Integer({ examples: [null] })),
  proxied: Type.Boolean({ examples: [false] }),
})
const ContentOrNone = Nullable(Content)

const counts = {
  created: Type.Integer({ examples: [1] }),
  updated: Type.Integer({ examples: [0] }),
  deleted: Type.Integer({ examples: [0] }),
}

export const SyncAnswer = Type.Object({
  synced: Type.Integer({ description: 'Records at the provider that were compared', examples: [12] }),
  ...counts,
  unchanged: Type.Integer({ examples: [11] }),
  skipped: Type.Integer({ description: 'Records of types that are not managed here', examples: [1] }),
  dryRun: Type.Boolean({ examples: [false] }),
  difference: Type.Object(
    {
      created: Type.Array(Content),
      updated: Type.Array(Type.Object({ before: Content, after: Content })),
      deleted: Type.Array(Content),
    },
    { description: 'The first 100 of each' },
  ),
})

/** One wish: create, update or delete. Which fields it needs depends on the action. */
const Change = Type.Object({
  action: Type.Unsafe<'create' | 'update' | 'delete'>({
    type: 'string',
    enum: ['create', 'update', 'delete'],
    examples: ['create'],
  }),
  recordId: Type.Optional(Type.Unsafe<string>({ ...Uuid, description: 'With update and delete' })),
  recordType: Type.Optional(RecordType),
  name: Type.Optional(Name),
  value: Type.Optional(Value),
  ...recordFields,
  version: Type.Optional(Type.Integer({ minimum: 1, examples: [1] })),
})

export const ChangesBody = Type.Object({
  changes: Type.Array(Change, {
    minItems: 1,
    maxItems: MAX_CHANGES,
    examples: [[{ action: 'create', ...EXAMPLE }]],
  }),
})

const PlannedChange = Type.Object({
  index: Nullable(Type.Integer({ description: 'Which of the changes asked for it', examples: [0] })),
  recordId: Uuid,
  before: ContentOrNone,
  after: ContentOrNone,
})

export const PlanAnswer = Type.Object(
  {
    creates: Type.Array(PlannedChange),
    updates: Type.Array(PlannedChange),
    deletes: Type.Array(PlannedChange),
    conflicts: Type.Array(
      Type.Object({
        index: Type.Integer({ examples: [1] }),
        kind: Type.String({
          description: '`invalid`, `conflict`, `not_found`, `outdated` or `forbidden`',
          examples: ['conflict'],
        }),
        detail: Type.String({ examples: ['www A 192.0.2.10 is there already'] }),
        recordId: Nullable(Uuid),
      }),
    ),
    warnings: Type.Array(
      Type.Object({
        index: Nullable(Type.Integer({ examples: [0] })),
        message: Type.String({ examples: ['All A records of www have one TTL: it is now 300'] }),
      }),
    ),
    applied: Type.Boolean({ description: 'Whether it was done', examples: [false] }),
    changeId: Nullable(Uuid),
  },
  { $id: 'Plan' },
)

const ChangeItem = Type.Object({
  action: Type.String({ examples: ['create'] }),
  recordId: Uuid,
  before: ContentOrNone,
  after: ContentOrNone,
  outcome: Type.String({ description: '`pending`, `applied` or `failed`', examples: ['applied'] }),
  error: Nullable(Type.String({ examples: [null] })),
})

export const HistoryEntry = Type.Object(
  {
    id: Uuid,
    source: Type.String({
      description: '`single`, `bulk`, `apply`, `import`, `revert`, `restore` or `sync`',
      examples: ['single'],
    }),
    status: Type.String({
      description: '`pending`, `applied`, `partial` or `failed`',
      examples: ['applied'],
    }),
    actor: Type.Object({ id: Nullable(Uuid), name: Type.String({ examples: ['admin'] }) }),
    createdAt: Timestamp,
    settledAt: Nullable(Timestamp),
    itemCount: Type.Integer({ examples: [1] }),
    items: Type.Array(ChangeItem, { description: 'The first 100' }),
  },
  { $id: 'Change' },
)

export const HistoryQuery = Type.Object(PageQuery(20))

export const ChangePage = Type.Object({ changes: Type.Array(ref(HistoryEntry)), ...PageEnvelope })

export const ChangeParams = Type.Object({ id: Uuid, changeId: Uuid })

export const RestoreBody = Type.Object({
  at: Type.Unsafe<string>({ ...Timestamp, description: 'The moment to go back to' }),
  apply: Type.Boolean({
    default: false,
    description: 'Do it, instead of only answering the plan',
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
})

export const ImportZoneAnswer = Type.Object({
  plan: Type.Unsafe<object>({ $ref: 'Plan#' }),
  skipped: Type.Array(
    Type.Object({
      line: Type.Integer({ examples: [3] }),
      type: Type.String({ examples: ['SOA'] }),
      name: Type.String({ examples: ['@'] }),
      reason: Type.String({ examples: ['SOA records are not managed here'] }),
    }),
  ),
})

export const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 253,
    description:
      'Part of a host name or value, a full name, or an address; up to two characters: the host name itself',
    examples: ['192.0.2.10'],
  }),
  ...PageQuery(50),
})

export const SearchAnswer = Type.Object({
  records: Type.Array(
    Type.Object({ ...DnsRecord.properties, domainName: Type.String({ examples: ['example.com'] }) }),
  ),
  ...PageEnvelope,
})

export const ImportDomainsBody = Type.Object({
  providerConfigId: Uuid,
  zones: Type.Array(Type.String({ minLength: 1, maxLength: 253, examples: ['example.com'] }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
  }),
})

export const ImportDomainsAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      zone: Type.String({ examples: ['example.com'] }),
      success: Type.Boolean({ examples: [true] }),
      domainId: Nullable(Uuid),
      synced: Nullable(Type.Integer({ examples: [12] })),
      error: Nullable(Type.String({ examples: [null] })),
    }),
  ),
  total: Type.Integer({ examples: [1] }),
  succeeded: Type.Integer({ examples: [1] }),
})
