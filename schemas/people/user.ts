import { Type, type Static } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp, Uuid } from '../scalars.ts'
import { named } from '../named.ts'

/** Second factors by their names in the API. */
export type FactorMethod = 'totp' | 'passkey' | 'email'

export const SecondFactorMethod = OneOf(['totp', 'passkey', 'email'], named('SecondFactorMethod'))

export const Role = OneOf(['admin', 'member'], named('Role'))
export type Role = Static<typeof Role>

export const AccountKind = OneOf(['person', 'machine'], {
  ...named('AccountKind'),
  description: '`machine`: an account for a program, which has tokens and never signs in',
})
export type AccountKind = Static<typeof AccountKind>

/** Compared in lower case; can't be mistaken for an email address. */
export const Username = Type.String({
  minLength: 2,
  maxLength: 64,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]+$',
  description: 'Stored in lower case',
  examples: ['ada'],
})

export const NewPassword = Type.String({
  minLength: 8,
  maxLength: 256,
  description: 'Must not be a common password or contain the user name or the name of the service',
  examples: ['a different battery staple'],
})

const TwoFactor = Type.Object(
  {
    enabled: Type.Boolean({ examples: [false] }),
    methods: Type.Array(SecondFactorMethod),
  },
  named('TwoFactorState'),
)

/** The user in sign-in responses. */
export const UserSummary = Type.Object(
  {
    id: Uuid,
    username: Type.String({ examples: ['admin'] }),
    email: Nullable(Type.String({ examples: ['admin@example.com'] })),
    role: Role,
  },
  { $id: 'UserSummary' },
)
export type UserSummary = Static<typeof UserSummary>

/** The signed-in user's own account. */
export const CurrentUser = Type.Object(
  {
    id: Uuid,
    username: Type.String({ examples: ['admin'] }),
    email: Nullable(Type.String({ examples: ['admin@example.com'] })),
    emailVerified: Type.Boolean({ examples: [true] }),
    role: Role,
    displayName: Nullable(Type.String({ examples: ['Ada Lovelace'] })),
    nickname: Nullable(Type.String({ examples: ['ada'] })),
    avatarUrl: Nullable(Type.String({ examples: ['https://example.com/ada.png'] })),
    notificationsEnabled: Type.Boolean({ examples: [true] }),
    emailNotificationsEnabled: Type.Boolean({ examples: [false] }),
    hasPassword: Type.Boolean({
      description: "False for users who sign in by other means and can't confirm actions by password",
      examples: [true],
    }),
    twoFactor: TwoFactor,
    createdAt: Timestamp,
  },
  { $id: 'CurrentUser' },
)
export type CurrentUser = Static<typeof CurrentUser>

/** A user as administrators see them. */
export const User = Type.Object(
  {
    id: Uuid,
    kind: AccountKind,
    username: Type.String({ examples: ['ada'] }),
    email: Nullable(Type.String({ examples: ['ada@example.com'] })),
    emailVerified: Type.Boolean({ examples: [true] }),
    role: Role,
    displayName: Nullable(Type.String({ examples: ['Ada Lovelace'] })),
    nickname: Nullable(Type.String({ examples: ['ada'] })),
    avatarUrl: Nullable(Type.String({ examples: ['https://example.com/ada.png'] })),
    disabled: Type.Boolean({ examples: [false] }),
    hasPassword: Type.Boolean({
      description: 'False for users who sign in by other means, or have not signed in yet',
      examples: [true],
    }),
    twoFactor: TwoFactor,
    sessionCount: Type.Integer({ description: 'Current sessions', examples: [1] }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    lastLoginAt: Nullable(Timestamp),
  },
  { $id: 'User' },
)
export type User = Static<typeof User>

/** User or service that performed an action. */
export const Actor = Type.Object(
  {
    id: Nullable(Uuid),
    name: Type.String({
      description: 'Name at that time; `system` for the service itself',
      examples: ['admin'],
    }),
    kind: {
      ...Nullable(AccountKind),
      description: 'Null if the account no longer exists, or for the service itself',
    },
  },
  named('Actor'),
)
