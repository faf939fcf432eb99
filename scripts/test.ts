import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
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

/** Files at a time: they also wait, so more than the two processors that they are meant for. */
const JOBS = 4
const FILE_TIMEOUT_MS = 240_000

const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-test-'))
const url = process.env['TEST_DATABASE_URL']
const postgres = url === undefined ? await startEmbedded({ dataDir: work, durable: false }) : null
const server: pg.ClientConfig = postgres ? postgres.connection : partsOf(url as string)

try {
  await createTemplate()
  const results = await runFiles(files())
  const sum = (what: 'passed' | 'failed' | 'skipped') =>
    results.reduce((total, result) => total + result[what], 0)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
  process.exitCode = sum('failed') > 0 ? 1 : 0
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
  if (named.length > 0)
    return named.flatMap((name) => (statSync(name).isDirectory() ? globSync(`${name}/**/*.test.ts`) : name))
  const all = globSync('test/**/*.test.ts').filter((file) => file.startsWith('test/peers/') === peers)
  if (all.length === 0) throw new Error('No test files found')
  // The longest first, as far as their size tells: the last to run should be short ones.
  return all.sort((a, b) => statSync(b).size - statSync(a).size)
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

interface FileResult {
  file: string
  /** What the file wrote, in TAP (version 14), by the library. */
  tap: string
  passed: number
  failed: number
  skipped: number
}

/**
 * Runs the files, some at a time, each in a process of its own by plain Node, which takes half the time that
 * the library's own runner with its loaders takes.
 */
async function runFiles(testFiles: string[]): Promise<FileResult[]> {
  const results: FileResult[] = []
  const queue = testFiles.values()
  const work = async () => {
    for (const file of queue) {
      const result = await runFile(file)
      results.push(result)
      for (const failure of failures(result)) console.log(failure)
    }
  }
  await Promise.all(Array.from({ length: peers ? 1 : JOBS }, work))
  return results
}

function runFile(file: string): Promise<FileResult> {
  const child = spawn(process.execPath, [file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: FILE_TIMEOUT_MS,
    killSignal: 'SIGKILL',
    env: {
      ...process.env,
      TAP_TIMEOUT: String(FILE_TIMEOUT_MS / 1000),
      TEST_DATABASE: JSON.stringify(server),
      NODE_COMPILE_CACHE: path.join(work, 'compiled'),
    },
  })
  const chunks: Buffer[] = []
  const complaints: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      const tap = Buffer.concat(chunks).toString()
      const counts = count(tap)
      // What ended badly without a failed assertion, or without coming to its end, is a failure too.
      const broken = counts.failed === 0 && (code !== 0 || counts.passed + counts.skipped === 0)
      const reason = `not ok 1 - ended with ${signal ?? String(code)}\n`
      // Of a file that is well, what libraries grumble about is of no interest.
      if (broken || counts.failed > 0) process.stderr.write(Buffer.concat(complaints))
      resolve({ file, ...counts, tap: broken ? tap + reason : tap, failed: counts.failed + Number(broken) })
    })
  })
}

/** The totals of all assertions, from the comment that the library writes last; it leaves out what is 0. */
function count(tap: string): { passed: number; failed: number; skipped: number } {
  const last = [...tap.matchAll(/^# \{ total: .*\}$/gm)].at(-1)?.[0] ?? ''
  const total = (what: string) => Number(new RegExp(`${what}: (\\d+)`).exec(last)?.[1] ?? 0)
  return { passed: total('pass'), failed: total('fail'), skipped: total('skip') + total('todo') }
}

/** Each failed assertion with the tests that it is in; of a file without one, why it failed. */
function failures({ file, tap, failed }: FileResult): string[] {
  if (failed === 0) return []
  const lines = tap.split('\n')
  const tests: string[] = []
  const found: string[] = []
  for (const [index, line] of lines.entries()) {
    const [, indent = '', kind = '', name = ''] = /^( *)(# Subtest:|not ok \d+ -) (.*)$/.exec(line) ?? []
    const depth = indent.length / 4
    if (kind === '# Subtest:') tests.splice(depth, Infinity, name)
    // A test that failed has its time; what failed in it was there before.
    const isReason = !name.includes('# time=')
    if (!kind.startsWith('not ok') || !isReason || / # (todo|skip)/i.test(name)) continue
    const end = lines[index + 1]?.trim() === '---' ? lines.indexOf(`${indent}  ...`, index) : index
    const details = lines
      .slice(index + 2, Math.max(end, index + 2))
      .map((detail) => detail.slice(indent.length))
    found.push(['', `FAILED ${[file, ...tests.slice(0, depth), name].join(' > ')}`, ...details].join('\n'))
  }
  return found
}
