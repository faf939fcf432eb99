import { Type } from '@sinclair/typebox'
import { named } from '../named.ts'
import { Nullable, Uuid } from '../scalars.ts'
import { AccountKind } from './user.ts'

/** Who did something. */
export const Actor = Type.Object(
  {
    id: Nullable(Uuid),
    name: Type.String({ description: 'As it was then; `system` is the service itself', examples: ['admin'] }),
    kind: {
      ...Nullable(AccountKind),
      description: 'Null where there is no such account any more, or none did it',
    },
  },
  named('Actor'),
)
