import { Type } from '@sinclair/typebox'
import { named } from '../named.ts'

/** The second factors as the API names them. */
export type FactorMethod = 'totp' | 'passkey' | 'email'

export const Method = Type.Unsafe<FactorMethod>({
  ...named('SecondFactorMethod'),
  type: 'string',
  enum: ['totp', 'passkey', 'email'],
  examples: ['totp'],
})
