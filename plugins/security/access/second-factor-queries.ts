import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf } from '../../../db/expressions.ts'
import type { SecondFactorRule } from '../../installation.ts'
import { lacksFactor } from './second-factor.ts'

/** For a row of `users`: whether sign-in requires a second factor, as in modules/auth/two-factor/methods. */
export const hasFactor = sql<boolean>`(users.totp_enabled or users.email_codes_enabled
  or exists (select from passkeys where passkeys.user_id = users.id))`

/** Returns those of the users who must have a second factor and have none. */
export async function findLackingFactor(
  db: Executor,
  rule: SecondFactorRule,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (rule === 'none' || userIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'role', 'account_kind as kind', hasFactor.as('hasFactor')])
    .where('id', '=', anyOf(userIds))
    .execute()
  return new Set(rows.filter((row) => lacksFactor(rule, row)).map(({ id }) => id))
}
