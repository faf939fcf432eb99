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
const server: pg.ClientConfig = postgres ? postgres.connection : partsOf(url as string)

try {
  await createTemplate()
  const exitCode = await runTap(files(), path.join(work, 'results.tap'))
  const results = readFileSync(path.join(work, 'results.tap'), 'utf8')
  const { passed, failed, skipped } = count(results)
  if (!process.stdout.isTTY) for (const failure of failures(results)) console.log(failure)
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  process.exitCode = exitCode
} finally {
  await postgres?.stop()
  rmSync(work, { recursive: true, force: true })
}

/** The URL in parts: of a connection string the database could not be replaced by the tests' own. */
function partsOf(connectionString: string): pg.ClientConfig {
  const { hostname, port, username, password, pathname } = new URL(connectionString)
  return {
    host: hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1) || 'postgres',
  }
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
    // Its reporter draws on a terminal; elsewhere, and wherever CI is set, it would leave the failures out.
    [
      'run',
      `--reporter=${process.stdout.isTTY ? 'terse' : 'silent'}`,
      `--output-file=${results}`,
      `--jobs=${peers ? 1 : 3}`,
      ...testFiles,
    ],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        TEST_DATABASE: JSON.stringify(server),
        NODE_COMPILE_CACHE: path.join(work, 'compiled'),
      },
    },
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

/** Each failed assertion with the tests that it is in, and each file that failed without one. */
function failures(tap: string): string[] {
  const lines = tap.split('\n')
  const tests: string[] = []
  const found: string[] = []
  let inFile = 0
  for (const [index, line] of lines.entries()) {
    const [, indent = '', kind = '', name = ''] = /^( *)(# Subtest:|not ok \d+ -) (.*)$/.exec(line) ?? []
    const depth = indent.length / 4
    if (kind === '# Subtest:') {
      tests.splice(depth, Infinity, name)
      if (depth === 0) inFile = found.length
    }
    // A test that failed has its time; what failed in it was there before.
    const isReason = depth === 0 ? found.length === inFile : !name.includes('# time=')
    if (!kind.startsWith('not ok') || !isReason || / # (todo|skip)/i.test(name)) continue
    const end = lines[index + 1]?.trim() === '---' ? lines.indexOf(`${indent}  ...`, index) : index
    const details = lines
      .slice(index + 2, Math.max(end, index + 2))
      .map((detail) => detail.slice(indent.length))
    found.push(['', `FAILED ${[...tests.slice(0, depth), name].join(' > ')}`, ...details].join('\n'))
  }
  return found
}
