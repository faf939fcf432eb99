import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { parse } from 'yaml'
import { startSecureCaddy } from './caddy.ts'
import { startPowerDns } from './powerdns.ts'
import { ADMIN, addDomain, CHECKOUT, signIn, startZonekeeper } from './zonekeeper.ts'

/*
 * The settings of docs/dyndns/: UniFi and DD-WRT run inadyn, which runs here with what their pages say; the requests of the
 * others are made as their documentation has them.
 */
t.setTimeout(120_000)
const run = promisify(execFile)
const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-devices-'))
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
await addDomain(admin, powerdns, 'example.com')
const made = await admin.post('/api/auth/me/tokens', { name: 'router', permissions: ['ddns:update'] })
const { token } = made.body as { token: string }
const { host } = new URL(proxy.url)

/** The blocks of a page, for our service and token. */
function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(path.join(CHECKOUT, 'docs/dyndns', page), 'utf8')
  const blocks = [...text.matchAll(/^```(\w+)\n([^]*?)^```/gm)]
  const found = blocks.flatMap(([, tag, code = '']) => (tag === language ? [code.trim()] : []))
  if (found.length === 0) throw new Error(`docs/dyndns/${page} has no ${language}`)
  return found.map((code) => code.replaceAll('dns.example.com', host).replace('put the token here', token))
}

/** A device's request, with HTTP Basic or with what its URL has. */
async function request(url: string, options: string[] = ['--user', `${ADMIN.username}:${token}`]) {
  const { stdout } = await run('curl', ['-sS', '--cacert', proxy.ca, ...options, url])
  return stdout.trim().split('\n')
}

const both = async (name: string) => [await powerdns.dig(name, 'A'), await powerdns.dig(name, 'AAAA')]

void t.test('FRITZ!Box', async (t) => {
  const filled = (url: string, values: Record<string, string>) =>
    url.replaceAll(/<(\w+)>/g, (_, name: string) => values[name] ?? '')
  const [alone = '', both_ = ''] = blocksOf('fritzbox.md', 'text')
  const given = {
    domain: 'home.example.com',
    ipaddr: '192.0.2.1',
    ip6addr: '2001:db8:1:200::1',
    ip6lanprefix: '2001:db8:1:200::/56',
    username: ADMIN.username,
    pass: token,
  }
  t.same(await request(filled(alone, given)), ['good 192.0.2.1,2001:db8:1:200::1'])
  t.same(await request(filled(both_, given)), [
    'nochg 192.0.2.1,2001:db8:1:200::1',
    'good 192.0.2.1,2001:db8:1:200::10',
  ])
  const { ipaddr: _, ...dsLite } = { ...given, ip6addr: '2001:db8:2:200::1' }
  t.same(await request(filled(alone, dsLite)), ['good 2001:db8:2:200::1'])
  t.same(await both('home.example.com'), [['192.0.2.1'], ['2001:db8:2:200::1']])
  const page = readFileSync(path.join(CHECKOUT, 'docs/dyndns/fritzbox.md'), 'utf8')
  const [, more = ''] = /append `(&username=[^`]*)`/.exec(page) ?? []
  const old = filled(alone + more, { ...given, ipaddr: '192.0.2.2' })
  t.same(await request(old, []), ['good 192.0.2.2,2001:db8:1:200::1'])
})

void t.test('OPNsense', async (t) => {
  // The native backend's dyndns2, one account for each family.
  const common = 'hostname=home.example.com,nas.home.example.com&system=dyndns&wildcard=NOCHG'
  const update = `https://${host}/nic/update?${common}`
  t.same(await request(`${update}&myip=192.0.2.11`), ['good 192.0.2.11', 'good 192.0.2.11'])
  t.same(await request(`${update}&myip=2001:db8::11`), ['good 2001:db8::11', 'good 2001:db8::11'])
  t.same(await both('nas.home.example.com'), [['192.0.2.11'], ['2001:db8::11']])
  const [custom = ''] = blocksOf('opnsense.md', 'text')
  const filled = custom.replace('__HOSTNAME__', 'home.example.com').replace('__MYIP__', '192.0.2.12')
  t.same(await request(filled), ['good 192.0.2.12'])
})

/** Runs inadyn once, as the router does. */
async function inadyn(name: string, server: string, updatePath: string): Promise<string> {
  const folder = path.join(home, name)
  mkdirSync(folder)
  const file = path.join(folder, 'inadyn.conf')
  const lines = [
    `ca-trust-file = ${proxy.ca}`,
    'custom router {',
    `  username = ${ADMIN.username}`,
    `  password = "${token}"`,
    `  ddns-server = ${server}`,
    `  ddns-path = "${updatePath}"`,
    `  checkip-server = ${server}`,
    '  checkip-path = /nic/checkip',
    '  hostname = home.example.com',
    '}',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
  const once = ['--once', '--force', '--foreground', '--no-pidfile']
  const { stdout, stderr } = await run('inadyn', [...once, `--config=${file}`, `--cache-dir=${folder}`])
  return stdout + stderr
}

for (const page of ['unifi', 'dd-wrt'])
  void t.test(`${page}: inadyn`, async (t) => {
    await request(`https://${host}/nic/update?hostname=home.example.com&myip=192.0.2.98`)
    const [line = ''] = blocksOf(`${page}.md`, 'text')
    const at = line.indexOf('/')
    const said = await inadyn(page, line.slice(0, at) || host, line.slice(at))
    t.same(await powerdns.dig('home.example.com', 'A'), ['127.0.0.1'], said)
  })

void t.test('Home Assistant', async (t) => {
  const [secrets = '', configuration = ''] = blocksOf('home-assistant.md', 'yaml')
  const known = parse(secrets) as Record<string, string>
  const secret = { tag: '!secret', resolve: (name: string) => known[name] }
  const { rest_command: commands, automation } = parse(configuration, { customTags: [secret] }) as {
    rest_command: Record<string, { url: string; method: string; username: string; password: string }>
    automation: { actions: { action: string }[] }[]
  }
  const [action] = automation[0]?.actions ?? []
  const command = commands[action?.action.split('.')[1] ?? '']
  const options = ['-X', String(command?.method).toUpperCase()]
  const user = ['--user', `${command?.username}:${command?.password}`]
  t.same(await request(String(command?.url), [...options, ...user]), ['nochg 127.0.0.1'])
})

void t.test('each page is one of these, and both lists lead to it', (t) => {
  const read = (page: string) => readFileSync(path.join(CHECKOUT, 'docs', page), 'utf8')
  const pages = globSync('dyndns/*.md', { cwd: path.join(CHECKOUT, 'docs') }).sort()
  t.same(
    pages,
    ['dd-wrt', 'fritzbox', 'home-assistant', 'opnsense', 'unifi'].map((name) => `dyndns/${name}.md`),
  )
  for (const page of pages) for (const list of ['dyndns.md', 'index.md']) t.match(read(list), `(${page})`)
  t.end()
})
