import { endOfRow } from '../../../plugins/security/access/index.ts'
import type { TokenRow } from './queries.ts'

/** Returned with a new token. `maxDays`: the maximum lifetime of the installation. */
export const toNewToken = (row: TokenRow, maxDays: number | null) => ({
  id: row.id,
  name: row.name,
  permissions: row.permissions,
  restrictions: row.restrictions,
  createdAt: row.created_at.toISOString(),
  expiresAt: endOfRow(row, maxDays)?.toISOString() ?? null,
})

export const toToken = (row: TokenRow, maxDays: number | null) => ({
  ...toNewToken(row, maxDays),
  tokenPrefix: row.token_prefix,
  tokenSuffix: row.token_suffix,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  replacedBy: row.replaced_by,
})
