import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import type { Statement } from './statements.ts'

const run = promisify(execFile)

export const hasPgbench = existsSync('/usr/bin/pgbench')

/** Transactions per second of one prepared statement from four clients: the limit of the database. */
export async function pgbench(
  config: pg.ClientConfig,
  { text, values }: Statement,
  seconds: number,
): Promise<number> {
  const directory = mkdtempSync(path.join(tmpdir(), 'zonekeeper-pgbench-'))
  const script = path.join(directory, 'statement.sql')
  writeFileSync(script, `${text.replace(/\$(\d+)/g, ':p$1')};\n`)
  const variables = values.flatMap((value, i) => ['-D', `p${i + 1}=${textOf(value)}`])
  const server = ['-h', String(config.host), '-p', String(config.port), '-U', String(config.user)]
  const options = ['-n', '-M', 'prepared', '-c', '4', '-T', String(seconds), '-f', script]
  try {
    const { stdout } = await run('/usr/bin/pgbench', [
      ...server,
      ...options,
      ...variables,
      String(config.database),
    ])
    const tps = /tps = ([\d.]+)/.exec(stdout)?.[1]
    if (tps === undefined) throw new Error(stdout)
    return Number(tps)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** In PostgreSQL's array syntax; the lists here have plain words only. */
const textOf = (value: unknown): string => (Array.isArray(value) ? `{${value.join(',')}}` : String(value))
