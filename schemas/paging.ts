import { Type } from '@sinclair/typebox'
import { named } from './named.ts'
import { Nullable, OneOf } from './scalars.ts'

export const PageQuery = (defaultLimit: number) => ({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, examples: [1] }),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: defaultLimit, examples: [defaultLimit] }),
})

export const Order = OneOf(['asc', 'desc'], {
  ...named('Order'),
  default: 'asc',
  description: 'Ties are broken by id',
})

const CURSOR = 'WyJRM2xfOHhWZDBiTDVmUnlBIiwid3d3IiwiMDE5M2ExYzItN2Q0MC03YjNhLTlmNTEtMmM4ZTZhNWQ0YjEwIl0'

/** Query parameters of lists with cursors. */
export const CursorQuery = {
  cursor: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        '`nextCursor` of the previous page: returns the rows after it, even if earlier rows were added or removed since. Valid only for the same list, filter and order; otherwise 400 with the code `cursor`',
      examples: [CURSOR],
    }),
  ),
}

/** Response members of lists with cursors. */
export const NextCursor = {
  nextCursor: Nullable(
    Type.String({
      description: '`cursor` of the next page, which may be empty; null on the last page',
      examples: [CURSOR],
    }),
  ),
}

/** Response members of all lists. */
export const PageEnvelope = {
  total: Type.Integer({ description: 'Matching rows on all pages', examples: [1] }),
  page: Type.Integer({ examples: [1] }),
  limit: Type.Integer({ examples: [20] }),
}
