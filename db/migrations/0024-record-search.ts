import { sql, type Kysely } from 'kysely'

/**
 * Finding records over all domains by their address, and by their whole value: indexes on expressions, so that no row
 * is written anew. A service that runs meanwhile can read records and not change them as long as they are built: about
 * ten seconds for a million records.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  // What a provider calls an address and is none has no place in the index, and fails no write.
  `create function record_address(value text) returns inet
    language plpgsql immutable strict parallel safe as $$
    begin
      return value::inet;
    exception when invalid_text_representation then
      return null;
    end $$`,
  `create index records_address on records (record_address(value)) where type in ('A', 'AAAA')`,
  // Digits are in all addresses, so a text with some of them is found much faster where addresses are not.
  `create index records_texts on records using gin (value gin_trgm_ops) where type not in ('A', 'AAAA')`,
  'create index records_names on records using gin (name gin_trgm_ops)',
  'drop index records_search',
  // A hash is small for values of any length, and of equal ones the index keeps one.
  'create index records_value on records (hashtextextended(value, 0))',
]
