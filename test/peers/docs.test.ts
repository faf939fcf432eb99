import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { POWERDNS } from '../helpers/zone.ts'
import { until } from '../helpers/until.ts'
import { ELSEWHERE, firstSteps, pagesInOrder, RUN_BY_OTHERS, runBlocks, type Block } from './guide.ts'
import { startPebble } from './pebble.ts'
import { freePort, startProgram } from './processes.ts'
import { startPowerDns } from './powerdns.ts'
import { CHECKOUT, signIn, startZonekeeper } from './zonekeeper.ts'

/*
 * Every shell block of docs/, in the order in which docs/index.md lists the pages, in one shell, on one
 * installation: what a reader does who follows one page after another.
 */
t.setTimeout(300_000)
const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-docs-'))
t.teardown(() => rmSync(home, { recursive: true, force: true }))

// The reader is in the checkout. Here that is a copy, since the blocks write files.
for (const file of ['bin', 'clients', 'dns', 'tsconfig.json', 'package.json', 'LICENSE']) {
  cpSync(path.join(CHECKOUT, file), path.join(home, file), { recursive: true })
}
for (const folder of ['node_modules', 'schemas', 'scripts']) {
  symlinkSync(path.join(CHECKOUT, folder), path.join(home, folder))
}

const steps = firstSteps()
const [dnsPort, pdnsPort, updatePort] = [await freePort(), await freePort(), await freePort()]
/** What a reader puts in place. */
const SECRET = Buffer.alloc(32, 7).toString('base64')
const withOurPorts = (text: string) =>
  text
    .replaceAll('8081', String(pdnsPort))
    .replaceAll('5300', String(dnsPort))
    .replaceAll('5354', String(updatePort))

/** The variables before `npm start`. */
const settings = Object.fromEntries(
  [...withOurPorts(steps['1. Start Zonekeeper']?.[0]?.code ?? '').matchAll(/\b([A-Z_]+)=(\S+)/g)].map(
    ([, name = '', value = '']) => [name, value],
  ),
)
/** The other provider that docs/dns-providers.md moves a domain to, and the one that docs/mirrors.md mirrors it at. */
const [other, backup] = await Promise.all([startPowerDns(), startPowerDns()])
t.teardown(() => Promise.all([other.close(), backup.close()]))
const service = await startZonekeeper({
  DATA_DIR: path.join(home, 'data'),
  ...settings,
  DNS_UPDATE_LISTEN: `127.0.0.1:${updatePort}`,
  DNS_UPDATE_SOA: 'anyone',
  OUTBOUND_ALLOW: [
    settings['OUTBOUND_ALLOW'],
    ...[other, backup].map(({ apiUrl }) => new URL(apiUrl).host),
  ].join(),
})
t.teardown(() => service.stop())
const session = await signIn(service.url)
const { body: connection } = await session.post('/api/provider-configs', {
  providerId: POWERDNS,
  name: 'The other provider',
  credentials: { apiUrl: other.apiUrl, apiKey: other.apiKey },
  nameServers: ['ns1.example.org'],
})
await session.post('/api/provider-configs', {
  providerId: POWERDNS,
  name: 'Backup DNS',
  credentials: { apiUrl: backup.apiUrl, apiKey: backup.apiKey },
  nameServers: ['ns1.example.net'],
})

/** What the world has by itself: which certificate authority and which DNS servers are asked. */
const pebble = await startPebble(t, dnsPort)
const env = {
  HOME: home,
  PATH: [path.dirname(process.execPath), process.env['PATH']].join(':'),
  LEGO_CA_CERTIFICATES: pebble.certificate,
  REQUESTS_CA_BUNDLE: pebble.certificate,
}
const world: Block = {
  page: 'test',
  tag: '',
  code: `
lego() {
  command lego --server "${pebble.directoryUrl}" --dns.resolvers 127.0.0.1:${dnsPort} --dns.disable-cp "$@"
}
certbot() {
  command certbot "$@" --server "${pebble.directoryUrl}" \\
    --config-dir "$HOME/certbot" --work-dir "$HOME/certbot/work" --logs-dir "$HOME/certbot/logs"
}
dehydrated() { CURL_CA_BUNDLE="${pebble.certificate}" command dehydrated "$@" --ca "${pebble.directoryUrl}"; }
`,
}

void t.test('the DNS server of the first steps starts', async (t) => {
  t.same(Object.keys(steps), [
    '1. Start Zonekeeper',
    '2. Start a DNS server for testing',
    '3. Sign in',
    '4. Connect the DNS server',
    '5. Register a domain',
    '6. Records',
    '7. The command line and programs',
  ])
  t.match(steps['1. Start Zonekeeper']?.[0]?.code, 'npm ci\nOUTBOUND_ALLOW=127.0.0.1:8081 npm start\n')
  const start = steps['2. Start a DNS server for testing']?.[1]?.code ?? ''
  // The last command stays in the foreground.
  const commands = withOurPorts(start).replace('\n/usr/sbin/pdns_server', '\nexec /usr/sbin/pdns_server')
  const powerdns = await startProgram(['bash', '-ec', commands], {
    cwd: home,
    env: { ...process.env, ...env },
  })
  // `t` of the file: the server outlives this test.
  ending.push(() => powerdns.stop())
  await until(`PowerDNS answers: ${powerdns.output()}`, () =>
    fetch(`http://127.0.0.1:${pdnsPort}`).catch(() => null),
  )
})
const ending: (() => Promise<unknown>)[] = []
t.teardown(() => Promise.all(ending.map((end) => end())))

void t.test('every block does what its page says, one page after another', async (t) => {
  const blocks = [world, ...pagesInOrder().filter(({ tag }) => tag === '' || tag === 'foreground')].slice(0)
  const started = blocks.filter(({ code }) => !/npm start\n|pdns_server --config|sudo apt-get/.test(code))
  const { code, said } = await runBlocks(
    started.map((block) => ({
      ...block,
      code: withOurPorts(block.code)
        .replace('put the id of the new provider connection here', connection.id)
        .replace('put the secret of the key here', SECRET),
    })),
    { url: service.url, home, env },
  )
  const last = started[said.length - 1]
  t.equal(code, 0, `${last?.page} ended: ${last?.code}\n${said.at(-1)}\n${service.output().slice(-2000)}`)
  t.equal(said.length, started.length)
  const showsOf = (page: string, part: string) => {
    const index = started.findIndex((block) => block.page === page && block.code.includes(part))
    t.not(index, -1, `${page} has a block with ${part}`)
    return said[index] ?? ''
  }
  for (const [index, output] of said.entries()) {
    const block = started[index]
    const expected = REFUSED.find(([page, part]) => block?.page === page && block.code.includes(part))
    if (expected) t.match(output, `"code":"${expected[2]}"`, `${block?.page} shows a refusal`)
    else t.notMatch(output, /"status":[45]\d\d\b/, `${block?.page}: ${block?.code}\n${output}`)
  }
  for (const [page, part, ...shown] of SHOWN) {
    for (const pattern of shown) t.match(showsOf(page, part), pattern, `${page}: ${part}`)
  }
})

void t.test('blocks that need another machine are complete commands', async (t) => {
  for (const { page, tag, code } of pagesInOrder()) {
    if (tag === '' || tag === 'foreground') continue
    t.ok(tag in ELSEWHERE, `${page}: ${tag} is a known reason`)
    const syntax = await startProgram(['bash', '-n', '-c', code])
    t.equal(await syntax.ended, 0, `${page}: ${syntax.output()}`)
  }
  for (const [page, heading, file] of RUN_BY_OTHERS) {
    const source = readFileSync(path.join(CHECKOUT, file), 'utf8')
    t.match(source, `commandsOf('${page}', '${heading}')`, `${file} runs ${heading} of ${page}`)
  }
})

/** The blocks that show a refusal on purpose: page, a part of the block, the code. */
const REFUSED: readonly (readonly [string, string, string])[] = [
  ['tokens.md', '"name": "www", "value": "no"', 'forbidden'],
]

/** Page, a part of the block, and what it shows. */
const SHOWN: readonly (readonly [string, string, ...RegExp[]])[] = [
  ['first-steps.md', 'call "$API/auth/me"\n', /"username":"admin"/],
  ['first-steps.md', '/test"', /"success":true/],
  ['first-steps.md', '"createZone": true', /"name":"example\.com".*"total":1/],
  ['first-steps.md', 'ask example.com SOA', /^ns1\.example\.net\. hostmaster\.example\.com\. \d+ 10800/],
  ['first-steps.md', 'RECORD=$(', /^192\.0\.2\.10\n$/],
  [
    'first-steps.md',
    '/records/bulk',
    /"total":4,"succeeded":3/,
    /\n10 mail\.example\.com\.\n"v=spf1 mx -all"\n/,
  ],
  ['first-steps.md', '-X PUT', /"value":"192\.0\.2\.11".*\n192\.0\.2\.11\n/s],
  ['first-steps.md', 'pdnsutil', /"deleted":0/, /"name":"by-hand"/],
  ['first-steps.md', 'named-checkzone', /loaded serial \d+\nOK\n/],
  ['first-steps.md', 'zonekeeper records add', /\+ {2}app {2}A .*192\.0\.2\.60.*Done.*NAME .*app /s],
  ['dns-providers.md', '/switch', /"updated":0/],
  ['records.md', '"HTTPS"', /"value":"1 \. alpn=h2,h3 ipv4hint=192\.0\.2\.10"/],
  ['records.md', 'qtotal', /"strings":\["txtvers=1","qtotal=1"\]/],
  ['records.md', '"enabled": false', /"name":"spare".*"enabled":true/],
  ['records.md', '"planId": "', /"name":"kiosk"[^]*"applied":true/],
  ['records.md', '/revert', /"applied":false[^]*"deletes":\[\{[^]*"applied":true/],
  ['records.md', 'more.zone', /"name":"ftp"[^]*"applied":true/],
  ['many-domains.md', 'search?q=', /"value":"192\.0\.2\.11"/],
  ['many-domains.md', '/records/replace"', /"updates":[1-9][^]*198\.51\.100\.10/],
  ['many-domains.md', 'operation.json', /"outcome":"succeeded"[^]*"outcome":"applied"/],
  ['many-domains.md', 'parked', /"creates":3[^]*"kind":"template"/],
  ['tokens.md', '"value": "192.0.2.60"', /"records":\[\{[^]*"total":1/],
  ['tokens.md', 'If-Match', /"ttl":600[^]*"name":"shop/],
  ['tokens.md', '-D -', /^HTTP\S+ 200/m],
  ['tokens.md', '$NEW" "$API/v1/token"', /"name":"certificates of www"[^]*"username":"admin"/],
  ['dyndns.md', 'UPDATE=', /^good 192\.0\.2\.1\ngood 192\.0\.2\.2,2001:db8::2\n/],
  ['dyndns.md', 'checkip', /^127\.0\.0\.1\n$/],
  ['dyndns.md', 'ip6lanprefix', /good 2001:db8:1:200::10\n$/],
  ['acme.md', 'CNAME', /"recordType":"CNAME"/],
  ['acme.md', 'TXT=', /\{"txt":"LHDhK3oGRvkiefQnx7OOczTY5Tic_xZ6HcMOc_gmtoM"\}/],
  ['cli.md', 'zonekeeper records add', /Done/],
  ['zone-files.md', 'cat example.com.zone', /^\$ORIGIN example\.com\.\n/m],
  ['external-dns.md', '/v1/external-dns"', /^\{"include":\[.*"example\.com".*\]\}\n/],
  ['external-dns.md', 'external-dns/records', /"dnsName":"[^"]*example\.com"/],
  ['mirrors.md', 'mirrors add', /in_step[^]*in_step/],
  ['notifications.md', '/stream', /data: \{"event":"connected"/],
  ['users.md', '"username": "ada"', /"username":"ada".*"role":"member"/],
  ['users.md', 'register', /"accessToken":".*"username":"grace"/],
  ['users.md', '/audit', /"action":"user\.updated"/],
]
