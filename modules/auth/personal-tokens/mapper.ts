import type { TokenRow } from './queries.ts'

/** What is shown with a new token. */
export const toNewToken = (row: TokenRow) => ({
  id: row.id,
  name: row.name,
  permissions: row.permissions,
  restrictions: row.restrictions,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
})

export const toToken = (row: TokenRow) => ({
  ...toNewToken(row),
  tokenPrefix: row.token_prefix,
  tokenSuffix: row.token_suffix,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  replacedBy: row.replaced_by,
})
