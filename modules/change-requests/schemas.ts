import { Type } from '@sinclair/typebox'
import { named } from '../../schemas/named.ts'
import { PageEnvelope, PageQuery } from '../../schemas/paging.ts'
import { ToldProblem } from '../../schemas/problem.ts'
import { ApplyAt, ConfirmWithin, laterFields } from '../../schemas/records/later.ts'
import { ref } from '../../schemas/ref.ts'
import { Label, NOT_BLANK, Nullable, Timestamp, Uuid } from '../../schemas/scalars.ts'
import { ChangesBody, PlanAnswer } from '../records/service.ts'

export const STATUSES = [
  'open',
  'approved',
  'applied',
  'failed',
  'rejected',
  'withdrawn',
  'outdated',
] as const
export type RequestStatus = (typeof STATUSES)[number]

const Status = Type.Unsafe<RequestStatus>({
  ...named('ChangeRequestStatus'),
  type: 'string',
  enum: [...STATUSES],
  description:
    '`approved`: waits for `applyAt`, or is being applied. `failed`: not applied, or only in part; see the change or `problem`. `outdated`: the records have changed since it was planned, so nothing was applied; plan it again',
  examples: ['open'],
})

const Title = Label(200, ['Move www to the new host'])
const Text = (description: string, example: string) =>
  Type.String({ maxLength: 2000, pattern: NOT_BLANK, description, examples: [example] })
const Reason = Type.String({
  maxLength: 2000,
  description: 'Why the change is wanted',
  examples: ['The old host is switched off on Friday'],
})
const Revision = Type.Integer({
  minimum: 1,
  description: 'Rises with each plan of the request',
  examples: [1],
})

const Person = Type.Object(
  {
    id: Nullable({ ...Uuid, description: 'Null if the account no longer exists' }),
    name: Type.String({ description: 'Username at that time', examples: ['ada'] }),
  },
  named('ChangeRequestPerson'),
)

const shared = {
  id: Uuid,
  domainId: Uuid,
  domainName: Type.String({ examples: ['example.com'] }),
  title: Title,
  reason: Reason,
  status: Status,
  revision: Revision,
  author: Person,
  created: Type.Integer({ description: 'Records it creates', examples: [0] }),
  updated: Type.Integer({ description: 'Records it changes', examples: [1] }),
  deleted: Type.Integer({ description: 'Records it deletes', examples: [0] }),
  canApprove: Type.Boolean({
    description: 'Whether the caller may approve or reject it',
    examples: [true],
  }),
  approver: { ...Type.Union([Person, Type.Null()]), examples: [null] },
  approvedAt: { ...Nullable(Timestamp), examples: [null] },
  applyAt: Nullable({
    ...Timestamp,
    description: 'When it is applied once approved; null: at once',
    examples: [null],
  }),
  confirmWithin: Nullable({ ...ConfirmWithin, examples: [null] }),
  changeId: Nullable({ ...Uuid, description: 'The change that applies it', examples: [null] }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

const Entry = Type.Object(
  {
    id: Uuid,
    kind: Type.Unsafe<string>({
      ...named('ChangeRequestEntryKind'),
      type: 'string',
      enum: [
        'opened',
        'edited',
        'commented',
        'approved',
        'applied',
        'rejected',
        'withdrawn',
        'outdated',
        'failed',
      ],
      examples: ['commented'],
    }),
    by: Type.Union([Person, Type.Null()], { description: 'Null: the service itself' }),
    revision: Revision,
    text: Type.String({ description: 'A comment or reason', examples: ['Is the TTL intended?'] }),
    at: Timestamp,
  },
  named('ChangeRequestEntry'),
)

/** A request in a list. */
export const ChangeRequestItem = Type.Object(shared, { $id: 'ChangeRequestItem' })

export const ChangeRequest = Type.Object(
  {
    ...shared,
    plan: Type.Object(
      {
        creates: PlanAnswer.properties.creates,
        updates: PlanAnswer.properties.updates,
        deletes: PlanAnswer.properties.deletes,
        warnings: PlanAnswer.properties.warnings,
      },
      { ...named('ReviewedPlan'), description: 'What an approval applies: exactly this, or nothing' },
    ),
    problem: { ...Type.Union([ToldProblem, Type.Null()]), description: 'Why it was not applied' },
    timeline: Type.Array(Entry, { description: 'What happened to it, and comments; oldest first' }),
  },
  { $id: 'ChangeRequest' },
)

export const ChangeRequestPage = Type.Object(
  { requests: Type.Array(ref(ChangeRequestItem)), ...PageEnvelope },
  named('ChangeRequestPage'),
)

const filters = {
  ...PageQuery(20),
  status: Type.Optional(Status),
  author: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Username or id', examples: ['ada'] }),
  ),
}

export const DomainRequestsQuery = Type.Object(filters)

export const RequestsQuery = Type.Object({
  ...filters,
  domainId: Type.Optional(Uuid),
  canApprove: Type.Optional(
    Type.Boolean({
      description: 'Only open requests that the caller may approve; counts up to 200 of them',
      examples: [true],
    }),
  ),
})

const { changes } = ChangesBody.properties
const wanted = {
  changes: Type.Optional(changes),
  planId: Type.Optional(
    Type.Unsafe<string>({
      ...Uuid,
      description: 'Instead of `changes`: a kept plan, such as the one of a 409 `review_required`',
    }),
  ),
}

export const OpenBody = Type.Object(
  { title: Title, reason: Type.Optional(Reason), ...laterFields, ...wanted },
  {
    ...named('NewChangeRequest'),
    examples: [{ title: Title.examples?.[0], reason: Reason.examples?.[0], changes: changes.examples?.[0] }],
  },
)

export const EditBody = Type.Object(
  {
    title: Type.Optional(Title),
    reason: Type.Optional(Reason),
    applyAt: Type.Optional(Nullable({ ...ApplyAt, description: 'Null: at once' })),
    confirmWithin: Type.Optional(
      Nullable({ ...ConfirmWithin, description: 'Minutes; null: it needs no confirmation' }),
    ),
    ...wanted,
  },
  { ...named('EditedChangeRequest'), minProperties: 0, examples: [{ title: 'Move www and its TTL' }] },
)

export const ApproveBody = Type.Object({
  revision: { ...Revision, description: 'The revision that was reviewed; 409 for any other' },
  text: Type.Optional(Text('A remark', 'Looks good')),
})

export const RejectBody = Type.Object({ reason: Text('Shown to the author', 'The host is still in use') })
export const CommentBody = Type.Object({ text: Text('The comment', 'Is the TTL intended?') })
