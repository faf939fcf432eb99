import { sql, type Kysely } from 'kysely'

/**
 * Several RRsets of one name and type, distinguished by the key of their routing; provider data we have no
 * fields for; TTLs chosen by the provider.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const KEY = `coalesce(routing ->> 'key', '')`

const STATEMENTS = [
  `alter table records
    add column routing jsonb,
    add column extra jsonb,
    alter column ttl drop not null`,
  `alter table records
    drop constraint records_cname_alone,
    add constraint records_cname_alone exclude using gist
      (domain_id with =, name with =, (${KEY}) with =, (case when type = 'CNAME' then 1 else 0 end) with <>)
      where (not deleting and enabled)`,
  'drop index records_one_cname',
  `create unique index records_one_cname on records (domain_id, name, (${KEY}))
    where type = 'CNAME' and not deleting and enabled`,
  'drop index records_no_duplicate',
  `create unique index records_no_duplicate on records (domain_id, name, type, md5(value), (${KEY}))
    where not deleting`,
]
