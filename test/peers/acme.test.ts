import { X509Certificate } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { commandsOf, firstSteps, runBlocks } from './guide.ts'
import { startPebble } from './pebble.ts'
import { startPowerDns } from './powerdns.ts'
import { addDomain, signIn, startZonekeeper } from './zonekeeper.ts'

/* Certificates by the commands of docs/acme.md, from pebble, which looks for the challenges at PowerDNS. */
t.setTimeout(240_000)
const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-acme-'))
t.teardown(() => rmSync(home, { recursive: true, force: true }))
const dns = await startPowerDns()
t.teardown(() => dns.close())
const pebble = await startPebble(t, dns.dnsPort)
const service = await startZonekeeper({
  DATA_DIR: path.join(home, 'data'),
  OUTBOUND_ALLOW: new URL(dns.apiUrl).host,
})
t.teardown(() => service.stop())
const session = await signIn(service.url)
const domainId = await addDomain(session, dns, 'example.com')

/** What the world has by itself: which authority and which DNS servers are asked. */
const WORLD = `
DOMAIN=${domainId}
lego() {
  command lego --server "${pebble.directoryUrl}" --dns.resolvers 127.0.0.1:${dns.dnsPort} --dns.disable-cp "$@"
}
certbot() {
  command certbot "$@" --server "${pebble.directoryUrl}" \\
    --config-dir "$HOME/certbot" --work-dir "$HOME/certbot/work" --logs-dir "$HOME/certbot/logs"
}
`
const env = { LEGO_CA_CERTIFICATES: pebble.certificate, REQUESTS_CA_BUNDLE: pebble.certificate }
const commandsIn = (heading: string) => commandsOf('acme.md', heading).map(({ code }) => code)
const signInCommands = (firstSteps()['3. Sign in'] ?? []).map(({ code }) => code)
const before = [...signInCommands, WORLD, ...commandsIn('Create a token')]

/** Runs commands with a new token. */
async function run(...blocks: string[]) {
  const { code, said } = await runBlocks(
    [...before, ...blocks].map((block) => `${block}\n`),
    { url: service.url, home, env },
  )
  return { code, said: said.slice(before.length), all: said.join('\n') }
}

function certificateIn(pattern: string) {
  const [file = ''] = globSync(pattern, { cwd: home })
  const { subjectAltName, issuer } = new X509Certificate(readFileSync(path.join(home, file)))
  return { names: subjectAltName?.split(', ').sort(), issuer }
}

interface Item {
  action: string
  before: { name: string } | null
  after: { name: string } | null
}

/** What was done to records since then but by syncs, the oldest first, as "create _acme-challenge". */
async function changesSince(count: number) {
  const { body } = await session.get(`/api/domains/${domainId}/changes?limit=200`)
  const changes = (body.changes as { source: string; items: Item[] }[]).filter(
    ({ source }) => source !== 'sync',
  )
  const items = changes.toReversed().flatMap((change) => change.items)
  return items.slice(count).map(({ action, before, after }) => `${action} ${(after ?? before)?.name}`)
}

/** As the page has it. */
const VALUE = 'LHDhK3oGRvkiefQnx7OOczTY5Tic_xZ6HcMOc_gmtoM'
const BOTH = ['DNS:*.example.com', 'DNS:example.com']
/** Two values at one name, there at the same time. */
const TWO = ['create', 'create', 'delete', 'delete'].map((action) => `${action} _acme-challenge`)

void t.test('lego, by httpreq: a name and its wildcard at once', async (t) => {
  const { code, all } = await run(...commandsIn('lego'))
  t.equal(code, 0, all)
  t.match(certificateIn('lego/certificates/example.com.crt'), { names: BOTH, issuer: /Pebble/ })
  t.same(await changesSince(0), TWO)
  t.same(await dns.dig('_acme-challenge.example.com', 'TXT'), [])
})

void t.test('lego in mode RAW', async (t) => {
  const commands = commandsIn('lego').map((command) =>
    command.replaceAll('example.com --', 'raw.example.com --').replace("'*.example.com'", 'b.example.com'),
  )
  const { code, all } = await run('export HTTPREQ_MODE=RAW', ...commands)
  t.equal(code, 0, all)
  t.match(certificateIn('lego/certificates/raw.example.com.crt').names, [
    'DNS:b.example.com',
    'DNS:raw.example.com',
  ])
})

void t.test('certbot, by hooks: the same', async (t) => {
  const count = (await changesSince(0)).length
  const { code, all } = await run(...commandsIn('certbot'))
  t.equal(code, 0, all)
  t.match(certificateIn('certbot/live/example.com/cert.pem'), { names: BOTH, issuer: /Pebble/ })
  t.same(await changesSince(count), TWO)
  t.same(await dns.dig('_acme-challenge.example.com', 'TXT'), [])
})

void t.test('acme-dns: an account sets two values at a name to which a CNAME leads', async (t) => {
  const [register = '', update = ''] = commandsIn('acme-dns')
  const functions = signInCommands.join('').split('\n')
  const field = functions.find((line) => line.startsWith('field()')) ?? ''
  const set = update
    .replace(VALUE, '$CERTBOT_VALIDATION')
    .replace('localhost:3000', new URL(service.url).host)
  const hook = `#!/bin/bash\n${field}\n${set}`
  writeFileSync(path.join(home, 'update'), hook, { mode: 0o700 })
  const { code, said, all } = await run(
    register,
    update,
    `certbot certonly --non-interactive --agree-tos --email admin@example.com --manual --preferred-challenges dns \\
      --manual-auth-hook "$HOME/update" --domain mail.example.com --domain '*.mail.example.com'`,
  )
  t.equal(code, 0, all)
  t.match(said[0], /"recordType":"CNAME"/)
  t.match(said[1], `{"txt":"${VALUE}"}`)
  t.match(certificateIn('certbot/live/mail.example.com/cert.pem'), {
    names: ['DNS:*.mail.example.com', 'DNS:mail.example.com'],
    issuer: /Pebble/,
  })
  const [target = ''] = await dns.dig('_acme-challenge.mail.example.com', 'CNAME')
  const values = await dns.dig(target, 'TXT')
  t.equal(values.length, 2, 'the last two values stay')
  t.notOk(values.includes(`"${VALUE}"`))
})

void t.test('lego follows the CNAME of another name to where httpreq may put its value', async (t) => {
  const { status } = await session.post(`/api/domains/${domainId}/records`, {
    recordType: 'CNAME',
    name: '_acme-challenge.shop',
    value: 'shop.challenges.example.com',
  })
  t.equal(status, 201)
  const count = (await changesSince(0)).length
  const commands = commandsIn('lego').map((command) =>
    command.replace(/--domains .* run/, '--domains shop.example.com run'),
  )
  const { code, all } = await run(...commands)
  t.equal(code, 0, all)
  t.same(await changesSince(count), ['create shop.challenges', 'delete shop.challenges'])
})
