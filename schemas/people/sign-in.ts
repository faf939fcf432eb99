import { Type, type TProperties } from '@sinclair/typebox'
import { named, shownAs, unionBy } from '../named.ts'
import { ref } from '../ref.ts'
import { SecondFactorMethod, UserSummary } from './user.ts'

export const AccessToken = Type.String({ examples: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTkzIn0.c2ln'] })

export const ExpiresIn = Type.Integer({
  description: 'Seconds that the access token lives, from this answer on',
  examples: [900],
})

const RefreshToken = Type.String({ examples: ['wGxJq6v0c9mXKp3uT1nYbH5sRzLdE8aFoV2iQkMt7Uc'] })

const session = {
  accessToken: AccessToken,
  refreshToken: RefreshToken,
  expiresIn: ExpiresIn,
  user: ref(UserSummary),
}

/** What a sign-in answers that needed nothing more. */
export const NewSession = Type.Object(session, named('NewSession'))

const factor = {
  requires2FA: Type.Literal(true),
  tempToken: Type.String({
    description: 'Bearer of POST /api/2fa/verify; good once, for 5 minutes',
    examples: ['eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJ0ZW1wIn0.c2ln'],
  }),
  methods: Type.Array(SecondFactorMethod, { description: 'What the second factor may be' }),
}

const SecondFactorNeeded = Type.Object(
  { outcome: Type.Literal('second_factor'), ...factor },
  { ...named('SecondFactorNeeded'), description: 'There are no tokens yet' },
)

const Outcome = Type.Unsafe<'signed_in' | 'second_factor'>({
  type: 'string',
  enum: ['signed_in', 'second_factor'],
})

/** A session, or what it takes to get one; `outcome` says which. */
const orSecondFactor = <T extends TProperties>(name: string, members: T) => {
  const SignedIn = Type.Object({ outcome: Type.Literal('signed_in'), ...members }, named(name))
  return shownAs(
    unionBy('outcome', [SignedIn, SecondFactorNeeded]),
    Type.Object({ outcome: Outcome, ...Type.Partial(Type.Object({ ...members, ...factor })).properties }),
  )
}

export const LoginAnswer = orSecondFactor('SignedIn', session)

/** The refresh token is in the cookie alone. */
export const TicketAnswer = orSecondFactor('SignedInByTicket', {
  accessToken: AccessToken,
  expiresIn: ExpiresIn,
  user: ref(UserSummary),
})

/** For what needs a fresh sign-in. */
export const PasswordAgain = Type.String({
  maxLength: 256,
  description: 'Needed when the sign-in is older than 10 minutes',
  examples: ['correct horse battery staple'],
})

/** The password again, which may be missing, and with it the body. */
export const ReauthenticationBody = Type.Unsafe<{ password?: string } | null>({
  ...named('Reauthentication'),
  type: ['object', 'null'],
  properties: { password: PasswordAgain },
})
