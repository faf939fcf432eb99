import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf } from '../../../db/expressions.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { visibleTo } from './access-queries.ts'
import { grantsOf } from './assigned-queries.ts'

/** Upper bound, since a user can be granted any number of domains of one name. Owned domains come first. */
const MAX_HOLDERS = 1_000

/** Domains with these names visible to the caller's user; `reached`: also with the caller's token. */
export const findHolders = (db: Executor, principal: Principal, names: readonly string[]) =>
  db
    .selectFrom('domains')
    .select(['id', 'name', 'owner_id', 'provider_id', grantsOf(principal).as('grants')])
    .select(sql<boolean>`${visibleTo(principal)}`.as('reached'))
    .where('name', '=', anyOf(names))
    .where(visibleTo({ ...principal, token: null }))
    .orderBy(sql`(owner_id = ${principal.userId}) desc`)
    .orderBy('id')
    .limit(MAX_HOLDERS)
    .execute()
