import type pg from 'pg'
import { EVERYONE } from '../../modules/domains/access/access.ts'
import { credentialContext } from '../../modules/providers/traffic/connection.ts'
import { createSecrets } from '../../plugins/security/secrets.ts'
import { createPasswordHashes } from '../../plugins/security/password-hashes.ts'
import { withClient } from './postgres.ts'

export const PASSWORD = 'correct horse battery staple'
export const SECRET_KEY = Buffer.alloc(32, 7)

export type UserName = 'admin' | 'member' | 'delegate'

/** `admin` sees all domains; `member` owns nine of ten, `other` the rest; `delegate` owns none. */
export const ADMIN = '00000000-0000-7000-8000-000000000001'
const MEMBER = '00000000-0000-7000-8000-000000000002'
const OTHER = '00000000-0000-7000-8000-000000000003'
const DELEGATE = '00000000-0000-7000-8000-000000000004'

/** The domain created by `seedLargeDomain`. */
export const LARGE_DOMAIN = '00000000-0000-7000-8000-000000000010'
const MANUAL_CONFIG = '00000000-0000-7000-8000-000000000020'

/** Users and a provider connection, which own everything else. */
export async function seedUsers(config: pg.ClientConfig): Promise<void> {
  const hash = await createPasswordHashes().hash(PASSWORD)
  const credentials = createSecrets([SECRET_KEY]).seal('{}', credentialContext(MANUAL_CONFIG))
  await withClient(config, async (client) => {
    for (const [id, name, role] of [
      [ADMIN, 'admin', 'admin'],
      [MEMBER, 'member', 'member'],
      [OTHER, 'other', 'member'],
      [DELEGATE, 'delegate', 'member'],
    ]) {
      await client.query('insert into users (id, username, role, password_hash) values ($1, $2, $3, $4)', [
        id,
        name,
        role,
        hash,
      ])
    }
    await client.query(
      `insert into provider_configs (id, provider, name, owner_id, credentials) values ($1, 'manual', 'bench', $2, $3)`,
      [MANUAL_CONFIG, MEMBER, credentials],
    )
  })
}

/**
 * Domains with `recordsEach` records, with totals and counts as the service maintains them. Owner, group,
 * tags, expiry and words in names are independent: one in ten has "shop" in its name, one in a thousand
 * "rare"; twenty groups and fifty tags have equal shares; one in ten has expired, one expires soon. All have
 * automatic look-ups; none is due.
 */
export async function seedDomains(
  config: pg.ClientConfig,
  { domains, recordsEach }: { domains: number; recordsEach: number },
): Promise<void> {
  await withClient(config, (client) =>
    withoutIndexes(client, async () => {
      await client.query(
        `insert into domains (id, name, unicode_name, provider_id, provider_config_id, zone_id, owner_id,
           group_name, tags, expires_at, expiring_at, reminder_due_at, auto_check_expiry, expiry_check_due_at,
           expiry_remind_days, default_ttl, record_count, created_at)
         select uuidv7(), name, name, '0192f0a0-0000-7000-8000-000000000001', $1, name,
           case when dice[1] % 10 = 9 then $2::uuid else $3::uuid end,
           'group-' || dice[2] % 20, array['tag-' || dice[3] % 50, 'also-' || dice[4] % 7],
           expires_at, expires_at - interval '30 days',
           case when expires_at > now() then greatest(expires_at - interval '30 days', now() + interval '3 days') end,
           true, now() + make_interval(mins => 600 + dice[5] % 10000), '{30,14,7,1}', 3600, $4,
           now() - make_interval(mins => dice[5] % 1000000)
         from generate_series(1, $5::int) as n,
           lateral (select array(select abs(hashint4(n * 7 + side)) from generate_series(1, 6) as side) as dice) as cast_,
           lateral (select
             case when n % 1000 = 0 then 'rare' when n % 10 = 1 then 'shop' else 'site' end as word,
             case dice[6] % 10 when 0 then now() - interval '10 days' when 1 then now() + interval '10 days'
               when 2 then null else now() + make_interval(days => 40 + dice[6] % 300) end as expires_at) as facts,
           lateral (select to_hex(dice[3]::bigint) || '-' || word || '-' || n || '.example.com' as name) as named`,
        [MANUAL_CONFIG, OTHER, MEMBER, recordsEach, domains],
      )
      await insertRecords(client, 'domains', recordsEach)
    }),
  )
  await keepTotals(config)
}

/**
 * Gives `delegate` permissions on that many domains: on every other one the whole domain, on the rest the
 * names `*.dev`.
 */
export const seedAssignments = (config: pg.ClientConfig, domains: number): Promise<void> =>
  withClient(config, async (client) => {
    await client.query(
      `insert into assignments (id, user_id, domain_id, pattern, permission)
       select uuidv7(), $1, id, case when n / step % 2 = 0 then '*' else '*.dev' end, 'write'
       from (select id, row_number() over (order by id) as n, count(*) over () / $2 as step from domains) as numbered
       where n % step = 0 limit $2`,
      [DELEGATE, domains],
    )
    await client.query('analyze assignments')
  })

/**
 * One more domain of the member, with many records; the delegate has permission on those below `dev`, a
 * tenth.
 */
export async function seedLargeDomain(config: pg.ClientConfig, records: number): Promise<void> {
  await withClient(config, async (client) => {
    await client.query(
      `insert into domains (id, name, unicode_name, provider_id, provider_config_id, zone_id, owner_id,
         expiry_remind_days, default_ttl, record_count)
       values ($1, 'large.example.net', 'large.example.net', '0192f0a0-0000-7000-8000-000000000001', $2,
         'large.example.net', $3, '{30}', 3600, $4)`,
      [LARGE_DOMAIN, MANUAL_CONFIG, MEMBER, records],
    )
    await insertRecords(client, `(select '${LARGE_DOMAIN}'::uuid as id)`, records)
    await client.query(
      `insert into assignments (id, user_id, domain_id, pattern, permission) values (uuidv7(), $1, $2, '*.dev', 'write')`,
      [DELEGATE, LARGE_DOMAIN],
    )
  })
  await keepTotals(config)
}

const insertRecords = (client: pg.Client, domains: string, each: number) =>
  client.query(
    `insert into records (id, domain_id, name, type, value, ttl, status, created_at)
     select uuidv7(), domains.id, 'host-' || n || case n % 10 when 0 then '.dev' else '' end,
       case n % 4 when 0 then 'TXT' when 1 then 'AAAA' else 'A' end,
       case n % 4 when 0 then 'text of host ' || n || ' as some service wants it for its verification'
         when 1 then '2001:db8::' || to_hex(n % 65536) else '192.0.' || n / 256 % 256 || '.' || n % 256 end,
       3600, 'active', now() - make_interval(secs => n)
     from ${domains} as domains, generate_series(1, $1::int) as n`,
    [each],
  )

const keepTotals = (config: pg.ClientConfig) =>
  withClient(config, async (client) => {
    await client.query('delete from domain_lists')
    await client.query(
      `insert into domain_lists (viewer, total, version)
       select $1::uuid, count(*), 1 from domains union all select owner_id, count(*), 1 from domains group by owner_id`,
      [EVERYONE],
    )
    await client.query('vacuum (analyze)')
  })

/** Fills tables before creating their indexes and constraints, which is several times faster. */
async function withoutIndexes(client: pg.Client, fill: () => Promise<void>): Promise<void> {
  const constraints = await client.query<{ drop: string; create: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
     from pg_constraint where conrelid in ('domains'::regclass, 'records'::regclass) and contype in ('u', 'x')`,
  )
  const indexes = await client.query<{ drop: string; create: string }>(
    `select format('drop index %I', indexname) as drop, indexdef as create from pg_indexes
     where tablename in ('domains', 'records') and indexname not in (select conname from pg_constraint)`,
  )
  const both = [...constraints.rows, ...indexes.rows]
  for (const { drop } of both) await client.query(drop)
  await fill()
  for (const { create } of both) await client.query(create)
}
