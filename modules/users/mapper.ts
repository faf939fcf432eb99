import type { CurrentUser, User, UserSummary } from '../../schemas/user.ts'
import type { UserRow, UserViewRow } from './queries.ts'

export const toUserSummary = (row: UserRow): UserSummary => ({
  id: row.id,
  username: row.username,
  email: row.email,
  role: row.role,
})

export const toCurrentUser = (row: UserRow): CurrentUser => ({
  ...toUserSummary(row),
  emailVerified: row.email_verified,
  displayName: row.display_name,
  nickname: row.nickname,
  avatarUrl: row.avatar_url,
  notificationsEnabled: row.notifications_enabled,
  emailNotificationsEnabled: row.email_notifications_enabled,
  twoFactor: { enabled: false, methods: [] },
  createdAt: row.created_at.toISOString(),
})

/** The second factors that a user has set up. */
const factorsOf = (row: UserViewRow): string[] => [
  ...(row.totp_enabled ? ['totp'] : []),
  ...(row.has_passkeys ? ['passkey'] : []),
  ...(row.email_codes_enabled ? ['email'] : []),
]

export function toUser(row: UserViewRow): User {
  const methods = factorsOf(row)
  return {
    ...toUserSummary(row),
    emailVerified: row.email_verified,
    displayName: row.display_name,
    nickname: row.nickname,
    avatarUrl: row.avatar_url,
    disabled: row.disabled_at !== null,
    hasPassword: row.password_hash !== null,
    twoFactor: { enabled: methods.length > 0, methods },
    sessionCount: row.session_count,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    lastLoginAt: row.last_login_at?.toISOString() ?? null,
  }
}
