import { sql, type Kysely } from 'kysely'

/**
 * Machine accounts: no sign-in credentials can be stored for one. The column is not called `kind`, which
 * would be ambiguous in statements of the previous version, still running while instances are replaced.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      add column account_kind text not null default 'person' check (account_kind in ('person', 'machine')),
      add constraint users_machine check (account_kind = 'person' or (password_hash is null and email is null))
  `.execute(db)
}
