import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { startEmbedded } from '../../../db/embedded/embedded.ts'
import { untilReady } from '../../../db/embedded/postmaster.ts'
import { spawnGuarded } from '../../../db/embedded/processes.ts'
import {
  packageName,
  asRoot,
  nobody,
  temporary,
  start,
  query,
  isAlive,
  untilDead,
  startOwner,
  kill,
  checkout,
} from './embedded-servers.ts'

const shared = temporary(t)

void t.test('a postgres that does not come up', async (t) => {
  await t.rejects(startEmbedded({ dataDir: shared, settings: { shared_buffers: 'plenty' } }), {
    message: /PostgreSQL failed to start \(exit code 1\):\n.*invalid value for parameter "shared_buffers"/,
  })
  t.strictSame(readdirSync(shared), ['postgres'])

  const silent = spawnGuarded(['/bin/sleep', '60'], { cwd: '/', account: undefined })
  await t.rejects(untilReady(silent, shared, 100), { message: /did not start within 0.1 s/ })
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
  if (typeof other === 'string') t.match(other, /too long for a Unix socket/)
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

void t.test(
  '98. as root without a user postgres: by an id that nobody has',
  { skip: !asRoot && 'only root may change to another user' },
  async (t) => {
    const tools = temporary(t)
    const id = '#!/bin/sh\ncase "$*" in *postgres*) exit 1;; esac\nPATH=$REST exec id "$@"\n'
    writeFileSync(join(tools, 'id'), id, { mode: 0o755 })
    const path = process.env['PATH'] as string
    Object.assign(process.env, { REST: path, PATH: `${tools}:${path}` })
    t.teardown(() => Object.assign(process.env, { PATH: path }))

    const dataDir = join(temporary(t), 'data')
    const cluster = join(dataDir, 'postgres')
    const server = await start(t, dataDir)
    const { uid } = statSync(cluster)
    t.notOk([0, nobody.uid].includes(uid))
    t.throws(() => execFileSync('id', ['-nu', String(uid)], { stdio: 'ignore' }), 'it has no name')
    t.match(readFileSync(`/proc/${server.pid}/status`, 'utf8'), new RegExp(`^Uid:\\t${uid}\\t`, 'm'))
    await query(server.connection, 'create table kept as select 11 as value')
    await server.stop()

    execFileSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, cluster])
    const again = await start(t, dataDir)
    t.equal(statSync(cluster).uid, uid, 'what an earlier version gave to nobody is taken back')
    t.strictSame(await query(again.connection, 'select value from kept'), [11])
    await again.stop()
  },
)

void t.test('98. as an ordinary user', async (t) => {
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
    await t.rejects(unwritable, { message: /libpq.so.5 is missing and can't be created.*DATABASE_URL/ })
  }
  const locked = temporary(t)
  chmodSync(locked, 0o500)
  const refused = startOwner(t, join(locked, 'data'), { module, node, ...account })
  await t.rejects(refused, { message: /The user with id .* can't use the data directory/ })
})
