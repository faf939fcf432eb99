// Runs last: holds times to bounds.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import t from 'tap'
import { inherited } from '../helpers/environment.ts'
import { startCli } from '../programs/cli/program.ts'
import { installPacked } from './packages.ts'
import { CHECKOUT } from './zonekeeper.ts'

/* The command line as its users have it: packed with the client, installed into an empty project, under real shells. */
t.setTimeout(240_000)

const home = await installPacked(t, ['clients/typescript', 'clients/cli'])
const { url, token, admin, domainId } = await startCli(t)
mkdirSync(path.join(home, 'work'))

const env = {
  ...inherited(),
  HOME: home,
  // Node 24 comes with the checkout.
  PATH: [path.join(home, 'node_modules/.bin'), path.dirname(process.execPath), process.env['PATH']].join(':'),
  ZONEKEEPER_URL: url,
  ZONEKEEPER_TOKEN: token,
}

/** Runs a program to its end. */
async function run(
  program: string,
  args: string[],
  options: { input?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const child = spawn(program, args, { cwd: path.join(home, 'work'), env: { ...env, ...options.env } })
  child.stdin.end(options.input ?? '')
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: code as number, out, err }
}

// The commands of docs/cli.md run in docs.test.ts, with the program of the checkout.
void t.test('it changes records, exports them and compares a file', async (t) => {
  const script = `set -eux -o pipefail
zonekeeper records add example.com www A 192.0.2.1 --yes
zonekeeper export example.com --output example.com.zone
printf 'ftp 300 IN A 192.0.2.40\\n' >> example.com.zone
zonekeeper diff example.com.zone example.com || test $? -eq 6
zonekeeper import example.com example.com.zone --yes
zonekeeper diff example.com.zone example.com`
  const { code, out, err } = await run('bash', ['-c', script])
  t.equal(code, 0, err.slice(-1500))
  t.match(out, /www[^]*Done[^]*ftp[^]*Done/)
})

void t.test('it starts at once, and bears a reader who has enough', async (t) => {
  const version = "TIMEFORMAT='%U %S'; time zonekeeper --version"
  await run('bash', ['-c', version])
  // Of the processor: what else the machine does is not ours.
  const { out, err } = await run('bash', ['-c', version])
  t.match(out, /^\d+\.\d+\.\d+\n$/)
  const seconds = err
    .trim()
    .split(' ')
    .reduce((sum, one) => sum + Number(one), 0)
  t.comment(`starts with ${Math.round(seconds * 1000)} ms of the processor`)
  t.ok(seconds > 0 && seconds < 0.3, `${seconds} s`)
  const records = Array.from({ length: 1200 }, (_, index) => `h${index} A 192.0.2.1`).join('\n')
  const zonefile = { zonefile: records, mode: 'merge' }
  t.match(await admin.post(`/api/domains/${domainId}/records/import`, zonefile), { status: 202 })
  const piped = 'set -o pipefail; zonekeeper records list example.com | head -n 2'
  t.match(await run('bash', ['-c', piped]), { code: 0, out: /^NAME.*\n.*\n$/, err: '' })
})

void t.test('in a checkout it runs on the Node of the checkout', async (t) => {
  const shown = await promisify(execFile)(path.join(CHECKOUT, 'bin/zonekeeper'), ['--version'], {
    cwd: home,
    env: inherited(),
  })
  t.match(shown.stdout, /^\d+\.\d+\.\d+\n$/)
})

void t.test('a certificate that nobody vouches for is named', async (t) => {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(home, name)) as [string, string]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const made = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ]
  await run('openssl', [...made, ...subject, '-keyout', key, '-out', cert])
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    const { path: target, headers } = {
      path: request.url ?? '/',
      headers: { authorization: `Bearer ${token}` },
    }
    void fetch(`${url}${target}`, { headers }).then(async (answer) => {
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      response.end(await answer.text())
    })
  })
  server.listen(0)
  await once(server, 'listening')
  t.teardown(() => server.close())
  const secure = { ZONEKEEPER_URL: `https://localhost:${(server.address() as AddressInfo).port}` }
  const refused = await run('zonekeeper', ['domains'], { env: secure })
  t.match(refused, {
    code: 1,
    err: /certificate of localhost:\d+ is not trusted \(\w+\).*NODE_EXTRA_CA_CERTS/,
  })
  const trusted = await run('zonekeeper', ['domains'], { env: { ...secure, NODE_EXTRA_CA_CERTS: cert } })
  t.match(trusted, { code: 0, out: /example\.com/ })
})

void t.test('bash completes', async (t) => {
  const completed = async (...words: string[]) => {
    const array = words.map((word) => `'${word}'`).join(' ')
    const script = `eval "$(zonekeeper completion bash)"
      complete -p zonekeeper >/dev/null || exit 9
      COMP_WORDS=(zonekeeper ${array}) COMP_CWORD=${words.length}
      _zonekeeper; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { code, out } = await run('bash', ['--norc', '-c', script])
    t.equal(code, 0)
    return out.trim().split('\n')
  }
  t.same(await completed('d'), ['domains', 'diff', 'dnssec'])
  t.same(await completed('records', 'list', 'ex'), ['example.com'])
  const options = ['--help', '--dry-run', '--put-back', '--force', '--output', '--version', '--json', '--yes']
  t.same(await completed('sync', '--'), options)
  t.same(await completed('diff', ''), [''])
})

const installed = (program: string) => existsSync(`/usr/bin/${program}`)

void t.test('zsh completes', { skip: !installed('zsh') && 'zsh is not installed' }, async (t) => {
  // What compadd gets is what zsh offers; outside the line editor it can't be asked for that.
  const script = `autoload -Uz compinit && compinit -D
    eval "$(zonekeeper completion zsh)"
    [[ $_comps[zonekeeper] = _zonekeeper ]] || exit 9
    compadd() { print -l -- \${(P)2} }
    _files() { print files }
    words=(zonekeeper d) CURRENT=2; _zonekeeper
    words=(zonekeeper records list ex) CURRENT=4; _zonekeeper
    words=(zonekeeper diff '') CURRENT=3; _zonekeeper`
  const { out, err } = await run('zsh', ['-f', '-c', script])
  t.same(out.trim().split('\n'), ['domains', 'diff', 'dnssec', 'example.com', 'files'], err)
})

void t.test('fish completes', { skip: !installed('fish') && 'fish is not installed' }, async (t) => {
  const script = `zonekeeper completion fish | source
    complete -C 'zonekeeper d'
    complete -C 'zonekeeper records list ex'
    complete -C 'zonekeeper diff example.com.z'`
  const { out, err } = await run('fish', ['--no-config', '-c', script])
  t.same(out.trim().split('\n'), ['diff', 'dnssec', 'domains', 'example.com', 'example.com.zone'], err)
})
