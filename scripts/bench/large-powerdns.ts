import type pg from 'pg'
import { postgresSchema, startPowerDns, type PowerDns } from '../../test/peers/powerdns.ts'
import { withClient } from './postgres.ts'

export const ZONES = 10_000
export const RECORDS = 70_000

/** Measured zones, by number of records, each with one for comparison; the others share the rest. */
export const zoneOfSize = (size: number) => `z${size}.example.org`
export const otherOfSize = (size: number) => `other${size}.example.org`
const SIZES = [50, 10_000]

/** A real PowerDNS on a database of this PostgreSQL, with as much data as a medium-sized DNS provider. */
export async function startLargePowerDns(server: pg.ClientConfig): Promise<PowerDns> {
  const { host = '', port = 0, user = '' } = server
  const database = { host, port, user, database: 'powerdns' }
  await withClient(server, (client) => client.query('create database powerdns'))
  await withClient(database, async (client) => {
    await client.query(await postgresSchema())
    const others = ZONES - 2 * SIZES.length
    const left = RECORDS - 2 * SIZES.reduce((sum, size) => sum + size, 0)
    for (const size of SIZES)
      for (const name of [zoneOfSize(size), otherOfSize(size)]) await addZones(client, `'${name}'`, 1, size)
    await addZones(client, `'zone-' || n || '.example.net'`, others, Math.round(left / others))
    await client.query('vacuum analyze')
  })
  return startPowerDns(database)
}

/** Each with SOA and NS, like zones created through the API. `name`: SQL that makes a name of `n`. */
async function addZones(client: pg.Client, name: string, count: number, records: number): Promise<void> {
  const soa = 'ns1.example.net hostmaster.example.net 2026010101 10800 3600 604800 3600'
  await client.query(
    `with made as (
       insert into domains (name, type) select ${name}, 'NATIVE' from generate_series(1, $1::int) as n returning id, name
     ), counted as (
       insert into domainmetadata (domain_id, kind, content) select id, 'SOA-EDIT-API', 'DEFAULT' from made
     )
     insert into records (domain_id, name, type, content, ttl, ordername)
     select id, case when n > 2 then 'host-' || n || '.' else '' end || name,
       case n when 1 then 'SOA' when 2 then 'NS' else 'A' end,
       case n when 1 then $3 when 2 then 'ns1.example.net' else '192.0.' || n / 256 % 256 || '.' || n % 256 end,
       3600, case when n > 2 then 'host-' || n else '' end
     from made, generate_series(1, $2::int) as n`,
    [count, records, soa],
  )
}
