import { execFileSync } from 'node:child_process'
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { until } from '../helpers/until.ts'

const isRoot = process.getuid?.() === 0
/** PostgreSQL refuses root. */
const AS = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : []

/** PostgreSQL's programs as Debian packages them, and a directory for sockets and data. */
export interface DebianPrograms {
  home: string
  /** Of `psql` and the like, for the administrator of the server in `home`. */
  env: Record<string, string>
  /** The command that runs one of them as an account that it accepts. */
  command(program: string, ...options: string[]): string[]
  run(program: string, ...options: string[]): void
  /** Answers what `psql` prints, one row a line, without headings. */
  psql(statement: string, options?: { database?: string; port?: number }): string
  /** Waits until a server takes connections. */
  answers(port?: number): Promise<unknown>
}

/** All is gone when the test ends. */
export function debianPrograms(t: { teardown(end: () => unknown): void }): DebianPrograms {
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
  const env = { PGHOST: home, PGUSER: 'postgres', PATH: `${bin}:${process.env['PATH']}` }
  const command = (program: string, ...options: string[]) => [...AS, path.join(bin, program), ...options]
  const run = (program: string, ...options: string[]) => {
    const [file = '', ...rest] = command(program, ...options)
    execFileSync(file, rest, { cwd: home, stdio: 'pipe', env: { ...process.env, ...env } })
  }
  const psql: DebianPrograms['psql'] = (statement, { database = 'postgres', port = 5432 } = {}) =>
    execFileSync(
      'psql',
      [
        '--no-psqlrc',
        '-At',
        '-v',
        'ON_ERROR_STOP=1',
        `--port=${port}`,
        `--dbname=${database}`,
        '-c',
        statement,
      ],
      { env: { ...process.env, ...env }, stdio: 'pipe' },
    ).toString()
  const answers = (port?: number) =>
    until('PostgreSQL answers', () => {
      try {
        return psql('select 1', port === undefined ? {} : { port })
      } catch {
        return null
      }
    })
  return { home, env, command, run, psql, answers }
}
