import { Type } from '@sinclair/typebox'
import { named } from '../../../schemas/named.ts'
import { ReasonCode } from '../../../schemas/problem.ts'
import { Uuid } from '../../../schemas/scalars.ts'

const LeftChange = Type.Object(
  {
    domainId: Uuid,
    changeId: Uuid,
    code: Type.Unsafe<string>({ ...ReasonCode, examples: ['not_verified'] }),
    detail: Type.String({
      examples: ['The name servers do not serve this change yet, so it cannot be confirmed'],
    }),
  },
  named('LeftChange'),
)

/** What became of the changes of an operation that was confirmed. */
export const OperationConfirmation = Type.Object(
  {
    confirmed: Type.Integer({ description: 'Changes that stay, one for each domain', examples: [12] }),
    left: Type.Array(LeftChange, { description: 'Changes that could not be confirmed; at most 100' }),
    leftCount: Type.Integer({ description: 'All of them', examples: [1] }),
    hidden: Type.Integer({
      description: 'Unconfirmed changes that the caller can no longer see',
      examples: [0],
    }),
  },
  named('OperationConfirmation'),
)
