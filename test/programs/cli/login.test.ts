import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import t from 'tap'
import { runProgram, startCli, temporaryHome } from './program.ts'

/* Whose token it is, where it is kept, and what is said when the service is not there. */
const { url, token, zk } = await startCli(t)

void t.test('login keeps a token that counts, for its user alone', async (t) => {
  const env = { HOME: temporaryHome(t) }
  const file = path.join(env.HOME, '.config/zonekeeper/login.json')
  t.match(await runProgram(['whoami'], { env }), { exit: 5, out: '', err: /zonekeeper login/ })
  t.match(await runProgram(['login', url], { env, input: 'zk_wrong\n' }), { exit: 5 })
  t.throws(() => statSync(file), { code: 'ENOENT' })

  const login = await runProgram(['login'], { env, terminal: { answers: [`${url}/`, token] } })
  t.match(login, { exit: 0, out: '', err: /URL.*Token \(not shown\).*of root stored in/s })
  t.notOk(login.err.includes(token), 'the token is not shown')
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.same(JSON.parse(readFileSync(file, 'utf8')), { url, token })
  t.match(await runProgram(['whoami'], { env }), {
    exit: 0,
    out: /^user {6}root \(admin\)$.*records:write/ms,
  })
  t.match(JSON.parse((await runProgram(['whoami', '--json'], { env })).out), { name: 'cli' })

  t.match(
    await runProgram(['whoami'], { env: { ...env, ZONEKEEPER_TOKEN: 'zk_other' } }),
    { exit: 5 },
    'the environment stands before it',
  )
  const elsewhere = await runProgram(['whoami'], { env: { ...env, ZONEKEEPER_URL: 'http://127.0.0.1:9' } })
  t.match(elsewhere, { exit: 5, err: /token for http:\/\/127\.0\.0\.1:9/ }, 'and no token goes elsewhere')

  t.match(
    await runProgram(['login', url], { env, input: `${token}\n` }),
    { exit: 0 },
    'by the standard input',
  )
  t.match(await runProgram(['logout'], { env }), { exit: 0 })
  t.match(await runProgram(['whoami'], { env }), { exit: 5 })
  t.match(await runProgram(['logout'], { env }), { exit: 0 }, 'also when there is none')
})

void t.test('that a busy service is waited for is said', async (t) => {
  let asked = 0
  const busy = createServer((_request, response) => {
    if (asked++ === 0) return void response.writeHead(429, { 'retry-after': '0' }).end()
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"domains":[],"nextCursor":null}')
  })
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve))
  t.teardown(() => busy.close())
  const ZONEKEEPER_URL = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`
  t.match(await zk('domains --json', { env: { ZONEKEEPER_URL } }), {
    exit: 0,
    out: '[]\n',
    err: /busy; retrying in 0 s/,
  })
})

void t.test('what is wrong with the address is said', async (t) => {
  const strange = createServer((request, response) => {
    const wrong = request.url?.startsWith('/moved') ? { location: url } : { 'content-type': 'text/html' }
    response.writeHead('location' in wrong ? 301 : 200, wrong).end('<p>Hello</p>')
  })
  await new Promise<void>((resolve) => strange.listen(0, '127.0.0.1', resolve))
  t.teardown(() => strange.close())
  const page = `http://127.0.0.1:${(strange.address() as AddressInfo).port}`
  const at = (ZONEKEEPER_URL: string) => zk('domains', { env: { ZONEKEEPER_URL } })
  t.match(await at('dns.example.com'), { exit: 2, err: /not a URL such as https:/ })
  t.match(await at(page), { exit: 1, err: /web page.*Check that the URL/ })
  t.match(await at(`${page}/moved`), { exit: 1, err: /redirects/ })
  t.match(await at(`${url}/not/here`), { exit: 3 })
  t.match(await at(page.replace('http:', 'https:')), { exit: 1, err: /does not use TLS/ })
  t.match(await at('http://127.0.0.1:65534'), { exit: 1, err: /refused/ })
  t.match(await at('https://no-such-host.invalid'), { exit: 1, err: /Host no-such-host\.invalid not found/ })
})

void t.test('what a login may not do, or the words are wrong for, has codes of its own', async (t) => {
  t.match(await zk('domains', { env: { ZONEKEEPER_TOKEN: 'zk_wrong' } }), { exit: 5, out: '' })
  t.match(await zk('domains show nowhere.example'), { exit: 3, err: /nowhere\.example not found/ })
  t.match(await zk('domains show'), { exit: 2, err: /missing required argument 'DOMAIN'/ })
  t.match(await zk('undo example.com latest'), { exit: 2, err: /the id of a change/ })
  t.match(await zk('restore example.com yesterday'), { exit: 2, err: /a time such as/ })
  t.match(await zk('history example.com --from yesterday'), { exit: 2, err: /a time such as/ })
  t.match(await zk('donains'), { exit: 2, err: /Did you mean domains/ })
  t.match(await zk('--help'), { exit: 0, out: /^Usage: zonekeeper/, err: '' })
})
