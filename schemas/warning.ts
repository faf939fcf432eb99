import { Type, type Static } from '@sinclair/typebox'
import { ReasonCode } from './problem.ts'

/** What was done as asked, and most likely is not what was meant. */
export const Warning = Type.Object({
  code: Type.Unsafe<string>({ ...ReasonCode, examples: ['email_unverified'] }),
  message: Type.String({ examples: ['No e-mail comes before the address of the account is confirmed'] }),
})
export type Warning = Static<typeof Warning>
