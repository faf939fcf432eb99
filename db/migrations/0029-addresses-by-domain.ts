import { sql, type Kysely } from 'kysely'

/**
 * Addresses by domain: users with few domains can search a network in each of theirs, however many addresses
 * others have. While the index is built, records can be read but not changed: about five seconds for a
 * million.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index records_domain_address on records (domain_id, record_address(value))
    where type in ('A', 'AAAA')`.execute(db)
}
