import { sql, type Kysely } from 'kysely'

/**
 * Addresses within a domain: who sees few of many domains finds a network in each of theirs, however many addresses of it
 * others have. Records can be read and not changed as long as it is built: about five seconds for a million.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index records_domain_address on records (domain_id, record_address(value))
    where type in ('A', 'AAAA')`.execute(db)
}
