import { sql, type Selectable } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import type { TemplatesTable } from '../../db/tables/index.ts'
import type { Principal } from '../../plugins/security/access/index.ts'

export type TemplateRow = Selectable<TemplatesTable>

const COLUMNS = [
  'id',
  'name',
  'description',
  'owner_id',
  'shared',
  'variables',
  'records',
  'created_at',
  'updated_at',
] as const

const visible = (db: Executor, { userId }: Principal) =>
  db
    .selectFrom('templates')
    .select(COLUMNS)
    .where((eb) => eb.or([eb('owner_id', '=', userId), eb('shared', '=', true)]))

/** The caller's own templates and shared ones. */
export const listTemplateRows = (db: Executor, principal: Principal): Promise<TemplateRow[]> =>
  visible(db, principal).orderBy('name').orderBy('id').limit(1000).execute()

export const findTemplate = (
  db: Executor,
  principal: Principal,
  id: string,
  { lock = false } = {},
): Promise<TemplateRow | undefined> =>
  visible(db, principal)
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()

/** Counts a user's templates and locks the user until the end of the transaction. */
export async function countTemplates(trx: Executor, userId: string): Promise<number> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  const row = await trx
    .selectFrom('templates')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('owner_id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.count
}

export interface Content {
  name: string
  description: string
  shared: boolean
  /** As JSON. */
  variables: string
  records: string
}

export const insertTemplate = (
  trx: Executor,
  row: Content & { id: string; owner_id: string },
): Promise<TemplateRow> =>
  trx.insertInto('templates').values(row).returning(COLUMNS).executeTakeFirstOrThrow()

export const updateTemplate = (
  trx: Executor,
  id: string,
  content: Content,
): Promise<TemplateRow | undefined> =>
  trx
    .updateTable('templates')
    .set({ ...content, updated_at: sql`now()` })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()

export const deleteTemplateRow = (trx: Executor, id: string) =>
  trx.deleteFrom('templates').where('id', '=', id).execute()

export async function countSharedOf(db: Executor, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('templates')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('owner_id', '=', userId)
    .where('shared', '=', true)
    .executeTakeFirstOrThrow()
  return count
}

export const giveSharedTo = (trx: Executor, from: string, to: string) =>
  trx
    .updateTable('templates')
    .set({ owner_id: to })
    .where('owner_id', '=', from)
    .where('shared', '=', true)
    .execute()
