import { Type, type Static } from '@sinclair/typebox'
import { named } from './named.ts'

/** The record types that users manage; everything else at a provider is left untouched. */
export const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'TXT', 'SRV', 'CAA'] as const

export const RecordType = Type.Unsafe<(typeof RECORD_TYPES)[number]>({
  ...named('RecordType'),
  type: 'string',
  enum: [...RECORD_TYPES],
  description: 'DNS record type',
  examples: ['A'],
})
export type RecordType = Static<typeof RecordType>
