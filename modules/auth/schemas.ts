import { Type } from '@sinclair/typebox'
import { AccessToken, ExpiresIn } from '../../schemas/people/sign-in.ts'
import { ref } from '../../schemas/ref.ts'
import { Label, Nullable, Timestamp, Uuid } from '../../schemas/scalars.ts'
import { CurrentUser } from '../../schemas/people/user.ts'
import { Warning } from '../../schemas/problem.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../users/passwords.ts'
import { named } from '../../schemas/named.ts'

const Token = Type.String({
  minLength: 1,
  maxLength: 4096,
  examples: ['wGxJq6v0c9mXKp3uT1nYbH5sRzLdE8aFoV2iQkMt7Uc'],
})
const Password = Type.String({ maxLength: MAX_PASSWORD_LENGTH, examples: ['correct horse battery staple'] })

export const LoginBody = Type.Object({
  username: Type.String({
    minLength: 1,
    maxLength: 254,
    description: 'The user name or the verified email address',
    examples: ['admin'],
  }),
  password: Password,
  rememberMe: Type.Boolean({
    default: false,
    description: 'Keep the session for 30 days',
    examples: [false],
  }),
})

/** For clients that can't store the cookie. */
export const RefreshBody = Type.Unsafe<{ refreshToken?: string } | null>({
  ...named('RefreshBody'),
  type: ['object', 'null'],
  properties: { refreshToken: { ...Token, description: 'Instead of the cookie' } },
})

export const RefreshAnswer = Type.Object({
  accessToken: AccessToken,
  refreshToken: Token,
  expiresIn: ExpiresIn,
})

export const CurrentUserAnswer = Type.Object({ user: ref(CurrentUser) }, named('CurrentUserAnswer'))

export const ProfileAnswer = Type.Object({
  user: ref(CurrentUser),
  warnings: Type.Array(Warning, {
    description:
      'With `emailNotificationsEnabled`: why no email is sent, `email_not_configured`, `email_missing` or `email_unverified`',
  }),
})

export const ProfileBody = Type.Partial(
  Type.Object({
    displayName: Nullable(Label(100, ['Ada Lovelace'])),
    nickname: Nullable(Label(50, ['ada'])),
    avatarUrl: Nullable(
      Type.String({
        maxLength: 500,
        format: 'uri',
        pattern: '^https://[^/]',
        examples: ['https://example.com/ada.png'],
      }),
    ),
    notificationsEnabled: Type.Boolean({ examples: [true] }),
    emailNotificationsEnabled: Type.Boolean({ examples: [false] }),
  }),
)

export const PasswordBody = Type.Object({
  oldPassword: Password,
  newPassword: Type.String({
    minLength: MIN_PASSWORD_LENGTH,
    maxLength: MAX_PASSWORD_LENGTH,
    examples: ['a different battery staple'],
  }),
})

export const Session = Type.Object({
  id: Uuid,
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  ip: Type.String({ examples: ['192.0.2.1'] }),
  userAgent: Type.String({ examples: ['Mozilla/5.0'] }),
  current: Type.Boolean({ examples: [true] }),
})

export const SessionsAnswer = Type.Object({ sessions: Type.Array(Session) })
