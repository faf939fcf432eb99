import { Type } from '@sinclair/typebox'
import { Content } from '../../../schemas/record-changes.ts'
import { named } from '../../../schemas/named.ts'
import { CursorQuery, NextCursor } from '../../../schemas/paging.ts'
import { ReasonCode, ReasonParams, ToldProblem } from '../../../schemas/problem.ts'
import { Nullable, Timestamp, Uuid } from '../../../schemas/scalars.ts'
import { MAX_DOMAINS } from './planned.ts'

export { MAX_DOMAINS } from './planned.ts'

export const PlanLimit = Type.Integer({
  minimum: 1,
  maximum: 200,
  default: 50,
  description: 'Domains of the plan in one answer',
  examples: [50],
})

export const PlanQuery = Type.Object({
  limit: PlanLimit,
  ...CursorQuery,
})

export const PlanIdBody = Type.Object(
  {
    planId: Type.Unsafe<string>({ ...Uuid, description: 'Of a plan that was answered within the last hour' }),
  },
  named('PlanToApply'),
)

const counts = {
  creates: Type.Integer({ examples: [0] }),
  updates: Type.Integer({ examples: [1] }),
  deletes: Type.Integer({ examples: [0] }),
  blocked: Type.Integer({ description: "Records that can't be changed or made", examples: [0] }),
}

const PlannedRecord = Type.Object(
  {
    action: Type.Unsafe<'create' | 'update' | 'delete'>({
      ...named('ChangeAction'),
      type: 'string',
      enum: ['create', 'update', 'delete'],
      examples: ['update'],
    }),
    recordId: Nullable({ ...Uuid, description: 'Null: it is made' }),
    before: Nullable(Content),
    after: Nullable(Content),
  },
  named('PlannedRecord'),
)

const BlockedRecord = Type.Object(
  {
    recordId: Nullable(Uuid),
    before: Nullable(Content),
    wanted: Nullable(
      Type.Object({
        name: Type.String({ examples: ['www'] }),
        recordType: Type.String({ examples: ['A'] }),
        value: Type.String({ examples: ['198.51.100.10'] }),
      }),
    ),
    kind: Type.String({ description: 'As of the conflicts of a plan', examples: ['conflict'] }),
    code: Type.Unsafe<string>({ ...ReasonCode, examples: ['cname_alone'] }),
    params: { ...ReasonParams, examples: [{ recordType: 'CNAME', name: 'www', value: 'example.net' }] },
    detail: Type.String({ examples: ['A CNAME must be alone, and there is www CNAME example.net'] }),
  },
  named('BlockedRecord'),
)

const PlannedDomain = Type.Object(
  {
    domainId: Uuid,
    domainName: Type.String({ examples: ['example.com'] }),
    counts: Type.Object(counts),
    changes: Type.Array(PlannedRecord, { description: 'The first 100' }),
    blocked: Type.Array(BlockedRecord, { description: 'The first 100', examples: [[]] }),
    warnings: Type.Array(
      Type.Object({
        code: Type.Unsafe<string>({ ...ReasonCode, examples: ['ttl_aligned'] }),
        params: { ...ReasonParams, examples: [{ recordType: 'A', name: 'www', ttl: 300 }] },
        message: Type.String({ examples: ['All A records of www have one TTL: it is now 300'] }),
      }),
    ),
    outcome: Nullable(
      Type.String({
        description:
          '`applied`, `partly`, `failed`, or `pending` while the provider has not confirmed it; `unchanged`; `outdated`: the domain was changed after the plan, and nothing was done; `refused`: nothing was done, and `problem` says why; `blocked`: nothing was done, because of the records in `blocked`. `partly` also where some records are in `blocked` and the others were changed. Null: not applied yet',
        examples: [null],
      }),
    ),
    changeId: Nullable({ ...Uuid, description: 'What was done, in the history; can be reverted there' }),
    problem: Nullable({ ...ToldProblem, examples: [null] }),
  },
  named('PlannedDomain'),
)

export const DomainsPlanAnswer = Type.Object(
  {
    planId: Uuid,
    kind: Type.Unsafe<'replace' | 'template' | 'revert'>({
      ...named('DomainsPlanKind'),
      type: 'string',
      enum: ['replace', 'template', 'revert'],
      examples: ['replace'],
    }),
    planExpiresAt: Timestamp,
    operationId: Nullable({ ...Uuid, description: 'By which it is done, once it was applied' }),
    undoesOperationId: Nullable({
      ...Uuid,
      description: 'For kind `revert`: the operation that the plan reverts',
      examples: [null],
    }),
    totals: Type.Object(
      {
        domains: Type.Integer({ description: `Domains looked at, at most ${MAX_DOMAINS}`, examples: [3] }),
        changedDomains: Type.Integer({ description: 'In which something would change', examples: [1] }),
        hidden: Type.Integer({
          description:
            'For kind `revert`: domains that the operation changed and that the caller cannot see; they are left alone',
          examples: [0],
        }),
        ...counts,
      },
      { description: 'Over all domains of the plan' },
    ),
    domains: Type.Array(PlannedDomain, {
      description: 'In the order of their names, without those of which nothing is to be told',
    }),
    nextCursor: {
      ...NextCursor.nextCursor,
      description: 'For `GET /api/records/plans/{id}`; null: this was the last page',
    },
  },
  { $id: 'DomainsPlan' },
)
