import { Type } from '@sinclair/typebox'
import type { ChangeSource } from '../../db/tables/index.ts'
import { Actor } from '../../schemas/people/user.ts'
import { provenance, provenanceFilters } from '../../schemas/origin.ts'
import { ChangeStatus, Content, PlanConflict } from '../../schemas/record-changes.ts'
import { CursorQuery, NextCursor, PageEnvelope, PageQuery } from '../../schemas/paging.ts'
import { RecordType } from '../../schemas/record-type.ts'
import { ref } from '../../schemas/ref.ts'
import { ErrorReason, ReasonCode, ReasonParams } from '../../schemas/problem.ts'
import { Nullable, Timestamp, Uuid } from '../../schemas/scalars.ts'
import { CreateBody, EXAMPLE, Name, UpdateBody, Value } from './schemas.ts'
import { named, shownAs, unionBy } from '../../schemas/named.ts'

/** Changes in one plan. */
export const MAX_CHANGES = 1_000

const ContentOrNone = Nullable(Content)

const Version = Type.Integer({
  minimum: 1,
  description: 'Refused as outdated when the record has another',
  examples: [1],
})
const existing = { recordId: Uuid, version: Type.Optional(Version) }
const Action = Type.Unsafe<'create' | 'update' | 'delete'>({
  ...named('ChangeAction'),
  type: 'string',
  enum: ['create', 'update', 'delete'],
  examples: ['create'],
})

/** What a plan is asked for. */
const WantedAction = Type.Unsafe<'create' | 'update' | 'delete' | 'set'>({
  ...named('WantedAction'),
  type: 'string',
  enum: ['create', 'update', 'delete', 'set'],
  examples: ['create'],
})

/** Values of one set. */
const MAX_VALUES = 200

const SetFields = {
  recordType: CreateBody.properties.recordType,
  name: CreateBody.properties.name,
  values: Type.Array(Value, {
    minItems: 1,
    maxItems: MAX_VALUES,
    description:
      'Of this name and type, and no others: what else is there goes, also what only the DNS provider holds. When it still holds something else while this is written, the answer is 409 `unknown_siblings` and nothing is written',
    examples: [['192.0.2.1', '192.0.2.2']],
  }),
  ttl: CreateBody.properties.ttl,
}

const ChangeFields = Type.Object({
  action: WantedAction,
  values: Type.Optional(SetFields.values),
  ...Type.Partial(Type.Object(existing)).properties,
  ...UpdateBody.properties,
})

/** A wish with nothing required. */
export const PartialChange = Type.Partial(ChangeFields)

/** One wish. What it lacks is told for all of them together, where they are planned. */
const Change = shownAs(
  {
    ...unionBy('action', [
      Type.Object({ action: Type.Literal('create'), ...CreateBody.properties }, named('CreateChange')),
      Type.Object(
        { action: Type.Literal('update'), ...existing, ...UpdateBody.properties },
        named('UpdateChange'),
      ),
      Type.Object({ action: Type.Literal('delete'), ...existing }, named('DeleteChange')),
      Type.Object({ action: Type.Literal('set'), ...SetFields }, named('SetChange')),
    ]),
    ...named('RecordChange'),
  },
  ChangeFields,
)

const Changes = Type.Array(Change, {
  minItems: 1,
  maxItems: MAX_CHANGES,
  examples: [[{ action: 'create', ...EXAMPLE }]],
})

/** What a body or query says to have its plan kept. */
export const Keep = Type.Boolean({
  default: false,
  description:
    'Only plan, and keep the plan for an hour: `planId` in the answer is what `applyRecords` does it by. Whoever makes the plan can apply it, once, and only while it would do the same',
  examples: [false],
})

export const ChangesBody = Type.Object({ changes: Changes, keep: Keep }, named('RecordChanges'))

export const ApplyBody = Type.Object(
  {
    changes: Type.Optional(Changes),
    planId: Type.Optional(
      Type.Unsafe<string>({ ...Uuid, description: 'In place of `changes`: what that plan has shown' }),
    ),
  },
  {
    ...named('AppliedChanges'),
    examples: [{ changes: [{ action: 'create', ...EXAMPLE }] }],
  },
)

const CONTENT = {
  ...EXAMPLE,
  priority: null,
  proxied: false,
  enabled: true,
  comment: 'the shop',
  routing: null,
}
const PLANNED = {
  index: 0,
  recordId: Uuid.examples[0],
  before: { ...CONTENT, value: '192.0.2.1' },
  after: CONTENT,
}

const PlannedChange = Type.Object(
  {
    index: Nullable(Type.Integer({ description: 'Which of the changes asked for it', examples: [0] })),
    recordId: Uuid,
    before: ContentOrNone,
    after: ContentOrNone,
  },
  { ...named('PlannedChange'), examples: [PLANNED] },
)

const NONE = { examples: [[]] }

export const PlanAnswer = Type.Object(
  {
    creates: Type.Array(PlannedChange, NONE),
    updates: Type.Array(PlannedChange),
    deletes: Type.Array(PlannedChange, NONE),
    conflicts: Type.Array(PlanConflict, NONE),
    warnings: Type.Array(
      Type.Object({
        index: Nullable(Type.Integer({ examples: [0] })),
        message: Type.String({ examples: ['All A records of www have one TTL: it is now 300'] }),
        code: Type.Unsafe<string>({ ...ReasonCode, examples: ['ttl_aligned'] }),
        params: Type.Unsafe<Record<string, unknown>>({
          ...ReasonParams,
          examples: [{ recordType: 'A', name: 'www', ttl: 300 }],
        }),
      }),
    ),
    applied: Type.Boolean({ description: 'Whether it was done', examples: [false] }),
    changeId: Nullable({ ...Uuid, examples: [null] }),
    planId: Type.Optional(
      Nullable({
        ...Uuid,
        description: 'With `keep`: by which it is applied; null: there is nothing to apply, or `conflicts`',
      }),
    ),
    planExpiresAt: Type.Optional(Nullable(Timestamp)),
  },
  { $id: 'Plan' },
)

const ChangeItem = Type.Object({
  action: Action,
  recordId: Uuid,
  before: { ...ContentOrNone, examples: [null] },
  after: ContentOrNone,
  outcome: Type.Unsafe<'pending' | 'applied' | 'failed'>({
    ...named('ChangeOutcome'),
    type: 'string',
    enum: ['pending', 'applied', 'failed'],
    examples: ['applied'],
  }),
  error: Nullable(Type.String({ examples: [null] })),
  errorCode: ErrorReason.errorCode,
})

export const HistoryEntry = Type.Object(
  {
    id: Uuid,
    source: Type.Unsafe<ChangeSource>({
      ...named('ChangeSource'),
      type: 'string',
      enum: [
        'single',
        'bulk',
        'apply',
        'import',
        'revert',
        'restore',
        'retry',
        'sync',
        'switch',
        'replace',
        'template',
        'ddns',
      ],
      examples: ['single'],
    }),
    status: ChangeStatus,
    actor: Actor,
    ...provenance,
    operationId: Nullable({ ...Uuid, description: 'The operation it is part of' }),
    createdAt: Timestamp,
    settledAt: Nullable(Timestamp),
    itemCount: Type.Integer({ examples: [1] }),
    items: Type.Array(ChangeItem, {
      description:
        'The first 100 of each in a list, the first 10,000 of one that is read alone; `itemCount` has all',
    }),
    unchanged: Type.Optional(
      Type.Array(Content, {
        description: 'Of one change, where asked for: what stayed beside it of the same names and types',
      }),
    ),
  },
  { $id: 'Change' },
)

export const HistoryQuery = Type.Object({
  ...PageQuery(20),
  ...CursorQuery,
  name: Type.Optional(
    Type.Unsafe<string>({ ...Name, description: 'Changes of records that have or had this name' }),
  ),
  type: Type.Optional(RecordType),
  actor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'User name or id of who did it',
      examples: ['ada'],
    }),
  ),
  ...provenanceFilters,
  from: Type.Optional(Type.Unsafe<string>({ ...Timestamp, description: 'Begun at this moment or later' })),
  to: Type.Optional(Type.Unsafe<string>({ ...Timestamp, description: 'Begun before this moment' })),
})

export const ChangePage = Type.Object({
  changes: Type.Array(ref(HistoryEntry)),
  ...PageEnvelope,
  ...NextCursor,
})

export const ChangeParams = Type.Object({ id: Uuid, changeId: Uuid })

export const ChangeQuery = Type.Object({
  unchanged: Type.Boolean({
    default: false,
    description:
      'With the records that stayed as they were then of the names and types that it touched, at most 1,000 of the first 200',
    examples: [false],
  }),
})

export const RevertQuery = Type.Object({
  dryRun: Type.Boolean({ default: false, description: 'Only answer the plan', examples: [false] }),
  keep: Keep,
})

export const RestoreBody = Type.Object({
  at: Type.Unsafe<string>({ ...Timestamp, description: 'The moment to go back to' }),
  apply: Type.Boolean({
    default: false,
    description: 'Do it, instead of only answering the plan',
    examples: [false],
  }),
  keep: Keep,
})
