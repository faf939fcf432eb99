import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { splitPatterns } from '../../../dns/names/name-patterns.ts'

/**
 * `coversName` of dns/names/name-patterns as conditions on canonical names, as records store them: lower case, with
 * one way to write escapes.
 */

/**
 * Whether a name ends in one of the endings, each a dot and a name. A dot after an odd number of backslashes belongs to
 * a label and doesn't separate.
 */
const endsInOne = (name: RawBuilder<unknown>, endings: RawBuilder<unknown>) => sql<SqlBool>`exists (
  select from unnest(${endings}) as ending, lateral (select left(${name}, -length(ending)) as start) as cut
  where right(${name}, length(ending)) = ending and (length(start) - length(rtrim(start, '\\'))) % 2 = 0)`

/** Whether parsed patterns cover a name; null if they cover all names. */
export function namesCovered(
  name: RawBuilder<unknown>,
  patterns: readonly string[] | null,
): RawBuilder<SqlBool> | null {
  const split = patterns && splitPatterns(patterns)
  if (!split) return null
  return sql`(${name} = any(${split.exact}::text[]) or ${endsInOne(name, sql`${split.below}::text[]`)})`
}

/** Whether patterns in the column `pattern` of `from` cover a name; they are read once, not per name. */
export function namesCoveredBy(name: RawBuilder<unknown>, from: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const patterns = sql`array(select pattern ${from})`
  const endings = sql`array(select substr(pattern, 2) ${from} and pattern like '*.%')`
  const likes = sql`array(
    select '%' || regexp_replace(substr(pattern, 2), '([\\\\%_])', '\\\\\\1', 'g') ${from} and pattern like '*.%')`
  // Only names with escapes need the exact comparison.
  return sql`('*' = any(${patterns}) or ${name} = any(${patterns}) or (${name} like any(${likes})
    and (strpos(${name}, '\\') = 0 or ${endsInOne(name, endings)})))`
}
