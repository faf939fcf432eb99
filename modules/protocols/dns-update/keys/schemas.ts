import { Type, type Static } from '@sinclair/typebox'
import { named } from '../../../../schemas/named.ts'
import { Nullable, OneOf, Timestamp, Uuid } from '../../../../schemas/scalars.ts'

export const KEY_ALGORITHMS = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const

const Algorithm = OneOf(KEY_ALGORITHMS, { ...named('TsigAlgorithm'), examples: ['hmac-sha256'] })
export type KeyAlgorithm = Static<typeof Algorithm>

export const CreateKeyBody = Type.Unsafe<{ algorithm?: KeyAlgorithm } | null>({
  ...named('CreateTsigKey'),
  type: ['object', 'null'],
  properties: {
    algorithm: { ...Algorithm, description: 'By default hmac-sha256, which every client supports' },
  },
})

const shown = {
  id: Uuid,
  name: Type.String({
    description: 'The DNS name under which clients know it',
    examples: ['router-at-home.k7x2m9qa4b'],
  }),
  algorithm: Algorithm,
  createdAt: Timestamp,
}

export const NewKey = Type.Object(
  {
    ...shown,
    secret: Type.String({
      description: 'Base64; returned only now',
      examples: ['c2VjcmV0LW9mLXRoaXJ0eS10d28tb2N0ZXRzLTAwMDA='],
    }),
  },
  named('NewTsigKey'),
)

export const KeyList = Type.Object(
  {
    keys: Type.Array(Type.Object({ ...shown, lastUsedAt: Nullable(Timestamp) }, named('TsigKey'))),
  },
  named('TsigKeyList'),
)
