import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Timestamp, Uuid } from '../scalars.ts'
import { named } from '../named.ts'

/** Second factors by their names in the API. */
export type FactorMethod = 'totp' | 'passkey' | 'email'

export const SecondFactorMethod = Type.Unsafe<FactorMethod>({
  ...named('SecondFactorMethod'),
  type: 'string',
  enum: ['totp', 'passkey', 'email'],
  examples: ['totp'],
})

export const Role = Type.Unsafe<'admin' | 'member'>({
  ...named('Role'),
  type: 'string',
  enum: ['admin', 'member'],
  examples: ['admin'],
})
export type Role = Static<typeof Role>

export const AccountKind = Type.Unsafe<'person' | 'machine'>({
  ...named('AccountKind'),
  type: 'string',
  enum: ['person', 'machine'],
  description: '`machine`: of a program, which has tokens and never signs in',
  examples: ['person'],
})
export type AccountKind = Static<typeof AccountKind>

/** Compared in lower case; nothing in it looks like an address. */
export const Username = Type.String({
  minLength: 2,
  maxLength: 64,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]+$',
  description: 'Kept in lower case',
  examples: ['ada'],
})

export const NewPassword = Type.String({
  minLength: 8,
  maxLength: 256,
  description: 'Not one of the commonest, and without the user name or the name of the service',
  examples: ['a different battery staple'],
})

const TwoFactor = Type.Object(
  {
    enabled: Type.Boolean({ examples: [false] }),
    methods: Type.Array(SecondFactorMethod),
  },
  named('TwoFactorState'),
)

/** The user as sign-in answers it. */
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
      description: 'False: signs in by other means, so that nothing can be proved by the password',
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
      description: 'False: signs in by other means, or not yet',
      examples: [true],
    }),
    twoFactor: TwoFactor,
    sessionCount: Type.Integer({ description: 'Sessions now', examples: [1] }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    lastLoginAt: Nullable(Timestamp),
  },
  { $id: 'User' },
)
export type User = Static<typeof User>

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
