import { Type, type Static } from '@sinclair/typebox'
import { Actor } from './people/user.ts'
import { named } from './named.ts'
import { Nullable, OneOf, Timestamp, Uuid } from './scalars.ts'

export const OPERATION_KINDS = [
  'import',
  'revert',
  'restore',
  'retry',
  'copy',
  'replace',
  'template',
] as const
export type OperationKind = (typeof OPERATION_KINDS)[number]

export const OperationKind = OneOf(OPERATION_KINDS, { ...named('OperationKind'), examples: ['import'] })

export const OPERATION_OUTCOMES = ['succeeded', 'partly', 'failed'] as const
export type OperationOutcome = (typeof OPERATION_OUTCOMES)[number]

export const OperationOutcome = OneOf(OPERATION_OUTCOMES, {
  ...named('OperationOutcome'),
  description: '`partly`: some changes were applied; see those of `changeId`',
  examples: ['succeeded'],
})

/** A large change that continues after the response to its request. */
export const Operation = Type.Object(
  {
    id: Uuid,
    kind: OperationKind,
    domainId: Nullable({ ...Uuid, description: 'Null for an operation on several domains' }),
    domainName: Nullable(Type.String({ examples: ['example.com'] })),
    actor: Actor,
    state: OneOf(['waiting', 'running', 'finished'], {
      ...named('OperationState'),
      description: 'Operations of one domain run one after another',
      examples: ['finished'],
    }),
    outcome: Nullable(OperationOutcome),
    done: Type.Integer({ description: 'Applied changes of records', examples: [20_000] }),
    total: Type.Integer({ description: 'All changes of records, as far as known', examples: [20_000] }),
    changeId: Nullable({
      ...Uuid,
      description: 'The change in the history; null before the first write',
    }),
    createdAt: Timestamp,
    startedAt: Nullable(Timestamp),
    finishedAt: Nullable(Timestamp),
  },
  named('Operation'),
)
export type Operation = Static<typeof Operation>

/** Body of a 202. */
export const AcceptedOperation = Type.Object({ operation: Operation }, named('AcceptedOperation'))
export type AcceptedOperation = Static<typeof AcceptedOperation>

/** Path of an operation, without the API's prefix. */
export const pathOf = ({ id }: Pick<Operation, 'id'>) => `/operations/${id}`
