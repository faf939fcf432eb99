import { sql, type Kysely } from 'kysely'

/**
 * What an instance is working on; see plugins/work/leases. The columns used before (`sync_lease_until`,
 * `turn_of`, `turn_until`) stay for instances of the previous version, which may still be running.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table leases (
      kind text not null,
      subject uuid not null,
      holder uuid not null,
      until timestamptz not null,
      primary key (kind, subject)
    )
  `.execute(db)
}
