import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { connect } from '../db/connection/connect.ts'
import { startEmbedded } from '../db/embedded/embedded.ts'
import { migrate } from '../db/migrations/migrator.ts'
import { TEMPLATE } from '../test/helpers/database.ts'
import { buildConsoleIfOld } from './console-build.ts'
import { readResults, type TestResults } from './test-results.ts'

/**
 * Runs the tests: starts a PostgreSQL (or takes the one of TEST_DATABASE_URL), migrates the template that
 * each test copies, runs the files, names what was skipped, and ends with one line that counts.
 *
 *   npm test                     all but what follows
 *   npm run test:hosts           adapters against servers that play their DNS hosts
 *   npm run test:programs        what programs use: the Open API's clients and the protocols beside it
 *   npm run test:peers           those against real servers
 *   npm run test:console         the web console in a real browser
 *   npm test -- test/auth/*.ts   some files
 *
 * With `--again`, as in CI, the few files that failed run a second time when all others are done, and alone: on a shared machine
 * a browser or a server may not get its turn for seconds. What then passes counts, and is named as unsteady.
 */
const ARGUMENTS = process.argv.slice(2)
/** Folders that are runs of their own. */
const GROUPS = ['peers', 'hosts', 'programs', 'console']
const group = GROUPS.find((name) => ARGUMENTS.includes(`--${name}`))
const named = ARGUMENTS.filter((argument) => !argument.startsWith('--'))

/** Files at a time: they also wait, so more than the two processors that they are meant for. */
const JOBS = 4
/** Of groups whose files start much else. */
const FEWER_JOBS: Record<string, number> = { peers: 4, console: 3 }
/** Those that hold times to bounds: they run when all others are done, two at a time, as each waits for most of its own. */
const LAST = new Set([
  'test/console/budgets.test.ts',
  'test/peers/endings.test.ts',
  'test/peers/failover.test.ts',
  'test/peers/floods.test.ts',
  'test/peers/large-changes.test.ts',
  'test/peers/notifications.test.ts',
  'test/peers/outages.test.ts',
  'test/peers/outages-under-load.test.ts',
  'test/peers/packed-cli.test.ts',
  'test/peers/provider-floods.test.ts',
])
/** Long ones that are small files: they start before all others, so that none goes on when these are done. */
const LONG = new Set([
  'test/assignments/matrix.test.ts',
  'test/console/longer.test.ts',
  'test/console/views.test.ts',
  'test/hosts/powerdns.test.ts',
  'test/peers/powerdns-late.test.ts',
  'test/peers/reminders.test.ts',
])
/** Files whose times are told at the end: `LONG` is to name the first of them. */
const SHOWN_LONGEST = 8
/** More files that fail are no bad luck. */
const MOST_AGAIN = 4
const FILE_TIMEOUT_MS = group === 'console' || group === 'peers' ? 600_000 : 240_000
/** More than all databases that are there at a time. */
const MEMORY_BYTES = 4 * 1024 ** 3

const work = mkdtempSync(path.join(temporary(), 'zonekeeper-test-'))
const url = process.env['TEST_DATABASE_URL']
const postgres = url === undefined ? await startEmbedded({ dataDir: work, durable: false }) : null
const server: pg.ClientConfig = postgres ? postgres.connection : partsOf(url as string)

try {
  await createTemplate()
  const testFiles = files()
  if (testFiles.some((file) => file.startsWith('test/console/'))) await buildConsoleIfOld()
  const results = await runFiles(testFiles)
  report(ARGUMENTS.includes('--again') ? await failedAgain(results) : results)
} finally {
  await postgres?.stop()
  rmSync(work, { recursive: true, force: true })
}

/**
 * Where the databases go: into memory, where Linux has room for them. Copying one there takes a tenth of the
 * processor time that some file systems on disk take.
 */
function temporary(): string {
  const memory = '/dev/shm'
  if (process.env['TMPDIR'] !== undefined || !existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize < MEMORY_BYTES ? tmpdir() : memory
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
  const groupOf = (file: string) => GROUPS.find((name) => file.startsWith(`test/${name}/`))
  const all = globSync('test/**/*.test.ts').filter((file) => groupOf(file) === group)
  if (all.length === 0) throw new Error('No test files found')
  // The longest first, as far as their size tells: the last to run should be short ones.
  const weight = (file: string) => (LONG.has(file) ? Number.MAX_SAFE_INTEGER : statSync(file).size)
  return all.sort((a, b) => weight(b) - weight(a))
}

async function createTemplate(): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(`drop database if exists ${TEMPLATE} with (force)`)
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const template = connect({ ...server, database: TEMPLATE })
  await migrate(template.jobs)
  await template.close()
}

interface FileResults extends TestResults {
  file: string
  seconds: number
}

/**
 * Runs the files, some at a time, each in a process of its own by plain Node, which takes half the time that
 * the library's own runner with its loaders takes.
 */
async function runFiles(testFiles: string[]): Promise<FileResults[]> {
  const all: FileResults[] = []
  const runAll = async (queue: IterableIterator<string>) => {
    for (const file of queue) {
      const results = await runFile(file)
      all.push(results)
      tellFailures(results)
    }
  }
  const together = testFiles.filter((file) => !LAST.has(file)).values()
  await Promise.all(Array.from({ length: FEWER_JOBS[group ?? ''] ?? JOBS }, () => runAll(together)))
  const last = testFiles.filter((file) => LAST.has(file)).values()
  await Promise.all([runAll(last), runAll(last)])
  return all
}

/** The results with those of the files that failed replaced by what they came to in a second run. */
async function failedAgain(all: FileResults[]): Promise<FileResults[]> {
  const failed = all.filter(({ failures }) => failures.length > 0)
  if (failed.length > MOST_AGAIN) return all
  const second = new Map<string, FileResults>()
  for (const { file, failures } of failed) {
    console.log(`\nAGAIN ${file}`)
    const results = await runFile(file)
    second.set(file, results)
    tellFailures(results)
    if (results.failures.length === 0)
      for (const { test } of failures) console.log(`UNSTEADY ${file} > ${test}: failed once, passed alone`)
  }
  return all.map((results) => second.get(results.file) ?? results)
}

function tellFailures({ file, failures }: FileResults): void {
  for (const { test, details } of failures) console.log(`\nFAILED ${file} > ${test}\n${details}`)
}

async function runFile(file: string): Promise<FileResults> {
  const began = performance.now()
  const child = spawn(process.execPath, [file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: FILE_TIMEOUT_MS,
    killSignal: 'SIGKILL',
    env: {
      ...process.env,
      TAP_TIMEOUT: String(FILE_TIMEOUT_MS / 1000),
      TEST_DATABASE: JSON.stringify(server),
      // With it V8 counts less exactly what ran.
      ...(process.env['NODE_V8_COVERAGE'] === undefined && {
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? path.join(work, 'compiled'),
      }),
    },
  })
  const [{ passed, failures, skips }, complaints, [code, signal]] = await Promise.all([
    readResults(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ])
  // What was killed, ended badly without a failed assertion, or asserted nothing, is a failure too.
  const broken = failures.length === 0 && (code !== 0 || passed + skips.length === 0)
  if (signal !== null || broken)
    failures.push({ test: `ended with ${signal ?? code}`, details: `${passed} assertions passed` })
  // Of a file that is well, what libraries grumble about is of no interest.
  if (failures.length > 0) process.stderr.write(complaints)
  return { file, seconds: (performance.now() - began) / 1000, passed, failures, skips }
}

function report(all: FileResults[]): void {
  for (const { file, skips } of all)
    for (const { test, reason } of skips) console.log(`SKIPPED ${file} > ${test}: ${reason}`)
  const longest = all.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN_LONGEST)
  const times = longest.map(({ file, seconds }) => `${file} ${seconds.toFixed(0)} s`)
  console.log(`The longest of ${all.length} files: ${times.join(', ')}`)
  const sum = (count: (results: FileResults) => number) =>
    all.reduce((total, results) => total + count(results), 0)
  const failed = sum(({ failures }) => failures.length)
  const skipped = sum(({ skips }) => skips.length)
  console.log(`${sum(({ passed }) => passed)} passed, ${failed} failed, ${skipped} skipped`)
  process.exitCode = failed > 0 ? 1 : 0
}
