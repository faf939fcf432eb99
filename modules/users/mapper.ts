import type { FactorMethod, CurrentUser, User, UserSummary } from '../../schemas/people/user.ts'
import type { AccountRow, UserRow, UserViewRow } from './queries.ts'

export const toUserSummary = (row: UserRow): UserSummary => ({
  id: row.id,
  username: row.username,
  email: row.email,
  role: row.role,
})

export const toCurrentUser = (row: AccountRow): CurrentUser => ({
  ...toUserSummary(row),
  emailVerified: row.email_verified,
  displayName: row.display_name,
  nickname: row.nickname,
  avatarUrl: row.avatar_url,
  notificationsEnabled: row.notifications_enabled,
  emailNotificationsEnabled: row.email_notifications_enabled,
  hasPassword: row.password_hash !== null,
  twoFactor: twoFactorOf(row),
  createdAt: row.created_at.toISOString(),
})

/** The factors required at sign-in; the same rule as in modules/auth/two-factor/methods. */
function twoFactorOf(row: AccountRow) {
  const methods: FactorMethod[] = [
    ...(row.totp_enabled ? (['totp'] as const) : []),
    ...(row.has_passkeys ? (['passkey'] as const) : []),
    ...(row.email_codes_enabled ? (['email'] as const) : []),
  ]
  return { enabled: methods.length > 0, methods }
}

export function toUser(row: UserViewRow): User {
  return {
    ...toUserSummary(row),
    kind: row.account_kind,
    emailVerified: row.email_verified,
    displayName: row.display_name,
    nickname: row.nickname,
    avatarUrl: row.avatar_url,
    disabled: row.disabled_at !== null,
    hasPassword: row.password_hash !== null,
    twoFactor: twoFactorOf(row),
    sessionCount: row.session_count,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    lastLoginAt: row.last_login_at?.toISOString() ?? null,
  }
}
