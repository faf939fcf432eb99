import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startEmbedded } from '../../../db/embedded/embedded.ts'
import { waitUntilFree } from '../../../db/embedded/postmaster.ts'
import { startOf } from '../../../db/embedded/processes.ts'
import { until } from '../../helpers/until.ts'
import { asRoot, temporary, start, connect, query, isAlive, startOwner, kill } from './embedded-servers.ts'

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
  await until('the cluster in the making', () =>
    readdirSync(dataDir).some((name) => name.startsWith('postgres.init-')),
  )
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
  const child = spawn('/bin/sh', ['-c', 'sleep 1 & echo $!; exec sleep 60'], asRoot ? { uid, gid } : {})
  t.teardown(() => kill(child))
  const [zombie] = (await once(createInterface(child.stdout), 'line')) as [string]
  await until('the zombie', () => !isAlive(Number(zombie)))
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
  const named = new RegExp(`PostgreSQL process ${server.pid}, started by someone else`)
  await t.rejects(waitUntilFree(place, undefined, 50), { message: named })

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

void t.test(
  '89. what a Zonekeeper that died left behind is ended when it does not end by itself',
  async (t) => {
    const server = await start(t, shared)
    const cluster = join(shared, 'postgres')
    await waitUntilFree({ cluster, socketDirectory: cluster }, 42, 2000)
    t.match(await server.ended, /^PostgreSQL ended unexpectedly/)
  },
)

void t.test('89. a crash of postgres', async (t) => {
  const server = await start(t, shared)
  const client = await connect(t, server.connection)
  const [row] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows
  // A session that doesn't notice yet: until it has, nothing new may work on its files.
  process.kill(row!.pid, 'SIGSTOP')
  process.kill(server.pid, 'SIGKILL')
  t.match(await server.ended, /^PostgreSQL ended unexpectedly \(signal SIGKILL\)/)
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
