import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { inherited } from '../../test/helpers/environment.ts'
import { startPebble } from '../../test/peers/pebble.ts'
import { startPowerDns } from '../../test/peers/powerdns.ts'
import { addDomain, signIn, startZonekeeper } from '../../test/peers/zonekeeper.ts'

/* The package as certbot finds it: built, installed into a folder, run by Debian's certbot against pebble and PowerDNS. */
t.setTimeout(240_000)
const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-certbot-'))
t.teardown(() => rmSync(home, { recursive: true, force: true }))

const words = (text: string) => text.split(' ')
const packages = path.join(home, 'packages')
// A copy, because a build leaves files behind.
await cp(import.meta.dirname, path.join(home, 'source'), { recursive: true })
await promisify(execFile)(
  '/usr/bin/python3',
  [
    ...words('-m pip install --quiet --no-deps --no-build-isolation --no-index --root-user-action=ignore'),
    ...words('--disable-pip-version-check --target'),
    packages,
    path.join(home, 'source'),
  ],
  { env: { ...inherited(), PIP_NO_CACHE_DIR: '1' } },
)

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

async function tokenFor(restrictions: object): Promise<string> {
  const permissions = ['acme:challenge']
  const made = await session.post('/api/auth/me/tokens', { name: 'certbot', permissions, restrictions })
  return (made.body as { token: string }).token
}
const token = await tokenFor({ domainIds: [domainId] })

let files = 0
function credentialsOf(settings: Record<string, string>): string {
  const file = path.join(home, `credentials${files++}.ini`)
  const lines = Object.entries(settings).map(([name, value]) => `dns_zonekeeper_${name} = ${value}\n`)
  writeFileSync(file, lines.join(''), { mode: 0o600 })
  return file
}

function certbot(...args: string[]) {
  const folders = ['--config-dir', `${home}/etc`, '--work-dir', `${home}/lib`, '--logs-dir', `${home}/log`]
  const env = { ...inherited(), PYTHONPATH: packages, REQUESTS_CA_BUNDLE: pebble.certificate }
  return new Promise<{ code: number; said: string }>((resolve) => {
    execFile('/usr/bin/certbot', [...args, ...folders], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, said: stdout + stderr }),
    )
  })
}

const issue = (credentials: string, ...domains: string[]) =>
  certbot(
    ...words('certonly --non-interactive --agree-tos --email admin@example.com'),
    ...words(`--server ${pebble.directoryUrl} --authenticator dns-zonekeeper`),
    ...words(`--dns-zonekeeper-credentials ${credentials} --dns-zonekeeper-propagation-seconds 0`),
    ...domains.flatMap((domain) => ['--domain', domain]),
  )

const namesOf = (lineage: string) =>
  new X509Certificate(readFileSync(`${home}/etc/live/${lineage}/cert.pem`)).subjectAltName?.split(', ').sort()
const challenges = () => dns.dig('_acme-challenge.example.com', 'TXT')

void t.test('certbot knows it', async (t) => {
  const { code, said } = await certbot('plugins', '--text')
  t.equal(code, 0, said)
  t.match(said, /^\* dns-zonekeeper\n/m)
})

void t.test('a domain and its wildcard, beside the value of another machine, and a renewal', async (t) => {
  const other = 'LHDhK3oGRvkiefQnx7OOczTY5Tic_xZ6HcMOc_gmtoM'
  const record = { recordType: 'TXT', name: '_acme-challenge', value: other }
  t.equal((await session.post(`/api/domains/${domainId}/records`, record)).status, 201)
  const { code, said } = await issue(
    credentialsOf({ url: `${service.url}/`, token }),
    'example.com',
    '*.example.com',
  )
  t.equal(code, 0, said)
  t.same(namesOf('example.com'), ['DNS:*.example.com', 'DNS:example.com'])
  t.same(await challenges(), [`"${other}"`], 'cleaned up, and nothing else removed')
  const before = readFileSync(`${home}/etc/live/example.com/cert.pem`, 'utf8')
  const renewed = await certbot('renew', '--force-renewal', '--no-random-sleep-on-renew')
  t.equal(renewed.code, 0, renewed.said)
  t.not(readFileSync(`${home}/etc/live/example.com/cert.pem`, 'utf8'), before, 'with what it has stored')
  t.same(await challenges(), [`"${other}"`])
})

void t.test('what is refused says why, and shows no token', async (t) => {
  const narrow = await tokenFor({ domainIds: [domainId], namePatterns: ['_acme-challenge.only'] })
  const { url } = service
  const cases: [string, Record<string, string>, RegExp][] = [
    ['a token for other names', { url, token: narrow }, /refused to add the challenge _acme-challenge\.w\./],
    ['a wrong token', { url, token: 'zkp_wrong' }, /refused to add the challenge/],
    ['another service', { url: `${url}/elsewhere`, token }, /refused to add the challenge/],
    ['nobody there', { url: 'http://127.0.0.1:1', token }, /No answer from Zonekeeper/],
    ['no address', { url: 'dns.example.net', token }, /is not an address/],
    ['no token', { url }, /dns_zonekeeper_token/],
  ]
  for (const [what, settings, words] of cases) {
    const { code, said } = await issue(credentialsOf(settings), 'w.example.com')
    t.not(code, 0, what)
    t.match(said.replaceAll(/\s+/g, ' '), words, what)
    const secret = settings['token']
    if (secret !== undefined) {
      t.notOk(said.includes(secret), `${what}: no token on the terminal`)
      t.notOk(readFileSync(`${home}/log/letsencrypt.log`, 'utf8').includes(secret), `${what}: nor in the log`)
    }
  }
  t.notOk(existsSync(`${home}/etc/live/w.example.com`))
})

void t.test('a busy service is asked again; a redirect is not followed', async (t) => {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(request.url ?? '')
    if (heard.length === 1) return response.writeHead(503, { 'retry-after': '0' }).end()
    return response.writeHead(307, { location: `${service.url}${request.url}` }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { code, said } = await issue(credentialsOf({ url, token }), 'w.example.com')
  t.not(code, 0)
  t.match(said.replaceAll(/\s+/g, ' '), /HTTP 307 without a reason/)
  t.same(heard.slice(0, 2), ['/api/v1/acme/present', '/api/v1/acme/present'])
  t.same(await dns.dig('_acme-challenge.w.example.com', 'TXT'), [])
})
