import type { Insertable } from 'kysely'
import type { Executor } from '../../db/connect.ts'
import type { AuditTable } from '../../db/tables.ts'

export const insertAuditRow = (db: Executor, row: Insertable<AuditTable>) =>
  db.insertInto('audit').values(row).execute()
