import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { until } from '../helpers/until.ts'
import { commandsOf, firstSteps, runBlocks } from './guide.ts'
import { freePort, startProgram } from './processes.ts'
import { CHECKOUT, startZonekeeper } from './zonekeeper.ts'

/*
 * The first steps of the README, as they stand there: its commands are run, on other ports and in another home.
 * What installs something is left out.
 */
t.setTimeout(120_000)
const walk = t
const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-walk-'))
t.teardown(() => rmSync(home, { recursive: true, force: true }))

const steps = firstSteps()
const [dnsPort, pdnsPort] = [await freePort(), await freePort()]
const service = await startZonekeeper({
  DATA_DIR: path.join(home, 'data'),
  ...settingsOf(steps['1. Start Zonekeeper']?.[0] ?? ''),
})
t.teardown(() => service.stop())

/** The variables before `npm start`. */
function settingsOf(block: string): Record<string, string> {
  const start = block.split('\n').find((line) => line.endsWith(' npm start')) ?? ''
  return Object.fromEntries(
    start
      .split(' ')
      .slice(0, -2)
      .map((setting) => withOurPorts(setting).split('=')),
  )
}

function withOurPorts(commands: string): string {
  return commands.replaceAll('8081', String(pdnsPort)).replaceAll('5300', String(dnsPort))
}

void t.test('the steps are those that this test knows', async (t) => {
  t.same(Object.keys(steps), [
    '1. Start Zonekeeper',
    '2. Start a DNS server to try it with',
    '3. Sign in',
    '4. Connect the DNS server',
    '5. Register a domain',
    '6. Records',
    '7. From a terminal and from programs',
  ])
  t.match(steps['1. Start Zonekeeper'], ['npm ci\nOUTBOUND_ALLOW=127.0.0.1:8081 npm start\n'])
})

// npx finds it here as in the checkout.
mkdirSync(path.join(home, 'node_modules/.bin'), { recursive: true })
symlinkSync(path.join(CHECKOUT, 'clients/cli/zonekeeper.js'), path.join(home, 'node_modules/.bin/zonekeeper'))

void t.test('the DNS server starts', async (t) => {
  const [, start = ''] = steps['2. Start a DNS server to try it with'] ?? []
  const env = { ...process.env, HOME: home }
  // The last command stays in the foreground.
  const commands = withOurPorts(start).replace('\n/usr/sbin/pdns_server', '\nexec /usr/sbin/pdns_server')
  const powerdns = await startProgram(['bash', '-ec', commands], { cwd: home, env })
  walk.teardown(() => powerdns.stop())
  await until(`PowerDNS answers: ${powerdns.output()}`, () =>
    fetch(`http://127.0.0.1:${pdnsPort}`).catch(() => null),
  )
  t.pass('it answers')
})

void t.test('each step shows what the README says', async (t) => {
  const blocks = Object.entries(steps)
    .slice(2)
    .flatMap(([, some]) => some)
  // Its moment is in whole seconds, and nobody reads so fast that the domain was made in the same one.
  const more = commandsOf('records.md').map((block) =>
    /\/restore"/.test(block) ? `sleep 1\n${block}` : block,
  )
  const { code, said } = await runBlocks([...blocks, ...more].map(withOurPorts), { url: service.url, home })
  t.equal(code, 0, said.join('\n'))
  const [, signIn, connect, register, apex, create, bulk, change, sync, check, terminal, ...records] = said
  t.match(signIn, /"username":"admin"/)
  t.match(connect, '"success":true')
  t.match(register, /"name":"example\.com".*"total":1/)
  const [soa = '', ...servers] = (apex ?? '').trim().split('\n')
  t.match(soa, /^ns1\.example\.net\. hostmaster\.example\.com\. \d+ 10800 3600 1209600 3600$/)
  t.same(servers.sort(), ['ns1.example.net.', 'ns2.example.net.'])
  t.equal(create, '192.0.2.10\n', 'dig shows the record')
  t.match(bulk, /"total":4,"succeeded":3/)
  t.match(bulk, /"success":false,"recordType":"A","name":"wrong".*"error":"[^"]+"/)
  t.match(bulk, '\n10 mail.example.com.\n"v=spf1 mx -all"\n', 'dig shows those of the bulk call')
  t.match(change, /"value":"192\.0\.2\.11".*\n192\.0\.2\.11\n\n?$/s, 'the change, then nothing')
  t.match(sync, /"created":3,"updated":0,"deleted":0/)
  t.match(sync, /"name":"by-hand","unicodeName":"by-hand","value":"192\.0\.2\.77"/)
  t.match(check, /zone example\.com\/IN: loaded serial \d+\nOK\n/, 'BIND loads what is transferred')
  t.match(terminal, /example\.com .*\+ {2}app {2}A .*192\.0\.2\.60.*Done.*NAME .*app /s, 'the command line')
  t.equal(records.length, more.length)
  for (const [i, said] of records.entries()) t.notMatch(said, /"status":[45]/, more[i] ?? '')
  const [
    https,
    tlsa,
    strings,
    disabled,
    ,
    soa2,
    pages,
    typed,
    applied,
    kept,
    reverted,
    history,
    ,
    ,
    imported,
  ] = records
  t.match(https, /"type":"MX".*"recordType":"HTTPS".*"value":"1 \. alpn=h2,h3 ipv4hint=192\.0\.2\.10"/s)
  t.match(tlsa, /"recordType":"TLSA".*"value":"3 1 1 0c72/)
  t.match(strings, /"value":"txtvers=1qtotal=1".*"strings":\["txtvers=1","qtotal=1"\]/)
  t.match(disabled, /"name":"spare".*"enabled":true/)
  t.match(soa2, /"mail":"dns@example\.com"/)
  t.match(pages, /"total":\d+,"page":1,"limit":2,"nextCursor":"/)
  t.match(history, /"name":"www"/)
  t.match(typed, /"recordType":"A"/)
  t.match(reverted, /"applied":false/, 'looked at first')
  t.match(applied, /"creates":\[\{"index":0,/)
  t.match(kept, /"name":"kiosk"[^]*"applied":true/)
  t.match(reverted, /"deletes":\[\{[^]*"applied":true/)
  t.match(imported, /"name":"ftp"[^]*"applied":true/)
})
