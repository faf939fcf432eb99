import type { CurrentUser, UserSummary } from '../../schemas/user.ts'
import type { UserRow } from './queries.ts'

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
