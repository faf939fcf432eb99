import { execFileSync } from 'node:child_process'
import path from 'node:path'
import type pg from 'pg'
import { until } from '../helpers/until.ts'
import { debianPrograms } from './debian-programs.ts'
import { startProgram } from './processes.ts'

/** A primary and its standby, to which it streams: a commit is acknowledged when both have it. */
export interface DebianPair {
  primary: pg.ClientConfig
  standby: pg.ClientConfig
  /** To all processes of the primary, as if its machine died (SIGKILL) or stood still (SIGSTOP). */
  signalPrimary(signal: NodeJS.Signals): void
  /** The standby becomes the primary. */
  promote(): void
  /** On the standby; answers what `psql` prints, one row a line. */
  sql(statement: string): string
}

const PORTS = { primary: 5432, standby: 5433 }

/** Each takes everybody without a password on a socket of its own. */
export async function startDebianPair(t: { teardown(end: () => unknown): void }): Promise<DebianPair> {
  const { home, run, command, psql, answers } = debianPrograms(t)
  const data = (name: string) => path.join(home, name)
  const start = async (name: keyof typeof PORTS, ...more: string[]) => {
    const settings = ['-c', 'listen_addresses=', '-c', 'fsync=off', '-k', home, '-p', String(PORTS[name])]
    const program = await startProgram(command('postgres', '-D', data(name), ...settings, ...more), {
      cwd: home,
    })
    t.teardown(() => program.stop())
    await answers(PORTS[name])
    return program
  }
  run('initdb', '-D', data('primary'), '-U', 'postgres', '-A', 'trust', '--no-sync')
  const primary = await start('primary', '-c', 'synchronous_standby_names=*')
  run('pg_basebackup', '-D', data('standby'), '--write-recovery-conf', '--checkpoint=fast', '--no-sync')
  await start('standby')
  await until('the standby is in step', () =>
    psql('select sync_state from pg_stat_replication').includes('sync'),
  )
  const config = (name: keyof typeof PORTS): pg.ClientConfig => ({
    host: home,
    port: PORTS[name],
    user: 'postgres',
    database: 'postgres',
  })
  return {
    primary: config('primary'),
    standby: config('standby'),
    signalPrimary(signal) {
      const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(primary.pid)], { encoding: 'utf8' })
      for (const pid of [primary.pid, ...children.trim().split('\n').map(Number)]) process.kill(pid, signal)
    },
    promote: () => void psql('select pg_promote()', { port: PORTS.standby }),
    sql: (statement) => psql(statement, { port: PORTS.standby }),
  }
}
