import { sql, type Kysely } from 'kysely'

/**
 * Search for records of all domains by address or by whole value: indexes on expressions, so no row is
 * rewritten. While they are built, records can be read but not changed: about ten seconds for a million
 * records.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  // A value that a provider wrongly stores as an address isn't indexed and doesn't fail the write.
  `create function record_address(value text) returns inet
    language plpgsql immutable strict parallel safe as $$
    begin
      return value::inet;
    exception when invalid_text_representation then
      return null;
    end $$`,
  `create index records_address on records (record_address(value)) where type in ('A', 'AAAA')`,
  // All addresses have digits, so texts with digits are found much faster in an index without addresses.
  `create index records_texts on records using gin (value gin_trgm_ops) where type not in ('A', 'AAAA')`,
  'create index records_names on records using gin (name gin_trgm_ops)',
  'drop index records_search',
  // A hash is small for values of any length, and the index stores equal ones once.
  'create index records_value on records (hashtextextended(value, 0))',
]
