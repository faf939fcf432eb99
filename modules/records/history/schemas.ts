import { Type } from '@sinclair/typebox'
import type { ChangeSource } from '../../../db/tables/index.ts'
import { named } from '../../../schemas/named.ts'
import { provenance, provenanceFilters } from '../../../schemas/records/origin.ts'
import { CursorQuery, NextCursor, PageEnvelope, PageQuery } from '../../../schemas/paging.ts'
import { Actor } from '../../../schemas/people/user.ts'
import { ErrorReason, ToldProblem } from '../../../schemas/problem.ts'
import { Content } from '../../../schemas/records/record-changes.ts'
import { ConfirmWithin, laterFields } from '../../../schemas/records/later.ts'
import { RecordType } from '../../../schemas/records/record-type.ts'
import { ref } from '../../../schemas/ref.ts'
import { Nullable, OneOf, Timestamp, Uuid } from '../../../schemas/scalars.ts'
import { Keep, Name } from '../schemas.ts'

const ContentOrNone = Nullable(Content)

const Action = Type.Unsafe<'create' | 'update' | 'delete'>({
  ...named('ChangeAction'),
  type: 'string',
  enum: ['create', 'update', 'delete'],
  examples: ['create'],
})

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

const STATUSES = ['scheduled', 'pending', 'applied', 'partial', 'failed', 'cancelled'] as const

const HistoryStatus = OneOf(STATUSES, {
  ...named('HistoryStatus'),
  description:
    '`scheduled`: waits for its time, `applyAt`. `cancelled`: was scheduled. `partial`: some items were applied; see the outcome of each',
  examples: ['applied'],
})

const Confirmation = Type.Object(
  {
    status: OneOf(['waiting', 'unconfirmed', 'reverting', 'confirmed', 'reverted', 'not_reverted'], {
      ...named('ConfirmationStatus'),
      description:
        '`waiting`: the change has no outcome yet. `unconfirmed`: is reverted at `confirmBy` unless it is confirmed. `not_reverted`: nobody confirmed it, and it could not be reverted',
      examples: ['unconfirmed'],
    }),
    confirmBy: Nullable({ ...Timestamp, description: 'Null while `waiting`' }),
    confirmedBy: Nullable(Type.String({ description: 'Username', examples: [null] })),
    endedAt: Nullable({ ...Timestamp, examples: [null] }),
    revertChangeId: Nullable({ ...Uuid, description: 'The change that reverts it', examples: [null] }),
    leftAlone: Type.Array(
      Type.Object(
        {
          name: Type.String({ examples: ['www'] }),
          recordType: Type.String({ examples: ['A'] }),
          value: Type.String({ examples: ['192.0.2.1'] }),
        },
        named('RecordLeftAlone'),
      ),
      { description: 'Records that were not reverted', examples: [[]] },
    ),
  },
  named('Confirmation'),
)

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
        'enforce',
      ],
      examples: ['single'],
    }),
    status: HistoryStatus,
    actor: Actor,
    ...provenance,
    operationId: Nullable({ ...Uuid, description: 'The operation that made the change' }),
    changeRequestId: Nullable({
      ...Uuid,
      description: 'The change request that it applies, which `actor` approved',
      examples: [null],
    }),
    requestedBy: Nullable(
      Type.String({ description: 'Username of the author of the change request', examples: [null] }),
    ),
    emergencyReason: Nullable(
      Type.String({
        description:
          'Why the review that the domain requires was bypassed; for callers who see the whole domain',
        examples: [null],
      }),
    ),
    applyAt: Nullable({ ...Timestamp, description: 'When it is, or was, to be applied; null: at once' }),
    confirmWithin: Nullable({ ...ConfirmWithin, examples: [null] }),
    confirmation: Nullable(Confirmation),
    revertOf: Nullable({
      ...Uuid,
      description: 'The change that it reverts because nobody confirmed that',
      examples: [null],
    }),
    problem: {
      ...Type.Union([ToldProblem, Type.Null()]),
      description: 'Why a scheduled change came to nothing; for callers who see the whole domain',
      examples: [null],
    },
    changedOutside: Type.Boolean({
      description:
        'Records were changed at the DNS provider, and this change took that over, or put back what was here (`enforce`): `before` is then what the provider held',
      examples: [false],
    }),
    createdAt: Timestamp,
    settledAt: Nullable(Timestamp),
    itemCount: Type.Integer({ examples: [1] }),
    items: Type.Array(ChangeItem, {
      description:
        'The first 100 of each change in a list; the first 10,000 of a single change. `itemCount` counts all',
    }),
    unchanged: Type.Optional(
      Type.Array(Content, {
        description:
          'For a single change, if requested: the other records of its names and types at that time',
      }),
    ),
  },
  { $id: 'Change' },
)

export const HistoryQuery = Type.Object({
  ...PageQuery(20),
  ...CursorQuery,
  status: Type.Optional(
    OneOf([...STATUSES, 'unconfirmed'], {
      description:
        'Only changes with this status. `scheduled` and `cancelled` are in no other list, the next to be applied first. `unconfirmed`: those that are reverted unless they are confirmed. The other filters do not apply to `scheduled` and `cancelled`',
      examples: ['applied'],
    }),
  ),
  name: Type.Optional(
    Type.Unsafe<string>({ ...Name, description: 'Only changes of records that have or had this name' }),
  ),
  type: Type.Optional(RecordType),
  actor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Username or id of the user who made the change',
      examples: ['ada'],
    }),
  ),
  ...provenanceFilters,
  from: Type.Optional(
    Type.Unsafe<string>({ ...Timestamp, description: 'Only changes begun at this time or later' }),
  ),
  to: Type.Optional(
    Type.Unsafe<string>({ ...Timestamp, description: 'Only changes begun before this time' }),
  ),
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
      'Include the unchanged records of the names and types it touched: at most 1,000 records of the first 200 RRsets',
    examples: [false],
  }),
})

export const RevertQuery = Type.Object({
  dryRun: Type.Boolean({ default: false, description: 'Only return the plan', examples: [false] }),
  keep: Keep,
})

export const RestoreBody = Type.Object({
  at: Type.Unsafe<string>({ ...Timestamp, description: 'The time to restore to' }),
  apply: Type.Boolean({
    default: false,
    description: 'Apply the plan instead of only returning it',
    examples: [false],
  }),
  keep: Keep,
  ...laterFields,
})
