import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t, { type Test } from 'tap'
import { createDatabase } from '../helpers/database.ts'
import { inherited } from '../helpers/environment.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

interface Server {
  process: ChildProcess
  /** All it has printed so far. */
  output(): string
  /** Resolves with the match when it has printed that; rejects when it ended without. */
  prints(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves with code and signal when it has ended. */
  ended: Promise<{ code: number | null; signal: string | null }>
}

/** Runs `node server.js` with only these variables, in a directory with that as `.env`. */
function start(t: Test, environment: Record<string, string>, envFile = ''): Server {
  const cwd = directory(t)
  writeFileSync(path.join(cwd, '.env'), envFile)
  const child = spawn(process.execPath, [path.join(ROOT, 'server.js')], {
    cwd,
    env: { ...inherited(), PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  t.teardown(async () => {
    child.kill('SIGTERM')
    await ended
  })
  return { process: child, output: () => output, prints: (pattern) => prints(pattern), ended }

  async function prints(pattern: RegExp): Promise<RegExpExecArray> {
    let over = false
    void ended.then(() => (over = true))
    for (;;) {
      const found = pattern.exec(output)
      if (found) return found
      if (over) throw new Error(`The server ended without printing ${pattern}:\n${output}`)
      await Promise.race([ended, once(child.stdout as NodeJS.EventEmitter, 'data')])
    }
  }
}

// A noisy machine may take its time over a dozen processes.
t.setTimeout(180_000)

function directory(t: Test): string {
  const made = mkdtempSync(path.join(tmpdir(), 'zonekeeper-server-'))
  t.teardown(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** A database of the test's own, and its URL. */
async function ownDatabase(t: Test): Promise<{ url: string; config: pg.ClientConfig }> {
  const { config } = await createDatabase(t)
  if (config.connectionString !== undefined) {
    const url = new URL(config.connectionString)
    url.pathname = `/${config.database}`
    return { url: url.href, config }
  }
  const query = new URLSearchParams({ host: String(config.host), port: String(config.port) })
  return { url: `postgres://${config.user}@localhost/${config.database}?${query.toString()}`, config }
}

const LISTENS = /Zonekeeper listens on (http:\/\/127\.0\.0\.1:\d+)/
const PASSWORD = /First administrator: (\S+), password: (\S+) /

const login = (address: string, username: string, password: string) =>
  fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })

void t.test('a process that stops says so first, and serves requests meanwhile', async (t) => {
  const { url } = await ownDatabase(t)
  const environment = { DATABASE_URL: url, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
  const server = start(t, { ...environment, DRAIN_SECONDS: '2', ADMIN_PASSWORD: 'a password of mine' })
  const address = (await server.prints(LISTENS))[1] as string
  t.equal((await fetch(`${address}/readyz`)).status, 200)
  const begun = performance.now()
  server.process.kill('SIGTERM')
  await server.prints(/"msg":"draining"/)
  const ready = await fetch(`${address}/readyz`)
  t.equal(ready.status, 503)
  t.same(await ready.json(), { ready: false, state: 'draining', checks: [] })
  t.equal((await fetch(`${address}/healthz`)).status, 200)
  t.equal((await login(address, 'admin', 'a password of mine')).status, 200)
  t.match(await server.ended, { code: 0, signal: null })
  t.ok(performance.now() - begun >= 2_000, 'for as long as it should')
})

void t.test('the life of an installation', async (t) => {
  const dataDir = path.join(directory(t), 'data')
  const first = start(t, { DATA_DIR: dataDir })
  let password = ''
  let address = ''

  await t.test('8. the first start says where it is and shows the password once', async (t) => {
    address = (await first.prints(LISTENS))[1] as string
    const [, username, shown] = await first.prints(PASSWORD)
    t.equal(username, 'admin')
    t.match(shown, /^[\w-]{20,}$/, 'random enough')
    password = shown as string
    await first.prints(/\/docs/)
    t.match(first.output(), `${address}/docs`)
    await first.prints(/http:\/\/localhost:0 \(SITE_URL\)/)
    await first.prints(/npm run create-admin -- admin/)
    t.equal(first.output().split(password).length - 1, 1, 'once')
  })

  await t.test('8. one can sign in with it, and the page is there', async (t) => {
    const answer = await login(address, 'admin', password)
    t.equal(answer.status, 200)
    t.match(await answer.json(), { user: { username: 'admin', role: 'admin' } })
    t.equal((await login(address, 'admin', 'admin')).status, 401, 'and with no default')
    t.equal((await fetch(`${address}/readyz`)).status, 200)
    t.match(await (await fetch(`${address}/docs`)).text(), /<html/i)
    t.match(await (await fetch(`${address}/openapi.json`)).json(), { openapi: '3.1.0' })
  })

  await t.test('a second process on the same directory is refused, and told who holds it', async (t) => {
    const second = start(t, { DATA_DIR: dataDir })
    t.match(await second.ended, { code: 1 })
    t.match(second.output(), `process ${first.process.pid}`)
    t.match(second.output(), dataDir)
    t.notMatch(second.output(), /^\s+at /m, 'in plain words')
    t.equal((await fetch(`${address}/readyz`)).status, 200, 'the first goes on')
  })

  await t.test('SIGTERM ends it at once, whatever connections are open', async (t) => {
    const silent = connect(Number(new URL(address).port), '127.0.0.1')
    silent.on('error', () => {})
    t.teardown(() => silent.destroy())
    await once(silent, 'connect')
    first.process.kill('SIGTERM')
    t.match(await first.ended, { code: 0, signal: null })
    // A checkout in which the web console is not built says so at the start.
    t.notMatch(first.output(), /"level":(40|50|60)(?!.*web console not built)/, 'without a complaint')
    t.match(first.output(), /"signal":"SIGTERM","msg":"stopping"[^]*"msg":"stopped"/, 'and says so')
  })

  await t.test('the second start knows the users and shows no password; SIGINT ends it too', async (t) => {
    const second = start(t, { DATA_DIR: dataDir })
    address = (await second.prints(LISTENS))[1] as string
    t.equal((await login(address, 'admin', password)).status, 200)
    t.notMatch(second.output(), /password/i)
    t.notOk(second.output().includes(password))
    second.process.kill('SIGINT')
    t.match(await second.ended, { code: 0 })
  })

  await t.test('the key is for its owner alone', async (t) => {
    t.equal(Buffer.from(readFileSync(path.join(dataDir, 'secret.key'), 'utf8'), 'base64').length, 32)
  })
})

void t.test('with a database of its own', async (t) => {
  const { url, config } = await ownDatabase(t)
  const environment = {
    DATABASE_URL: url,
    DATA_DIR: directory(t),
    ADMIN_USERNAME: 'ada',
    ADMIN_PASSWORD: 'countess of lovelace',
  }

  await t.test('8. the given administrator is made, and the password not printed', async (t) => {
    const server = start(t, environment)
    const address = (await server.prints(LISTENS))[1] as string
    t.equal((await login(address, 'ada', environment.ADMIN_PASSWORD)).status, 200)
    t.notMatch(server.output(), /countess/)
    server.process.kill('SIGTERM')
    t.match(await server.ended, { code: 0 })
  })

  await t.test('the audit trail has it all', async (t) => {
    const client = new pg.Client(config)
    await client.connect()
    const { rows } = await client.query('select action, actor_name, target_name from audit order by id')
    await client.end()
    t.match(rows, [
      { action: 'user.created', actor_name: 'system', target_name: 'ada' },
      { action: 'auth.login', actor_name: 'ada', target_name: 'ada' },
    ])
  })

  await t.test('a file .env is read', async (t) => {
    const server = start(t, {}, 'LOG_LEVEL=nonsense\n')
    t.match(await server.ended, { code: 1 })
    t.match(server.output(), /LOG_LEVEL: /)
  })
})

void t.test('a generated password is not lost when the start fails after it', async (t) => {
  const { url } = await ownDatabase(t)
  const environment = { DATABASE_URL: url, DATA_DIR: directory(t) }
  const failed = start(t, { ...environment, HOST: '192.0.2.1' })
  t.match(await failed.ended, { code: 1 })
  t.match(failed.output(), /HOST/, 'the variable is named')
  t.notMatch(failed.output(), /^\s+at /m, 'in plain words')
  const again = start(t, environment)
  const address = (await again.prints(LISTENS))[1] as string
  const password = PASSWORD.exec(failed.output() + again.output())?.[2] ?? ''
  t.equal((await login(address, 'admin', password)).status, 200)
})

void t.test('a variable that turns out to be wrong is named, in plain words', async (t) => {
  // What is wrong by itself is in config.test.ts; this only shows when it is used.
  const { url } = await ownDatabase(t)
  const wrong: [variable: string, environment: Record<string, string>][] = [
    ['DATA_DIR', { DATA_DIR: '/dev/null/data' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://user:hidden@127.0.0.1:1/z', START_TIMEOUT: '0' }],
    ['ADMIN_PASSWORD', { DATABASE_URL: url, ADMIN_PASSWORD: 'password' }],
  ]
  for (const [variable, environment] of wrong) {
    const server = start(t, { DATA_DIR: directory(t), ...environment })
    t.match(await server.ended, { code: 1 }, variable)
    t.match(server.output(), new RegExp(`\\b${variable}\\b`), `${variable} is named`)
    t.notMatch(server.output(), /hidden|^\s+at /m, `${variable}: in plain words`)
  }
})

void t.test('a Node that is too old says what to do', async (t) => {
  const old = oldNode()
  if (old === undefined)
    return void t.pass('not applicable', { skip: 'this machine has no Node before 22.19' })
  const [entry, check] = ['server.js', 'scripts/check-node.cjs'].map((file) =>
    spawnSync(old, [path.join(ROOT, file)], { env: inherited(), encoding: 'utf8' }),
  )
  t.match(entry, { status: 1, stdout: '', stderr: /^Zonekeeper needs Node 22\.19 or later.*npm ci/s })
  t.equal(entry?.stderr, check?.stderr)
})

/** One of those on the PATH. */
function oldNode(): string | undefined {
  const candidates = (process.env['PATH'] ?? '').split(':').map((folder) => path.join(folder, 'node'))
  return candidates.find((file) => {
    const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' })
    const [, major, minor] = /^v(\d+)\.(\d+)/.exec(stdout ?? '') ?? []
    return major !== undefined && Number(major) * 100 + Number(minor) < 2219
  })
}

void t.test('what ends npm ends the service', async (t) => {
  const { url } = await ownDatabase(t)
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', DATABASE_URL: url, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const closed = once(npm.stdout, 'close').then(() => true)
  t.teardown(async () => {
    // What is left of its group, if npm ended alone.
    if (!(await Promise.race([closed, Promise.resolve(false)]))) process.kill(-(npm.pid as number), 'SIGKILL')
  })
  let output = ''
  for await (const chunk of npm.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk)
    if (LISTENS.test(output)) break
  }
  t.match(output, LISTENS)
  npm.kill('SIGTERM')
  npm.stdout.resume()
  t.ok(
    await Promise.race([closed, sleep(20_000, false, { ref: false })]),
    'nobody writes to its output any more',
  )
})
