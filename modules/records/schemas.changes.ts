import { Type } from '@sinclair/typebox'
import { PageEnvelope, PageQuery } from '../../schemas/paging.ts'
import { RecordType } from '../../schemas/record-type.ts'
import { ref } from '../../schemas/ref.ts'
import { FieldError } from '../../schemas/problem.ts'
import { RecordSnapshot } from '../../schemas/record.ts'
import { Nullable, Timestamp, Uuid } from '../../schemas/scalars.ts'
import { EXAMPLE, Name, recordFields, Value } from './schemas.ts'

/** Changes in one plan. */
export const MAX_CHANGES = 1_000

export const Content = Type.Object({
  name: Type.String({ examples: ['www'] }),
  recordType: RecordType,
  value: Type.String({ examples: ['192.0.2.10'] }),
  strings: Type.Optional(Type.Array(Type.String({ examples: ['txtvers=1'] }))),
  ttl: Type.Integer({ examples: [300] }),
  priority: Nullable(Type.Integer({ examples: [null] })),
  proxied: Type.Boolean({ examples: [false] }),
  enabled: Type.Boolean({ examples: [true] }),
  comment: Type.String({ examples: ['the shop'] }),
})
const ContentOrNone = Nullable(Content)

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
        errors: Type.Optional(
          Type.Array(ref(FieldError), {
            description: 'With `invalid`: what is wrong where; paths within the change, such as `/value`',
          }),
        ),
        current: Type.Optional(
          Type.Unsafe<RecordSnapshot>({
            ...ref(RecordSnapshot),
            description: 'With `outdated`: the record as it is now',
          }),
        ),
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

export const RevertQuery = Type.Object({
  dryRun: Type.Boolean({ default: false, description: 'Only answer the plan', examples: [false] }),
})

export const RestoreBody = Type.Object({
  at: Type.Unsafe<string>({ ...Timestamp, description: 'The moment to go back to' }),
  apply: Type.Boolean({
    default: false,
    description: 'Do it, instead of only answering the plan',
    examples: [false],
  }),
})
