import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { inherited } from '../../test/helpers/environment.ts'
import { startZone } from '../../test/helpers/zone.ts'

/* The plugin for acme.sh in the shells it must run in, against the service over a socket. */
const zone = await startZone(t)
const url = await zone.app.listen({ port: 0, host: '127.0.0.1' })
const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-acme-sh-'))
t.teardown(() => rmSync(home, { recursive: true, force: true }))
const HERE = import.meta.dirname

const value = (seed: string) => createHash('sha256').update(seed).digest('base64url')
const there = (name: string) => zone.there(name, 'TXT').map((content) => content.slice(1, -1))

async function tokenFor(restrictions: object | null, permissions = ['acme:challenge']): Promise<string> {
  const made = await zone.admin.post('/api/auth/me/tokens', { name: 'acme.sh', permissions, restrictions })
  return (made.body as { token: string }).token
}

let confs = 0
const newConf = () => path.join(home, `account${confs++}.conf`)

/** Runs the plugin in that shell; `calls` are words such as `add _acme-challenge.example.com VALUE`. */
function run(shell: string, calls: string[], env: NodeJS.ProcessEnv, conf = newConf()) {
  const args = [path.join(HERE, 'harness.sh'), path.join(HERE, 'dns_zonekeeper.sh'), ...calls]
  const options = { env: { ...inherited(), ACCOUNT_CONF: conf, ...env } }
  return new Promise<{ code: number; said: string }>((resolve) => {
    execFile(shell, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, said: stdout + stderr }),
    )
  })
}

const token = await tokenFor({ domainIds: [zone.domainId] })
const settings = { ZONEKEEPER_URL: `${url}/`, ZONEKEEPER_TOKEN: token }
const NAME = '_acme-challenge.example.com'

for (const shell of ['dash', 'bash']) {
  void t.test(`${shell}: values are added and removed one at a time, with kept settings`, async (t) => {
    const conf = newConf()
    const name = `_acme-challenge.${shell}.example.com`
    const relative = `_acme-challenge.${shell}`
    const [apex, wildcard] = [value('apex'), value('wildcard')]
    const added = await run(shell, ['add', name, apex, 'add', name, wildcard], settings, conf)
    t.equal(added.code, 0, added.said)
    t.same(there(relative), [apex, wildcard].sort())
    t.match(readFileSync(conf, 'utf8'), `ZONEKEEPER_TOKEN=${token}\n`)
    const removed = await run(shell, ['rm', name, apex], {}, conf)
    t.equal(removed.code, 0, removed.said)
    t.same(there(relative), [wildcard], 'only its own value')
    const again = await run(shell, ['rm', name, apex, 'rm', name, wildcard], {}, conf)
    t.equal(again.code, 0, 'a missing value is not an error')
    t.same(there(relative), [])
  })
}

void t.test('machines that add at the same time keep the values of each other', async (t) => {
  const seeds = ['1', '2', '3', '4', '5', '6']
  await zone.add('TXT', '_acme-challenge', 'of somebody else')
  const all = await Promise.all(seeds.map((seed) => run('dash', ['add', NAME, value(seed)], settings)))
  t.same(
    all.map(({ code }) => code),
    seeds.map(() => 0),
  )
  t.same(there('_acme-challenge'), [...seeds.map(value), 'of somebody else'].sort())
  await Promise.all(seeds.map((seed) => run('dash', ['rm', NAME, value(seed)], settings)))
  t.same(there('_acme-challenge'), ['of somebody else'])
})

void t.test('what is refused fails with the reason, keeps no settings, and shows no token', async (t) => {
  const before = zone.writes()
  const narrow = await tokenFor({ domainIds: [zone.domainId], namePatterns: ['_acme-challenge.only'] })
  const reader = await tokenFor(null, ['records:read'])
  const cases: [string, NodeJS.ProcessEnv, string, RegExp][] = [
    ['another name', { ...settings, ZONEKEEPER_TOKEN: narrow }, NAME, /refused: \S/],
    ['another permission', { ...settings, ZONEKEEPER_TOKEN: reader }, NAME, /refused: \S/],
    ['a wrong token', { ...settings, ZONEKEEPER_TOKEN: 'zkp_wrong' }, NAME, /refused: \S/],
    ['another domain', settings, '_acme-challenge.nowhere.test', /refused: \S/],
    ['not a challenge', settings, 'www.example.com', /refused: \S/],
    ['another service', { ...settings, ZONEKEEPER_URL: `${url}/elsewhere` }, NAME, /refused: \S/],
    ['nobody there', { ...settings, ZONEKEEPER_URL: 'http://127.0.0.1:1' }, NAME, /no answer/],
    ['no scheme', { ...settings, ZONEKEEPER_URL: 'dns.example.net' }, NAME, /must begin with https/],
    ['no settings', {}, NAME, /Set ZONEKEEPER_URL/],
  ]
  for (const [what, env, name, words] of cases) {
    const conf = newConf()
    const { code, said } = await run('dash', ['add', name, value('x')], { ...env, DEBUG: '2' }, conf)
    t.equal(code, 1, what)
    t.match(said, words, what)
    t.notOk(env['ZONEKEEPER_TOKEN'] && said.includes(env['ZONEKEEPER_TOKEN']), `${what}: no token`)
    t.notOk(existsSync(conf), `${what}: nothing kept`)
  }
  t.equal(zone.writes(), before)
})

void t.test('an answer of something else is not taken for success', async (t) => {
  const answers = ['', '<html>', '{"fqdn":"x","value":"another"}', '{"status":200}']
  let sent = ''
  const server = createServer((_request, response) => response.end(sent))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const answer of answers) {
    sent = answer
    const env = { ...settings, ZONEKEEPER_URL: elsewhere }
    t.match(
      await run('dash', ['add', NAME, value('x')], env),
      { code: 1, said: /check ZONEKEEPER_URL/ },
      answer,
    )
  }
})
