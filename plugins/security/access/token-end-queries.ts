import { sql, type RawBuilder } from 'kysely'

const DAY_MS = 24 * 3600 * 1000

/**
 * The end of a personal token: its own, or the maximum lifetime of the installation. `table`: the name or
 * alias of `personal_tokens` in the statement.
 */
export const tokenEnd = (maxDays: number | null, table = 'personal_tokens'): RawBuilder<Date | null> => {
  const own = sql.ref<Date | null>(`${table}.expires_at`)
  if (maxDays === null) return sql`${own}`
  // In hours, because a day of the session's time zone can have 23 or 25.
  return sql`least(${own}, ${sql.ref(`${table}.created_at`)} + make_interval(hours => ${maxDays * 24}::int))`
}

/** Whether a personal token is still valid. */
export const tokenLives = (maxDays: number | null, table?: string): RawBuilder<boolean> =>
  sql`coalesce(${tokenEnd(maxDays, table)} > now(), true)`

/** The same end for a row that was read. */
export function endOfRow(
  { created_at: createdAt, expires_at: expiresAt }: { created_at: Date; expires_at: Date | null },
  maxDays: number | null,
): Date | null {
  if (maxDays === null) return expiresAt
  const latest = latestEnd(maxDays, createdAt.getTime())
  return expiresAt !== null && expiresAt < latest ? expiresAt : latest
}

/** The latest end of a token created now. */
export const latestEnd = (maxDays: number, createdAt = Date.now()): Date =>
  new Date(createdAt + maxDays * DAY_MS)
