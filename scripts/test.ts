import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { connect } from '../db/connection/connect.ts'
import { startEmbedded } from '../db/embedded/embedded.ts'
import { migrate } from '../db/migrations/migrator.ts'
import { TEMPLATE } from '../test/helpers/database.ts'
import { buildConsoleIfOld } from './console/console-build.ts'
import { readResults, type TestResults } from './test-results.ts'

/**
 * Runs the tests: starts a PostgreSQL (or uses TEST_DATABASE_URL), migrates the template database that each test
 * copies, runs the files, names skipped tests, and ends with one line of totals.
 *
 *   npm test                     everything except the groups below
 *   npm run test:hosts           adapters against simulators of their DNS providers
 *   npm run test:programs        clients of the Open API, and the other protocols
 *   npm run test:peers           against real servers, and the integrations/ that are installed elsewhere
 *   npm run test:console         the console in a real browser
 *   npm test -- test/auth/*.ts   some files
 *
 * With `--again`, as in CI, up to four failed files run once more on their own at the end, because on a shared machine a
 * browser or server may be starved for seconds. A pass then counts, and the test is reported as unsteady.
 */
const ARGUMENTS = process.argv.slice(2)
/** Folders that run separately. */
const GROUPS = ['peers', 'hosts', 'programs', 'console']
const group = GROUPS.find((name) => ARGUMENTS.includes(`--${name}`))
const named = ARGUMENTS.filter((argument) => !argument.startsWith('--'))

/** Files at a time: more than the two processors of CI, because tests also wait. */
const JOBS = 4
/** The same for groups whose files start other processes. */
const FEWER_JOBS: Record<string, number> = { peers: 4, console: 3 }
/** What a file may say in its first line about its turn: `// Runs last: holds times to bounds.` */
const TURN = /^\/\/ Runs (first|last): /
/** Files whose times are printed at the end; a small file among them should run first. */
const SHOWN_LONGEST = 8
/** With more failed files, nothing runs again. */
const MOST_AGAIN = 4
const FILE_TIMEOUT_MS = group === 'console' || group === 'peers' ? 600_000 : 240_000
/** More than all test databases take at a time. */
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

/** Returns the folder for the databases: in memory if Linux has room, where a copy takes a tenth of the processor time. */
function temporary(): string {
  const memory = '/dev/shm'
  if (process.env['TMPDIR'] !== undefined || !existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize < MEMORY_BYTES ? tmpdir() : memory
}

/** Splits the URL, so that tests can replace the database. */
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
  const groupOf = (file: string) =>
    file.startsWith('integrations/') ? 'peers' : GROUPS.find((name) => file.startsWith(`test/${name}/`))
  const all = globSync('{test,integrations}/**/*.test.ts').filter((file) => groupOf(file) === group)
  if (all.length === 0) throw new Error('No test files found')
  // The longest first, as far as their size tells, so that short ones run at the end.
  const weight = (file: string) => (turnOf(file) === 'first' ? Number.MAX_SAFE_INTEGER : statSync(file).size)
  return all.sort((a, b) => weight(b) - weight(a))
}

/** `last`: when all others are done, two at a time, because each mostly waits. */
function turnOf(file: string): string | undefined {
  return TURN.exec(readFileSync(file, 'utf8'))?.[1]
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

/** Runs each file in a plain Node process, which takes half the time of tap's own runner. */
async function runFiles(testFiles: string[]): Promise<FileResults[]> {
  const all: FileResults[] = []
  const runAll = async (queue: IterableIterator<string>) => {
    for (const file of queue) {
      const results = await runFile(file)
      all.push(results)
      tellFailures(results)
    }
  }
  const { last = [], rest = [] } = Object.groupBy(testFiles, (file) =>
    turnOf(file) === 'last' ? 'last' : 'rest',
  )
  const together = rest.values()
  await Promise.all(Array.from({ length: FEWER_JOBS[group ?? ''] ?? JOBS }, () => runAll(together)))
  const atTheEnd = last.values()
  await Promise.all([runAll(atTheEnd), runAll(atTheEnd)])
  return all
}

/** Runs failed files again, and returns the results with theirs replaced. */
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
      // The compile cache makes V8's coverage less exact.
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
  // Killed, ended with an error but no failed assertion, or without any assertion: also a failure.
  const broken = failures.length === 0 && (code !== 0 || passed + skips.length === 0)
  if (signal !== null || broken)
    failures.push({ test: `ended with ${signal ?? code}`, details: `${passed} assertions passed` })
  // Warnings of libraries matter only when the file failed.
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
