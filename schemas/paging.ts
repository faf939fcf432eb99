import { Type } from '@sinclair/typebox'
import { named } from './named.ts'

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

/** What every list answers beside its rows. */
export const PageEnvelope = {
  total: Type.Integer({ description: 'Rows that match, on all pages', examples: [1] }),
  page: Type.Integer({ examples: [1] }),
  limit: Type.Integer({ examples: [20] }),
}
