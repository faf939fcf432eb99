import { Type } from '@sinclair/typebox'
import { named } from './named.ts'
import { Nullable, Uuid } from './scalars.ts'

/** Who did something. */
export const Actor = Type.Object(
  {
    id: Nullable(Uuid),
    name: Type.String({ description: 'As it was then; `system` is the service itself', examples: ['admin'] }),
  },
  named('Actor'),
)
