import { Type } from '@sinclair/typebox'
import { named } from './named.ts'

export type ChangeStatus = 'pending' | 'applied' | 'partial' | 'failed'

/** How a change of records ended. */
export const ChangeStatus = Type.Unsafe<ChangeStatus>({
  ...named('ChangeStatus'),
  type: 'string',
  enum: ['pending', 'applied', 'partial', 'failed'],
  description: '`partial`: some of its items were done; see the outcome of each',
  examples: ['applied'],
})
