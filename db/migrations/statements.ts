import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Migration } from './migration.ts'

/** PostgreSQL's table locks that migrations take, from weak to strong (PostgreSQL manual, 13.3.1). */
export const LOCKS = [
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'ACCESS EXCLUSIVE',
] as const
export type Lock = (typeof LOCKS)[number]

/** What a statement does with each row of a table. `exclusion` builds the index of an exclusion constraint. */
export type Work = 'none' | 'scan' | 'index' | 'exclusion' | 'rewrite' | 'update'

/** What a statement takes of a table, or of the table of an index. */
export interface Effect {
  table?: string
  index?: string
  lock: Lock
  work: Work
}

/** Returns the SQL statements of a migration without a database; what depends on the rows that it reads may be missing. */
export async function statementsOf({ up, steps = [] }: Migration): Promise<string[]> {
  const statements: string[] = []
  const recorder = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log({ query }) {
      statements.push(query.sql)
    },
  })
  await up(recorder)
  for (const step of steps) {
    if ('run' in step) await step.run(recorder)
    else await step.batch(recorder, { after: null, size: 1 })
  }
  return statements
}

const VOLATILE =
  /add column .*(?:generated always as .* stored|as identity|default (?:gen_random_uuid|uuidv7|nextval|clock_timestamp|random)\()/

/** Returns what a statement, as migrations write them, takes of existing tables. */
export function effectsOf(statement: string): Effect[] {
  const text = statement.replaceAll(/--.*$/gm, '').replaceAll('"', '').replaceAll(/\s+/g, ' ').trim()
  const referenced = [...text.matchAll(/\breferences (\w+)/g)].map(([, table]): Effect => ({
    table: table as string,
    lock: 'SHARE ROW EXCLUSIVE',
    work: 'none',
  }))
  if (text.startsWith('create table')) return referenced
  const index = /^create (?:unique )?index (concurrently )?(?:if not exists )?(?:\w+ )?on (\w+)/.exec(text)
  if (index) {
    return [{ table: index[2] as string, lock: index[1] ? 'SHARE UPDATE EXCLUSIVE' : 'SHARE', work: 'index' }]
  }
  const dropped = /^drop index (concurrently )?(?:if exists )?(\w+)/.exec(text)
  if (dropped) {
    const lock = dropped[1] ? 'SHARE UPDATE EXCLUSIVE' : 'ACCESS EXCLUSIVE'
    return [{ index: dropped[2] as string, lock, work: 'none' }]
  }
  const table = /^(?:alter|drop) table (?:if exists )?(?:only )?(\w+)(.*)/.exec(text)
  if (table) {
    const [, name, actions] = table as unknown as [string, string, string]
    const lock = / validate constraint/.test(actions) ? 'SHARE UPDATE EXCLUSIVE' : 'ACCESS EXCLUSIVE'
    return [{ table: name, lock, work: workOf(actions) }, ...referenced]
  }
  const written = text.matchAll(/\b(update|insert into|delete from) (\w+)/g)
  return [...written]
    .filter(([, , name]) => name !== 'set')
    .map(([, verb, name]) => ({
      table: name as string,
      lock: 'ROW EXCLUSIVE',
      // Rows that come from other tables are not counted: migrations add few.
      work: verb === 'insert into' ? 'none' : 'update',
    }))
}

function workOf(actions: string): Work {
  if (/ exclude using /.test(actions)) return 'exclusion'
  if (/alter column \w+ (?:set data )?type |set (?:un)?logged/.test(actions) || VOLATILE.test(actions))
    return 'rewrite'
  if (/add (?:constraint \w+ )?(?:unique|primary key)/.test(actions)) return 'index'
  if (actions.endsWith(' not valid')) return 'none'
  const scans =
    / validate constraint| check \(|add (?:constraint|foreign key)|set not null|add column [^,]* references /
  return scans.test(actions) ? 'scan' : 'none'
}
