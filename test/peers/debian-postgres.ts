import path from 'node:path'
import { debianPrograms } from './debian-programs.ts'
import { startProgram } from './processes.ts'

export interface DebianPostgres {
  /** Of `psql` and the like, for its administrator. */
  env: Record<string, string>
  /** Answers what `psql` prints, one row a line, without headings. */
  sql(statement: string, database?: string): string
  /** For the service. */
  url(role: string, database: string): string
}

/** A PostgreSQL as Debian packages it, on a socket of its own, which takes everybody without a password. */
export async function startDebianPostgres(t: {
  teardown(end: () => unknown): void
}): Promise<DebianPostgres> {
  const { home, env, run, command, psql, answers } = debianPrograms(t)
  const data = path.join(home, 'data')
  run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync')
  const settings = ['-c', 'listen_addresses=', '-c', 'fsync=off', '-k', home]
  const server = await startProgram(command('postgres', '-D', data, ...settings), { cwd: home })
  t.teardown(() => server.stop())
  await answers()
  return {
    env,
    sql: (statement, database = 'postgres') => psql(statement, { database }),
    url: (role, database) =>
      `postgres:///${database}?${new URLSearchParams({ host: home, user: role }).toString()}`,
  }
}
