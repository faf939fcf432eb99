import { Type, type Static } from '@sinclair/typebox'
import { named } from '../named.ts'

export const Verify = Type.Unsafe<'off' | 'warn' | 'require'>({
  ...named('Verify'),
  type: 'string',
  enum: ['off', 'warn', 'require'],
  description:
    'Whether each change is verified on the name servers of the zone. `warn`: an event tells when they do not serve it within ten minutes. `require`: also, name servers without any answer are asked for the full ten minutes, and a change that must be confirmed must be verified first',
  examples: ['warn'],
})
export type Verify = Static<typeof Verify>
