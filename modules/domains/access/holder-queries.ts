import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { visibleTo } from './access-queries.ts'
import { grantsOf } from './assigned-queries.ts'

/** More are not looked at: somebody can assign any number of one name, but they come after the own ones. */
const MAX_HOLDERS = 1_000

/** The domains of these names that the caller's user sees; `reached`: with the token of the caller, too. */
export const findHolders = (db: Executor, principal: Principal, names: readonly string[]) =>
  db
    .selectFrom('domains')
    .select(['id', 'name', 'owner_id', 'provider_id', grantsOf(principal).as('grants')])
    .select(sql<boolean>`${visibleTo(principal)}`.as('reached'))
    .where(sql<boolean>`name = any(${names}::text[])`)
    .where(visibleTo({ ...principal, token: null }))
    .orderBy(sql`(owner_id = ${principal.userId}) desc`)
    .orderBy('id')
    .limit(MAX_HOLDERS)
    .execute()
