import { sql, type Kysely } from 'kysely'

/**
 * Name servers of provider connections, unmanaged records, and disabled records, which conflict with nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `alter table provider_configs
    add column name_servers text[] not null default '{}',
    add column hostmaster text`,

  'alter table domains add column unmanaged_count integer not null default 0',

  `create table unmanaged_records (
    domain_id uuid not null references domains on delete cascade,
    name text not null,
    type text not null,
    ttl integer not null,
    value text not null
  )`,
  'create index unmanaged_records_name on unmanaged_records (domain_id, name, type)',

  `alter table records
    add column enabled boolean not null default true,
    add column comment text not null default ''`,
  `alter table records
    drop constraint records_cname_alone,
    add constraint records_cname_alone exclude using gist
      (domain_id with =, name with =, (case when type = 'CNAME' then 1 else 0 end) with <>)
      where (not deleting and enabled)`,
  'drop index records_one_cname',
  `create unique index records_one_cname on records (domain_id, name)
    where type = 'CNAME' and not deleting and enabled`,
]
