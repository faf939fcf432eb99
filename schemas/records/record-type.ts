import { Type, type Static } from '@sinclair/typebox'
import { RECORD_TYPES, type RecordType as NamedOrNumbered } from '../../dns/types/index.ts'
import { named } from '../named.ts'

/** Longest list of types: more than there are named types. */
export const MAX_TYPES = 64

/** A type by name, or `TYPE65534`. */
export const RECORD_TYPE_FORM = `^(?:${RECORD_TYPES.join('|')}|TYPE[1-9][0-9]{0,4})$`

export const RecordType = Type.Unsafe<NamedOrNumbered>({
  ...named('RecordType'),
  type: 'string',
  maxLength: 10,
  // A pattern, because client generators don't support open enumerations.
  pattern: RECORD_TYPE_FORM,
  description:
    'DNS record type: one of `GET /api/record-types`, or a number such as `TYPE65534`, whose data is bytes (RFC 3597)',
  examples: ['A'],
})
export type RecordType = Static<typeof RecordType>
