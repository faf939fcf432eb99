import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { tokenEnd } from '../../../plugins/security/access/index.ts'

export interface EndingToken {
  id: string
  name: string
  expires_at: Date
  username: string
  /** The owner; for a machine account's token the administrators. */
  receivers: string[]
}

/**
 * Marks tokens that end within so many days as reminded, once each, and returns them: those with a longer
 * lifetime, not replaced, with an enabled owner. Skips rows locked by another instance.
 */
export async function takeEndingTokens(
  trx: Executor,
  { days, maxTokenDays, limit }: { days: number; maxTokenDays: number | null; limit: number },
): Promise<EndingToken[]> {
  const end = tokenEnd(maxTokenDays, 'token')
  const { rows } = await sql<EndingToken>`
    with ending as (
      select token.id from personal_tokens as token join users on users.id = token.user_id
      where ${end} > now() and ${end} <= now() + make_interval(days => ${days})
        and ${end} > token.created_at + make_interval(days => ${days})
        and reminded_at is null and replaced_by is null and disabled_at is null
      order by ${end} limit ${limit}
      for no key update of token skip locked
    ), noted as (
      update personal_tokens as token set reminded_at = now() from ending where token.id = ending.id
      returning token.id, token.name, ${end} as expires_at, token.user_id
    )
    select noted.id, noted.name, noted.expires_at, username,
      case when account_kind = 'person' then array[users.id]
        else array(select id from users where role = 'admin' and account_kind = 'person' and disabled_at is null)
      end as receivers
    from noted join users on users.id = noted.user_id
  `.execute(trx)
  return rows
}
