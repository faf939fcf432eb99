import { Type } from '@sinclair/typebox'
import { named } from '../../schemas/named.ts'
import { Operation } from '../../schemas/operation.ts'
import { PageEnvelope, PageQuery } from '../../schemas/paging.ts'
import { ToldProblem } from '../../schemas/problem.ts'
import { Nullable } from '../../schemas/scalars.ts'

export const OperationsQuery = Type.Object(PageQuery(20))

export const OperationPage = Type.Object({ operations: Type.Array(Operation), ...PageEnvelope })

/** An operation with its result. */
export const OperationAnswer = Type.Object(
  {
    ...Operation.properties,
    result: Nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'What the request would have returned with 200: the plan, or `plan` and `skipped` for an import. Null until the operation has succeeded, or if its success was determined after an interruption',
          examples: [null],
        },
      ),
    ),
    problem: Nullable({
      ...ToldProblem,
      description: 'Why the operation failed or was done only in part: what the request would have returned',
      examples: [null],
    }),
  },
  named('OperationAnswer'),
)
