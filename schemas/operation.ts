import { Type, type Static } from '@sinclair/typebox'
import { Actor } from './people/user.ts'
import { named } from './named.ts'
import { Nullable, Timestamp, Uuid } from './scalars.ts'

/** What large changes there are. */
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

export const OperationKind = Type.Unsafe<OperationKind>({
  ...named('OperationKind'),
  type: 'string',
  enum: [...OPERATION_KINDS],
  examples: ['import'],
})

export const OPERATION_OUTCOMES = ['succeeded', 'partly', 'failed'] as const
export type OperationOutcome = (typeof OPERATION_OUTCOMES)[number]

export const OperationOutcome = Type.Unsafe<OperationOutcome>({
  ...named('OperationOutcome'),
  type: 'string',
  enum: [...OPERATION_OUTCOMES],
  description: '`partly`: some of the changes were done; those of `changeId` say which',
  examples: ['succeeded'],
})

/** A large change that goes on after its request was answered. */
export const Operation = Type.Object(
  {
    id: Uuid,
    kind: OperationKind,
    domainId: Nullable({ ...Uuid, description: 'Null: it is over many domains' }),
    domainName: Nullable(Type.String({ examples: ['example.com'] })),
    actor: Actor,
    state: Type.Unsafe<'waiting' | 'running' | 'finished'>({
      ...named('OperationState'),
      type: 'string',
      enum: ['waiting', 'running', 'finished'],
      description: 'Those of one domain are done one after another',
      examples: ['finished'],
    }),
    outcome: Nullable(OperationOutcome),
    done: Type.Integer({ description: 'Changes of records that are done', examples: [20_000] }),
    total: Type.Integer({ description: 'Changes of records in all, as far as known', examples: [20_000] }),
    changeId: Nullable({
      ...Uuid,
      description: 'What was done to records, in the history; null: nothing yet',
    }),
    createdAt: Timestamp,
    startedAt: Nullable(Timestamp),
    finishedAt: Nullable(Timestamp),
  },
  named('Operation'),
)
export type Operation = Static<typeof Operation>

/** The answer of 202. */
export const AcceptedOperation = Type.Object({ operation: Operation }, named('AcceptedOperation'))
export type AcceptedOperation = Static<typeof AcceptedOperation>

/** Where it is read. */
export const pathOf = ({ id }: Pick<Operation, 'id'>) => `/operations/${id}`
