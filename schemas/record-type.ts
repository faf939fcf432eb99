import { Type, type Static } from '@sinclair/typebox'
import { RECORD_TYPES, type RecordType as NamedOrNumbered } from '../dns/types/index.ts'
import { named } from './named.ts'

/** In one list of types: more than there are by name. */
export const MAX_TYPES = 64

/** Of the types by name, or `TYPE65534`. */
export const RECORD_TYPE_FORM = `^(?:${RECORD_TYPES.join('|')}|TYPE[1-9][0-9]{0,4})$`

export const RecordType = Type.Unsafe<NamedOrNumbered>({
  ...named('RecordType'),
  type: 'string',
  maxLength: 10,
  // One pattern, as generators of clients make little of an enumeration that is open.
  pattern: RECORD_TYPE_FORM,
  description:
    'DNS record type, one of `GET /api/record-types`; or `TYPE65534`, of which the data is bytes (RFC 3597)',
  examples: ['A'],
})
export type RecordType = Static<typeof RecordType>
