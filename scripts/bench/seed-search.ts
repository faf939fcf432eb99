import type pg from 'pg'
import { withClient } from './postgres.ts'
import { seedAssignments, seedDomains } from './seed.ts'

/** Shared values that searches may find; the others are distinguished by hashes. */
export const SHARED_ADDRESS = '198.51.100.7'
export const SHARED_HOST = 'mx1.mail-host.example'

/**
 * Records as a provider of many zones has them. Of a hundred in a domain, 45 are A and 15 AAAA with unique
 * addresses, 10 A with 250 shared addresses, 10 CNAME to shared hosts, 5 MX to 20 hosts, and 15 TXT including
 * one SPF.
 */
export async function seedSearched(
  config: pg.ClientConfig,
  { domains, recordsEach }: { domains: number; recordsEach: number },
): Promise<void> {
  await seedDomains(config, { domains, recordsEach: 0 })
  await withClient(config, async (client) => {
    // Constraints against duplicates cost most of the seeding, and no search uses them.
    const { rows } = await client.query<{ indexname: string; indexdef: string }>(
      `select indexname, indexdef from pg_indexes where tablename = 'records' and indexname <> 'records_pkey'
        and indexname not in ('records_cname_alone', 'records_no_duplicate', 'records_one_cname')`,
    )
    await client.query('alter table records drop constraint records_cname_alone')
    await client.query('drop index records_no_duplicate, records_one_cname')
    for (const { indexname } of rows) await client.query(`drop index ${indexname}`)
    await client.query(RECORDS, [recordsEach, SHARED_ADDRESS])
    await client.query("set maintenance_work_mem = '1GB'")
    for (const { indexname, indexdef } of rows) {
      const begun = performance.now()
      await client.query(indexdef)
      console.log(`${indexname}: ${Math.round((performance.now() - begun) / 1000)} s`)
    }
    await client.query('update domains set record_count = $1', [recordsEach])
    await client.query('vacuum (analyze)')
  })
  await seedAssignments(config, 1000)
}

const RECORDS = `
  insert into records (id, domain_id, name, type, value, ttl, status, priority, created_at)
  select uuidv7(), domains.id, name, type, value, 3600, 'active', case type when 'MX' then 10 end, now()
  from (select id, name as domain, row_number() over (order by name) as d from domains) as domains,
    generate_series(1, $1::int) as n,
    lateral (select hashint8(d * 1000 + n)::bigint + 2147483648 as h) as hashed,
    lateral (select n % 100 as kind) as kinds,
    lateral (select
      case when kind < 45 then 'A' when kind < 60 then 'AAAA' when kind < 70 then 'A' when kind < 80 then 'CNAME'
        when kind < 85 then 'MX' else 'TXT' end as type,
      case when kind < 5 then (array['www', 'mail', 'api', 'dev', 'shop'])[kind + 1]
        when kind between 80 and 85 then '@'
        else (array['host-', 'node-', 'srv', 'k8s-worker-', 'cam.'])[kind % 5 + 1] || to_hex(h % 16777216) end as name,
      case
        when kind < 45 then (11 + h % 180) || '.' || (h >> 8) % 256 || '.' || (h >> 16) % 256 || '.' || (h >> 3) % 256
        when kind < 60 then '2001:db8:' || to_hex((h >> 16) % 65535 + 1) || '::' || to_hex(h % 65535 + 1)
        when kind = 60 and d % 10 = 0 then $2
        when kind < 70 then '198.51.100.' || 8 + h % 240
        when kind < 80 then 'lb-' || h % 500 || '.cloud.example'
        when kind < 85 then '10 mx' || h % 20 || '.mail-host.example'
        when kind = 85 then 'v=spf1 include:_spf.mail-host.example ip4:' || (11 + h % 180) || '.0.2.0/24 -all'
        else 'site-verification=' || md5(h::text || n) end as value) as made`
