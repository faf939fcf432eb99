import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { connect } from '../db/connect.ts'
import { startEmbedded } from '../db/embedded.ts'
import { migrate } from '../db/migrator.ts'
import { TEMPLATE } from '../test/helpers/database.ts'

/**
 * Runs the tests: starts a PostgreSQL (or takes the one of TEST_DATABASE_URL), migrates the template that
 * each test copies, runs the files, and ends with one line that counts.
 *
 *   npm test                     all but the peers
 *   npm run test:peers           those against real servers
 *   npm test -- test/auth/*.ts   some files
 */
const ARGUMENTS = process.argv.slice(2)
const peers = ARGUMENTS.includes('--peers')
const named = ARGUMENTS.filter((argument) => !argument.startsWith('--'))

const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-test-'))
const url = process.env['TEST_DATABASE_URL']
const postgres = url === undefined ? await startEmbedded({ dataDir: work, durable: false }) : null
const server: pg.ClientConfig = postgres ? postgres.connection : { connectionString: url }

try {
  await createTemplate()
  const exitCode = await runTap(files(), path.join(work, 'results.tap'))
  const { passed, failed, skipped } = count(readFileSync(path.join(work, 'results.tap'), 'utf8'))
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  process.exitCode = exitCode
} finally {
  await postgres?.stop()
  rmSync(work, { recursive: true, force: true })
}

function files(): string[] {
  if (named.length > 0) return named
  const all = globSync('test/**/*.test.ts').filter((file) => file.startsWith('test/peers/') === peers)
  if (all.length === 0) throw new Error('No test files found')
  return all.sort()
}

async function createTemplate(): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(`drop database if exists ${TEMPLATE} with (force)`)
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const template = connect({ ...server, database: TEMPLATE })
  await migrate(template.db)
  await template.close()
}

function runTap(testFiles: string[], results: string): Promise<number> {
  const tap = spawn(
    'tap',
    ['run', '--reporter=terse', `--output-file=${results}`, `--jobs=${peers ? 1 : 3}`, ...testFiles],
    { stdio: 'inherit', env: { ...process.env, TEST_DATABASE: JSON.stringify(server) } },
  )
  return new Promise((resolve, reject) => {
    tap.on('error', reject)
    tap.on('exit', (code) => resolve(code ?? 1))
  })
}

/** The totals of all assertions, from the comment that the runner writes last. */
function count(tap: string): { passed: number; failed: number; skipped: number } {
  const last = [...tap.matchAll(/^# \{ total: .*\}$/gm)].at(-1)?.[0] ?? ''
  const total = (what: string) => Number(new RegExp(`${what}: (\\d+)`).exec(last)?.[1] ?? 0)
  return { passed: total('pass'), failed: total('fail'), skipped: total('skip') + total('todo') }
}
