import { execFileSync } from 'node:child_process'
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { until } from '../helpers/until.ts'
import { startProgram } from './processes.ts'

const isRoot = process.getuid?.() === 0
/** PostgreSQL refuses root. */
const AS = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : []

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
  const bin = globSync('/usr/lib/postgresql/*/bin')
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1)
  if (bin === undefined) throw new Error('There is no PostgreSQL: run scripts/install-peers.sh')
  const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-debian-'))
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  if (isRoot) {
    const [uid, gid] = ['-u', '-g'].map((option) => Number(execFileSync('id', [option, 'postgres'])))
    chownSync(home, uid as number, gid as number)
  }
  const data = path.join(home, 'data')
  const as = (program: string, ...rest: string[]): string[] => [...AS, path.join(bin, program), ...rest]
  const [initdb = '', ...options] = as('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync')
  execFileSync(initdb, options, { cwd: home, stdio: 'pipe' })
  const settings = ['-c', 'listen_addresses=', '-c', 'fsync=off', '-k', home]
  const server = await startProgram(as('postgres', '-D', data, ...settings), { cwd: home })
  t.teardown(() => server.stop())
  const env = { PGHOST: home, PGUSER: 'postgres', PATH: `${bin}:${process.env['PATH']}` }
  const psql = (database: string, ...rest: string[]) =>
    execFileSync('psql', ['--no-psqlrc', '-At', '-v', 'ON_ERROR_STOP=1', `--dbname=${database}`, ...rest], {
      env: { ...process.env, ...env },
      stdio: 'pipe',
    }).toString()
  await until(`PostgreSQL answers: ${server.output()}`, () => {
    try {
      return psql('postgres', '-c', 'select 1')
    } catch {
      return null
    }
  })
  return {
    env,
    sql: (statement, database = 'postgres') => psql(database, '-c', statement),
    url: (role, database) =>
      `postgres:///${database}?${new URLSearchParams({ host: home, user: role }).toString()}`,
  }
}
