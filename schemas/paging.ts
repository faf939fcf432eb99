import { Type } from '@sinclair/typebox'
import { named } from './named.ts'
import { Nullable } from './scalars.ts'

export const PageQuery = (defaultLimit: number) => ({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, examples: [1] }),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: defaultLimit, examples: [defaultLimit] }),
})

export const Order = Type.Unsafe<'asc' | 'desc'>({
  ...named('Order'),
  type: 'string',
  enum: ['asc', 'desc'],
  default: 'asc',
  description: 'Ties are broken by id',
  examples: ['asc'],
})

/** What a list takes that leads on by key. */
export const CursorQuery = {
  cursor: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        '`nextCursor` of the page before: the rows after it, also when rows before them came or went meanwhile. Filters may change, the order may not',
    }),
  ),
}

/** What it answers beside its rows. */
export const NextCursor = {
  nextCursor: Nullable(
    Type.String({
      description: '`cursor` of the next page, which may be empty; null: this was the last',
      examples: ['WyJuYW1lIiwiYXNjIiwid3d3IiwiMDE5M2ExYzItN2Q0MC03YjNhLTlmNTEtMmM4ZTZhNWQ0YjEwIl0'],
    }),
  ),
}

/** What every list answers beside its rows. */
export const PageEnvelope = {
  total: Type.Integer({ description: 'Rows that match, on all pages', examples: [1] }),
  page: Type.Integer({ examples: [1] }),
  limit: Type.Integer({ examples: [20] }),
}
