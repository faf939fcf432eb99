import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Timestamp, Uuid } from './scalars.ts'

export const Role = Type.Unsafe<'admin' | 'member'>({
  type: 'string',
  enum: ['admin', 'member'],
  examples: ['admin'],
})
export type Role = Static<typeof Role>

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
    twoFactor: Type.Object({
      enabled: Type.Boolean({ examples: [false] }),
      methods: Type.Array(Type.String({ examples: ['totp'] })),
    }),
    createdAt: Timestamp,
  },
  { $id: 'CurrentUser' },
)
export type CurrentUser = Static<typeof CurrentUser>
