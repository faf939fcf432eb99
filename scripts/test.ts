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
const server: pg.ClientConfig = postgres?.connection ?? { connectionString: url as string }

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
  const { db, close } = connect({ ...server, database: TEMPLATE })
  await migrate(db)
  await close()
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

/** Counts the assertions of the innermost tests; of a file that broke, the file itself. */
function count(tap: string): { passed: number; failed: number; skipped: number } {
  const totals = { passed: 0, failed: 0, skipped: 0 }
  for (const line of tap.split('\n')) {
    const match = /^\s*(not )?ok \d+(.*)$/.exec(line)
    if (!match) continue
    const [, not, rest = ''] = match
    if (/# SKIP/i.test(rest)) totals.skipped++
    else if (/# time=|\{$/.test(rest) && !not) continue
    else if (not) totals.failed++
    else totals.passed++
  }
  return totals
}
