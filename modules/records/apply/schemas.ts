import { Type } from '@sinclair/typebox'
import { named, shownAs, unionBy } from '../../../schemas/named.ts'
import { ReasonCode, ReasonParams } from '../../../schemas/problem.ts'
import { Content, PlanConflict } from '../../../schemas/records/record-changes.ts'
import { DnsRecord } from '../../../schemas/records/record.ts'
import { ConfirmWithin, laterFields } from '../../../schemas/records/later.ts'
import { Label, Nullable, Timestamp, Uuid } from '../../../schemas/scalars.ts'
import { EXAMPLE, Keep, NewRecord, RecordUpdate, Value } from '../schemas.ts'

/** Records in one bulk call. */
export const MAX_BULK = 100

export const IfMatchHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      description: 'The `version` of the record to change, or the `ETag` of `getRecord`',
      examples: ['"1"'],
    }),
  ),
})

const Warnings = Type.Array(
  Type.String({ examples: ['www CNAME app points to app, which does not exist in this zone'] }),
  {
    description: 'Allowed, but probably a mistake',
  },
)

const ConfirmBy = Nullable({
  ...Timestamp,
  description:
    'With `confirmWithin`: when the change is reverted unless it is confirmed; null if its outcome is not known yet',
})

export const RecordAnswer = Type.Object(
  {
    ...DnsRecord.properties,
    warnings: Warnings,
    changeId: { ...Nullable(Uuid), description: 'The change in the history; null when nothing changed' },
    confirmBy: Type.Optional(ConfirmBy),
  },
  { $id: 'ChangedRecord' },
)

/** The answer to a delete. */
export const Deleted = Type.Null({
  description: 'Deleted',
  headers: {
    'change-id': {
      description: 'The change in the history',
      schema: { type: 'string', format: 'uuid' },
    },
    'confirm-by': {
      description: 'With `confirmWithin`: when the change is reverted unless it is confirmed',
      schema: { type: 'string', format: 'date-time' },
    },
  },
})

export const DeleteQuery = Type.Object(laterFields)

export const BulkBody = Type.Object({
  // Each entry is validated separately later, so that an invalid one does not fail the whole call.
  records: Type.Array(
    Type.Unsafe<unknown>({ description: 'Same fields as the body of createRecord', examples: [EXAMPLE] }),
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
      error: Type.Optional(Type.String({ description: 'Why the entry failed' })),
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

/** Most changes in one plan. */
export const MAX_CHANGES = 1_000

const ContentOrNone = Nullable(Content)

const Version = Type.Integer({
  minimum: 1,
  description: 'Refused as outdated if the record has another version',
  examples: [1],
})

const existing = { recordId: Uuid, version: Type.Optional(Version) }

/** The actions of a requested change. */
const WantedAction = Type.Unsafe<'create' | 'update' | 'delete' | 'set'>({
  ...named('WantedAction'),
  type: 'string',
  enum: ['create', 'update', 'delete', 'set'],
  examples: ['create'],
})

/** Most values of one RRset. */
const MAX_VALUES = 200

export const SetFields = {
  recordType: NewRecord.properties.recordType,
  name: NewRecord.properties.name,
  values: Type.Array(Value, {
    minItems: 1,
    maxItems: MAX_VALUES,
    description:
      'All values of this name and type. Other values are deleted, including those that only the DNS provider holds; disabled records stay. If the provider holds further values when this is written, the answer is 409 `unknown_siblings` and nothing is written',
    examples: [['192.0.2.1', '192.0.2.2']],
  }),
  ttl: NewRecord.properties.ttl,
  comment: NewRecord.properties.comment,
}

const ChangeFields = Type.Object({
  action: WantedAction,
  values: Type.Optional(SetFields.values),
  ...Type.Partial(Type.Object(existing)).properties,
  ...RecordUpdate.properties,
})

/** A requested change without required fields. */
export const PartialChange = Type.Partial(ChangeFields)

/** One requested change. Missing fields are reported for all changes at once, by the service. */
const Change = shownAs(
  {
    ...unionBy('action', [
      Type.Object({ action: Type.Literal('create'), ...NewRecord.properties }, named('CreateChange')),
      Type.Object(
        { action: Type.Literal('update'), ...existing, ...RecordUpdate.properties },
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

/** How changes are applied. */
export const AppliedFields = {
  emergency: Type.Optional(
    Type.Boolean({
      description:
        'Bypasses the review that the domain requires. Only for its owner and administrators, with a `reason`; the other users of the domain are notified',
      examples: [true],
    }),
  ),
  reason: Type.Optional(
    Type.Unsafe<string>({
      ...Label(1000, ['The mail server is down']),
      description: 'Why the review is bypassed',
    }),
  ),
  ...laterFields,
}

export const ApplyBody = Type.Object(
  {
    changes: Type.Optional(Changes),
    planId: Type.Optional(
      Type.Unsafe<string>({ ...Uuid, description: 'Instead of `changes`: the kept plan to apply' }),
    ),
    ...AppliedFields,
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
    index: Nullable(Type.Integer({ description: 'Position of the requested change', examples: [0] })),
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
      Type.Object(
        {
          index: Nullable(Type.Integer({ examples: [0] })),
          message: Type.String({ examples: ['All A records of www share one TTL, which is now 300'] }),
          code: Type.Unsafe<string>({ ...ReasonCode, examples: ['ttl_aligned'] }),
          params: Type.Unsafe<Record<string, unknown>>({
            ...ReasonParams,
            examples: [{ recordType: 'A', name: 'www', ttl: 300 }],
          }),
        },
        named('PlanWarning'),
      ),
    ),
    applied: Type.Boolean({ description: 'Whether the plan was applied', examples: [false] }),
    changeId: Nullable({ ...Uuid, examples: [null] }),
    planId: Type.Optional(
      Nullable({
        ...Uuid,
        description:
          'With `keep`: the id to apply the plan by. Null if there are `conflicts` or nothing to apply',
      }),
    ),
    planExpiresAt: Type.Optional(Nullable(Timestamp)),
    scheduled: Type.Optional(
      Type.Boolean({
        description: 'With `applyAt`: nothing is applied yet, and `changeId` is the scheduled change',
        examples: [true],
      }),
    ),
    applyAt: Type.Optional({ ...Timestamp, description: 'Of a scheduled change' }),
    confirmWithin: Type.Optional({ ...ConfirmWithin, description: 'Minutes; of a scheduled change' }),
    confirmBy: Type.Optional(ConfirmBy),
  },
  { $id: 'Plan' },
)
