import { Type } from '@sinclair/typebox'
import { named } from '../../schemas/named.ts'
import { Operation } from '../../schemas/operation.ts'
import { PageEnvelope, PageQuery } from '../../schemas/paging.ts'
import { ToldProblem } from '../../schemas/problem.ts'
import { Nullable } from '../../schemas/scalars.ts'

export const OperationsQuery = Type.Object(PageQuery(20))

export const OperationPage = Type.Object({ operations: Type.Array(Operation), ...PageEnvelope })

/** With what it has answered. */
export const OperationAnswer = Type.Object(
  {
    ...Operation.properties,
    result: Nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'What the request would have answered with 200: of an import `plan` and `skipped`, else the plan. Null until it has succeeded, and when that was found out after an interruption',
          examples: [null],
        },
      ),
    ),
    problem: Nullable({
      ...ToldProblem,
      description: 'Why it was not done, or only in part: what the request would have answered',
      examples: [null],
    }),
  },
  named('OperationAnswer'),
)
