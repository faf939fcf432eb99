import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { startSecureCaddy } from './caddy.ts'
import { commandsOf, firstSteps, runBlocks } from './guide.ts'
import { startPowerDns } from './powerdns.ts'
import { ADMIN, addDomain, CHECKOUT, signIn, startZonekeeper } from './zonekeeper.ts'

/*
 * ddclient and inadyn of Debian, with the configurations of docs/dyndns.md, by https through the proxy that we ship, and
 * what a real PowerDNS answers then.
 */
t.setTimeout(120_000)
const run = promisify(execFile)
const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-dyndns-'))
t.teardown(() => rmSync(home, { recursive: true, force: true }))

const powerdns = await startPowerDns()
t.teardown(() => powerdns.close())
const service = await startZonekeeper({
  DATA_DIR: path.join(home, 'data'),
  OUTBOUND_ALLOW: '127.0.0.1',
  TRUST_PROXY: '127.0.0.1',
})
t.teardown(() => service.stop())
const proxy = await startSecureCaddy(t, new URL(service.url).host)
const admin = await signIn(service.url)
const domainId = await addDomain(admin, powerdns, 'example.com')
const { body: router } = await admin.post('/api/auth/me/tokens', {
  name: 'router',
  permissions: ['ddns:update'],
})

/** The configuration of a section of the page, for our service and token. */
function configurationOf(heading: string): string {
  const page = readFileSync(path.join(CHECKOUT, 'docs/dyndns.md'), 'utf8')
  const [section = ''] = (page.split(`\n## ${heading}\n`)[1] ?? '').split('\n## ')
  const [, block] = /```ini\n([^]*?)```/.exec(section) ?? []
  if (block === undefined) throw new Error(`docs/dyndns.md has no configuration of ${heading}`)
  return block
    .replaceAll('dns.example.com', new URL(proxy.url).host)
    .replace('put the token here', router.token as string)
}

const addressesOf = (name: string) => powerdns.dig(name, 'A')
const setByHand = (value: string) =>
  run('curl', [
    '-sS',
    '--user',
    `${ADMIN.username}:${router.token as string}`,
    `${service.url}/nic/update?hostname=home.example.com,nas.home.example.com&myip=${value}`,
  ])

void t.test('the commands of the page', async (t) => {
  const signInSteps = firstSteps()['3. Sign in'] ?? []
  const { code, said } = await runBlocks(
    [...signInSteps, `DOMAIN=${domainId}\n`, ...commandsOf('dyndns.md')],
    { url: service.url, home },
  )
  t.equal(code, 0, said.join('\n'))
  const [, curl, checkip, prefix, inQuery] = said.slice(signInSteps.length + 1)
  t.equal(curl, 'good 192.0.2.1\ngood 192.0.2.2,2001:db8::2\ngood 192.0.2.2,2001:db8::2\ngood 127.0.0.1\n')
  t.equal(checkip, '127.0.0.1\n')
  t.equal(prefix, 'good 2001:db8:1:200::2\ngood 2001:db8:1:200::10\n')
  t.same(await powerdns.dig('nas.home.example.com', 'AAAA'), ['2001:db8:1:200::10'])
  t.equal(inQuery, 'good 192.0.2.1\n')
  t.same(await addressesOf('home.example.com'), ['192.0.2.1'])
})

void t.test('ddclient', async (t) => {
  const folder = path.join(home, 'ddclient')
  mkdirSync(folder)
  const file = path.join(folder, 'ddclient.conf')
  writeFileSync(file, configurationOf('ddclient'), { mode: 0o600 })
  const update = (...more: string[]) =>
    run(
      'ddclient',
      [
        '-daemon=0',
        '-noquiet',
        '-verbose',
        `-file=${file}`,
        `-cache=${folder}/cache`,
        `-pid=${folder}/pid`,
        ...more,
      ],
      { env: { ...process.env, SSL_CERT_FILE: proxy.ca } },
    )
  await setByHand('192.0.2.99')
  const { stdout, stderr } = await update()
  const told = stdout + stderr
  t.match(told, /updating home\.example\.com: good: IP address set to 127\.0\.0\.1/)
  t.match(told, /updating nas\.home\.example\.com: good: IP address set to 127\.0\.0\.1/)
  for (const name of ['home.example.com', 'nas.home.example.com'])
    t.same(await addressesOf(name), ['127.0.0.1'])
  const again = await update('-force')
  t.match(again.stdout + again.stderr, /home\.example\.com: nochg/)
})

void t.test('inadyn', async (t) => {
  const folder = path.join(home, 'inadyn')
  mkdirSync(folder)
  const file = path.join(folder, 'inadyn.conf')
  writeFileSync(file, `ca-trust-file = ${proxy.ca}\n${configurationOf('inadyn')}`, { mode: 0o600 })
  const update = () =>
    run('inadyn', [
      '--once',
      '--force',
      '--foreground',
      '--no-pidfile',
      `--config=${file}`,
      `--cache-dir=${folder}`,
    ])
  await setByHand('192.0.2.98')
  const { stdout, stderr } = await update()
  t.same(await addressesOf('home.example.com'), ['127.0.0.1'], stdout + stderr)
  t.same(await addressesOf('nas.home.example.com'), ['192.0.2.98'], 'which it does not know of')
  t.ok(existsSync(folder))
})

void t.test('it is in the history, with all hosts of a call in one change', async (t) => {
  const { body } = await admin.get(`/api/domains/${domainId}/changes?limit=50`)
  const changes = body.changes as { source: string; itemCount: number }[]
  // The first one is that of the registration, which read the zone.
  t.ok(changes.every(({ source }) => ['ddns', 'sync'].includes(source)))
  t.ok(changes.some(({ itemCount }) => itemCount === 2))
})
