import { sql, type Selectable } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import { anyOf } from '../../db/expressions.ts'
import type { HealthFindingsTable } from '../../db/tables/index.ts'

export type StoredFinding = Pick<
  Selectable<HealthFindingsTable>,
  'key' | 'code' | 'severity' | 'name' | 'type'
>

/** Locks the row of a domain, which it makes if there is none; undefined if the domain is gone. */
export async function lockHealth(trx: Executor, domainId: string) {
  await trx
    .insertInto('domain_health')
    .columns(['domain_id'])
    .expression((eb) => eb.selectFrom('domains').select('id').where('id', '=', domainId))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return trx
    .selectFrom('domain_health')
    .select(['checked_at'])
    .where('domain_id', '=', domainId)
    .forUpdate()
    .executeTakeFirst()
}

export const findingsOf = (trx: Executor, domainId: string): Promise<StoredFinding[]> =>
  trx
    .selectFrom('health_findings')
    .select(['key', 'code', 'severity', 'name', 'type'])
    .where('domain_id', '=', domainId)
    .execute()

export const deleteFindings = (trx: Executor, domainId: string, keys: readonly string[]) =>
  trx.deleteFrom('health_findings').where('domain_id', '=', domainId).where('key', '=', anyOf(keys)).execute()

export type NewFinding = StoredFinding & { detail: string; params: object; fix: object[] | null }

/** Stores findings; those that are there keep their `since`. */
export const upsertFindings = (trx: Executor, domainId: string, findings: readonly NewFinding[]) =>
  trx
    .insertInto('health_findings')
    .columns(['domain_id', 'key', 'code', 'severity', 'name', 'type', 'detail', 'params', 'fix'])
    .expression(
      sql`select ${domainId}::uuid, key, code, severity, name, type, detail, params, nullif(fix, 'null')
        from jsonb_to_recordset(${JSON.stringify(findings)}::jsonb)
          as given (key text, code text, severity text, name text, type text, detail text, params jsonb, fix jsonb)`,
    )
    .onConflict((conflict) =>
      conflict.columns(['domain_id', 'key']).doUpdateSet((eb) => ({
        severity: eb.ref('excluded.severity'),
        detail: eb.ref('excluded.detail'),
        params: eb.ref('excluded.params'),
        fix: eb.ref('excluded.fix'),
      })),
    )
    .execute()

export const noteCheck = (
  trx: Executor,
  domainId: string,
  row: { checked_at: Date; due_at: Date; not_checked: string; omitted: string; behind: string },
) => trx.updateTable('domain_health').set(row).where('domain_id', '=', domainId).execute()
