import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { call, CHECKOUT, signIn, startZonekeeper, type Session } from './zonekeeper.ts'

/*
 * What the Dockerfile does, by hand: the files that it copies, the packages without those for development,
 * and `node server.js` with its own PostgreSQL.
 */
t.setTimeout(300_000)
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-production-'))
t.teardown(() => rmSync(work, { recursive: true, force: true }))
chmodSync(work, 0o755)

// The packages have none: the `node` package is for development. This one may lie where only root can go.
const node = path.join(work, 'bin/node')
mkdirSync(path.dirname(node))
copyFileSync(process.execPath, node)
chmodSync(node, 0o755)
const PATH = `${path.dirname(node)}:${process.env['PATH']}`

const installed = install(path.join(work, 'app'))

/** What docs/operations.md runs beside the service. */
const OPERATORS = ['create-admin', 'diagnose', 'migrate', 'secrets/rotate-secrets'].map(
  (name) => `scripts/${name}.ts`,
)
const IMPORTS = /(?:^|[^\w.'])(?:from\s+|import\s+|import\()'([^']+)'/gm
const TYPES_ALONE = /^(?:import|export) type [^;]*? from '[^']+'$/gm

function install(folder: string): string {
  const sources = dockerSources()
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: CHECKOUT,
  })
  const files = listed.toString().split('\0')
  for (const file of files.filter((name) => sources.some((source) => `${name}/`.startsWith(`${source}/`)))) {
    if (!existsSync(path.join(CHECKOUT, file))) continue
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true })
    copyFileSync(path.join(CHECKOUT, file), path.join(folder, file))
  }
  const env = { ...process.env, PATH, NODE_ENV: 'production' }
  execFileSync('npm', ['ci', '--omit=dev'], { cwd: folder, env, stdio: 'pipe' })
  return folder
}

/** What the Dockerfile copies out of the checkout. */
function dockerSources(): string[] {
  const lines = readFileSync(path.join(CHECKOUT, 'Dockerfile'), 'utf8').split('\n')
  const copies = lines.filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
  return [...new Set(copies.flatMap((line) => line.split(' ').slice(1, -1)))]
}

void t.test('what the image is made of', async (t) => {
  const ignored = readFileSync(path.join(CHECKOUT, '.dockerignore'), 'utf8').split('\n')
  const sent = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  t.same(sent.sort(), dockerSources().sort(), 'the builder is sent what the Dockerfile copies, and no more')
  t.notOk(existsSync(path.join(installed, 'node_modules/typescript')), 'nothing that is for development')
  t.same(
    missingImports(['server.js', ...OPERATORS]),
    [],
    'all that is imported is there, also what is so later',
  )
})

/** Imports of these files, and of those they import, that lead nowhere in what is installed. */
function missingImports(files: string[]): string[] {
  const seen = new Set(files.map((file) => path.join(installed, file)))
  const missing: string[] = []
  // A set goes on with what is added while it is walked.
  for (const file of seen) {
    const { resolve } = createRequire(file)
    const text = readFileSync(file, 'utf8').replaceAll(TYPES_ALONE, '')
    for (const [, name = ''] of text.matchAll(IMPORTS)) {
      const own = name.startsWith('.') ? path.resolve(path.dirname(file), name) : null
      if (own && existsSync(own)) {
        if (/\.[tj]s$/.test(own)) seen.add(own)
      } else if (own || !isInstalled(name, resolve)) missing.push(`${file}: ${name}`)
    }
  }
  return missing
}

function isInstalled(name: string, resolve: NodeJS.RequireResolve): boolean {
  if (isBuiltin(name)) return true
  const folder = name.split('/', name.startsWith('@') ? 2 : 1).join('/')
  return (resolve.paths(name) ?? []).some(
    (place) => place.startsWith(installed) && existsSync(path.join(place, folder)),
  )
}

async function runs(t: Test, { cwd, dataDir, as = [] }: { cwd: string; dataDir: string; as?: string[] }) {
  const environment = { PATH, DATA_DIR: dataDir, NODE_ENV: 'production', HOME: dataDir }
  const command = [...as, node, 'server.js']
  const begun = Date.now()
  const first = await startZonekeeper(environment, { command, cwd })
  t.teardown(() => first.stop())
  t.comment(`first start: ${Date.now() - begun} ms`)
  t.match(await call(first.url, 'GET', '/readyz'), { status: 200, body: { ready: true } })
  const session = await signIn(first.url)
  t.match(await session.get('/api/domains'), { status: 200, body: { domains: { length: 0 }, total: 0 } })
  await answersAssistants(t, first.url, session)
  for (const line of first.output().trim().split('\n')) {
    t.ok(JSON.parse(line), 'away from a terminal the log is JSON')
  }
  const stopped = Date.now()
  t.equal(await first.stop(), 0, 'it ends well')
  t.ok(Date.now() - stopped < 10_000, 'within 10 s')

  const second = await startZonekeeper(environment, { command, cwd })
  t.teardown(() => second.stop())
  t.ok(await signIn(second.url), 'what was there is there again')
  t.equal(await second.stop(), 0)
}

/** Their library is loaded with the first request of one. */
async function answersAssistants(t: Test, url: string, session: Session) {
  const { body } = await session.post('/api/auth/me/tokens', { name: 'it', permissions: ['domains:read'] })
  const answer = await call(url, 'POST', '/mcp', {
    token: body.token,
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  })
  t.match(answer, { status: 200, body: /list_domains/ })
}

void t.test('as a user without rights', async (t) => {
  const dataDir = path.join(work, 'data-of-nobody')
  mkdirSync(dataDir)
  if (isRoot) chownSync(dataDir, NOBODY, NOBODY)
  const as = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []
  await runs(t, { cwd: installed, dataDir, as })
})

/** Runs a command where nothing but that directory and a fresh /tmp-like one can be written, as the compose file does. */
function inReadOnly(dataDir: string, temporary: string): string[] {
  const script = `
    for directory in "$0" "$1"; do mount --bind "$directory" "$directory"; done
    findmnt --noheadings --raw --output TARGET --types ext4,overlay,tmpfs,btrfs,xfs | while read -r place; do
      case "$place" in "$0" | "$1") ;; *) mount -o remount,bind,ro "$place" 2>/dev/null || true ;; esac
    done
    shift 1; exec "$@"`
  return ['unshare', '--mount', '--propagation=private', 'sh', '-c', script, dataDir, temporary]
}

if (isRoot) {
  void t.test('with a read-only root, without capabilities and new privileges', async (t) => {
    const [dataDir, temporary] = ['data-read-only', 'temporary'].map((name) => path.join(work, name)) as [
      string,
      string,
    ]
    for (const directory of [dataDir, temporary]) {
      mkdirSync(directory)
      chownSync(directory, NOBODY, NOBODY)
    }
    const isolated = [
      ...inReadOnly(dataDir, temporary),
      'setpriv',
      `--reuid=${NOBODY}`,
      `--regid=${NOBODY}`,
      '--clear-groups',
      '--no-new-privs',
      '--bounding-set=-all',
      '--inh-caps=-all',
      'env',
      `TMPDIR=${temporary}`,
    ]
    const [command = '', ...options] = isolated
    const tryIt = (place: string) => execFileSync(command, [...options, 'touch', place], { stdio: 'pipe' })
    for (const place of [installed, tmpdir(), '/var/tmp']) {
      t.throws(() => tryIt(path.join(place, 'written')), { message: /Read-only file system/ }, place)
    }
    t.doesNotThrow(() => tryIt(path.join(dataDir, 'written')))
    rmSync(path.join(dataDir, 'written'))
    await runs(t, { cwd: installed, dataDir, as: isolated })
  })

  void t.test('as root, below a folder that only root can enter', async (t) => {
    const secret = path.join(work, 'secret')
    mkdirSync(secret, { mode: 0o700 })
    execFileSync('cp', ['-a', installed, path.join(secret, 'app')])
    await runs(t, { cwd: path.join(secret, 'app'), dataDir: path.join(secret, 'data') })
  })
}
