import { Type } from '@sinclair/typebox'
import { named, shownAs, unionBy } from '../../../schemas/named.ts'
import { ReasonCode, ReasonParams } from '../../../schemas/problem.ts'
import { Content, PlanConflict } from '../../../schemas/record-changes.ts'
import { DnsRecord } from '../../../schemas/record.ts'
import { Nullable, Timestamp, Uuid } from '../../../schemas/scalars.ts'
import { CreateBody, EXAMPLE, Keep, UpdateBody, Value } from '../schemas.ts'

/** Records in one bulk call. */
export const MAX_BULK = 100

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

/** Changes in one plan. */
export const MAX_CHANGES = 1_000

const ContentOrNone = Nullable(Content)

const Version = Type.Integer({
  minimum: 1,
  description: 'Refused as outdated when the record has another',
  examples: [1],
})

const existing = { recordId: Uuid, version: Type.Optional(Version) }

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
