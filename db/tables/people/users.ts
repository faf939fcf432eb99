import type { Generated } from 'kysely'

export interface UsersTable {
  id: string
  /** A machine never signs in; it only has tokens. */
  account_kind: Generated<'person' | 'machine'>
  username: string
  email: string | null
  email_verified: boolean
  password_hash: string | null
  role: 'admin' | 'member'
  display_name: string | null
  nickname: string | null
  avatar_url: string | null
  notifications_enabled: boolean
  email_notifications_enabled: boolean
  disabled_at: Date | null
  /** Encrypted. */
  totp_secret: Buffer | null
  totp_enabled: Generated<boolean>
  /** The last time step whose code was accepted; codes of it or earlier ones are rejected. */
  totp_last_step: Generated<string>
  email_codes_enabled: Generated<boolean>
  /** Wrong codes of any factor since `factor_failures_since`. */
  factor_failures: Generated<number>
  factor_failures_since: Date | null
  last_login_at: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

export interface MailTokensTable {
  hash: Buffer
  purpose: 'password_reset' | 'email_change' | 'email_codes'
  user_id: string
  email: string
  tries: Generated<number>
  created_at: Generated<Date>
  expires_at: Date
}

export interface InvitationsTable {
  id: string
  code_hash: Buffer
  code_prefix: string
  role: 'admin' | 'member'
  email: string | null
  max_uses: number
  uses: Generated<number>
  created_by: string | null
  /** The code was sent to `email`, so entering it proves access to that mailbox. */
  mailed: Generated<boolean>
  expires_at: Date | null
  revoked_at: Date | null
  created_at: Generated<Date>
}
