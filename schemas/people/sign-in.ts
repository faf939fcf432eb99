import { Type, type TProperties } from '@sinclair/typebox'
import { named, shownAs, unionBy } from '../named.ts'
import { ref } from '../ref.ts'
import { SecondFactorMethod, UserSummary } from './user.ts'

export const AccessToken = Type.String({ examples: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTkzIn0.c2ln'] })

export const ExpiresIn = Type.Integer({
  description: 'Lifetime of the access token in seconds',
  examples: [900],
})

const RefreshToken = Type.String({ examples: ['wGxJq6v0c9mXKp3uT1nYbH5sRzLdE8aFoV2iQkMt7Uc'] })

const session = {
  accessToken: AccessToken,
  refreshToken: RefreshToken,
  expiresIn: ExpiresIn,
  user: ref(UserSummary),
}

/** A completed sign-in. */
export const NewSession = Type.Object(session, named('NewSession'))

const factor = {
  requires2FA: Type.Literal(true),
  tempToken: Type.String({
    description: 'Bearer token for POST /api/2fa/verify; valid once, for 5 minutes',
    examples: ['eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJ0ZW1wIn0.c2ln'],
  }),
  methods: Type.Array(SecondFactorMethod, { description: 'Available second factors' }),
}

const SecondFactorNeeded = Type.Object(
  { outcome: Type.Literal('second_factor'), ...factor },
  { ...named('SecondFactorNeeded'), description: 'No tokens are issued yet' },
)

const Outcome = Type.Unsafe<'signed_in' | 'second_factor'>({
  type: 'string',
  enum: ['signed_in', 'second_factor'],
})

/** A session, or the second factor it still needs; told apart by `outcome`. */
const orSecondFactor = <T extends TProperties>(name: string, members: T) => {
  const SignedIn = Type.Object({ outcome: Type.Literal('signed_in'), ...members }, named(name))
  return shownAs(
    unionBy('outcome', [SignedIn, SecondFactorNeeded]),
    Type.Object({ outcome: Outcome, ...Type.Partial(Type.Object({ ...members, ...factor })).properties }),
  )
}

export const LoginAnswer = orSecondFactor('SignedIn', session)

/** The refresh token is only in the cookie. */
export const TicketAnswer = orSecondFactor('SignedInByTicket', {
  accessToken: AccessToken,
  expiresIn: ExpiresIn,
  user: ref(UserSummary),
})

/** For actions that need a recent sign-in. */
export const PasswordAgain = Type.String({
  maxLength: 256,
  description: 'Required if the sign-in is older than 10 minutes',
  examples: ['correct horse battery staple'],
})

/** An optional body with the password. */
export const ReauthenticationBody = Type.Unsafe<{ password?: string } | null>({
  ...named('Reauthentication'),
  type: ['object', 'null'],
  properties: { password: PasswordAgain },
})
