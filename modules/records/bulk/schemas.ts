import { Type } from '@sinclair/typebox'
import { Content } from '../../../schemas/records/record-changes.ts'
import { laterFields } from '../../../schemas/records/later.ts'
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
    planId: Type.Unsafe<string>({ ...Uuid, description: 'A plan made within the last hour' }),
    ...laterFields,
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
    recordId: Nullable({ ...Uuid, description: 'Null for a new record' }),
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
    kind: Type.String({ description: 'Same kinds as the conflicts of a plan', examples: ['conflict'] }),
    code: Type.Unsafe<string>({ ...ReasonCode, examples: ['cname_alone'] }),
    params: { ...ReasonParams, examples: [{ recordType: 'CNAME', name: 'www', value: 'example.net' }] },
    detail: Type.String({
      examples: ['A CNAME must be the only record of its name, and www CNAME example.net exists'],
    }),
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
        message: Type.String({ examples: ['All A records of www share one TTL, which is now 300'] }),
      }),
    ),
    outcome: Nullable(
      Type.String({
        description:
          '`applied`, `partly`, `failed`, or `pending` until the provider confirms it; `scheduled` until its time comes, or `cancelled`; `unchanged`; `outdated`: the domain was changed after the plan, and nothing was done; `refused`: nothing was done, see `problem`; `blocked`: nothing was done because of the records in `blocked`. `partly` also if some records are in `blocked` and the others were changed. Null: not applied yet',
        examples: [null],
      }),
    ),
    changeId: Nullable({ ...Uuid, description: 'The change in the history, where it can be reverted' }),
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
    operationId: Nullable({ ...Uuid, description: 'The operation that applies it; null if not applied yet' }),
    undoesOperationId: Nullable({
      ...Uuid,
      description: 'For kind `revert`: the operation that the plan reverts',
      examples: [null],
    }),
    totals: Type.Object(
      {
        domains: Type.Integer({ description: `Planned domains, at most ${MAX_DOMAINS}`, examples: [3] }),
        changedDomains: Type.Integer({
          description: 'Domains in which something would change',
          examples: [1],
        }),
        hidden: Type.Integer({
          description:
            'For kind `revert`: domains that the operation changed and that the caller cannot see; they are left alone',
          examples: [0],
        }),
        ...counts,
      },
      { description: 'Totals of all domains of the plan' },
    ),
    domains: Type.Array(PlannedDomain, {
      description: 'Sorted by name, without domains that have no changes, blocked records or warnings',
    }),
    nextCursor: {
      ...NextCursor.nextCursor,
      description: 'For `GET /api/records/plans/{id}`; null on the last page',
    },
  },
  { $id: 'DomainsPlan' },
)
