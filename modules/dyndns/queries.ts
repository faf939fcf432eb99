import { sql } from 'kysely'
import type { Executor } from '../../db/connect.ts'
import type { Principal } from '../../plugins/access/index.ts'
import { visibleTo } from '../domains/access.ts'

/** Those of the names that are domains which the caller sees; of several of one name the oldest. */
export const findDomains = (db: Executor, principal: Principal, names: readonly string[]) =>
  db
    .selectFrom('domains')
    .distinctOn('name')
    .select(['id', 'name'])
    .where(sql<boolean>`name = any(${names}::text[])`)
    .where(visibleTo(principal))
    .orderBy('name')
    .orderBy('id')
    .execute()
