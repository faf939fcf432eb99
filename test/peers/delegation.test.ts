import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { idOf, POWERDNS } from '../helpers/zone.ts'
import { startPowerDns, type PowerDns } from './powerdns.ts'

/* A zone that is made here can be delegated to: parent and child on a PowerDNS each, asked as a resolver does. */
const run = promisify(execFile)
const PARENT = 'parent.example'
const CHILD = `child.${PARENT}`
const SERVERS = [`ns1.${CHILD}`, `ns2.${CHILD}`]

const [{ admin }, above, below] = await Promise.all([startApp(t), startPowerDns(), startPowerDns()])
t.teardown(() => Promise.all([above.close(), below.close()]))
const home = await mkdtemp(path.join(tmpdir(), 'zonekeeper-delegation-'))
t.teardown(() => rm(home, { recursive: true, force: true }))

/** Registers the domain and makes its zone. Answers the path of its records. */
async function makeZone({ apiUrl, apiKey }: PowerDns, name: string, nameServers: string[]): Promise<string> {
  const config = { providerId: POWERDNS, name, credentials: { apiUrl, apiKey }, nameServers }
  const providerConfigId = idOf(await admin.post('/api/provider-configs', config))
  return `/api/domains/${idOf(await admin.post('/api/domains', { name, providerConfigId, createZone: true }))}/records`
}

async function add(url: string, ...records: [recordType: string, name: string, value: string][]) {
  const given = records.map(([recordType, name, value]) => ({ recordType, name, value, ttl: 3600 }))
  const { body } = await admin.post(`${url}/bulk`, { records: given })
  if (body.succeeded !== records.length) throw new Error(JSON.stringify(body.results))
}

/** What `dig` prints of an answer, one record a line, without their TTLs; flags first. */
async function ask({ dnsPort }: PowerDns, name: string, type: string, ...options: string[]): Promise<string> {
  const server = ['@127.0.0.1', '-p', String(dnsPort)]
  const { stdout } = await run('dig', [...server, '+norecurse', '+nottlid', ...options, name, type])
  return stdout.replace(/[\t ]+/g, ' ')
}

/** What BIND says of the zone as it is transferred; rejects where it would not load. */
async function check(server: PowerDns, zone: string): Promise<string> {
  const file = path.join(home, zone)
  await writeFile(file, await ask(server, zone, 'AXFR', '+ttlid', '+noall', '+answer', '+onesoa'))
  const { stdout } = await run('named-checkzone', ['-i', 'local', zone, file])
  return stdout
}

const child = await makeZone(below, CHILD, SERVERS)
const parent = await makeZone(above, PARENT, ['ns1.example.net', 'ns2.example.net'])

void t.test('the export of a zone that was just made can be loaded', async (t) => {
  for (const url of [`${parent}/export`, parent.replace('/records', '/zone')]) {
    const { body } = await admin.get(url)
    t.match(body, /\tSOA\tns1\.example\.net\. /)
    const file = path.join(home, 'export')
    await writeFile(file, body)
    const { stdout } = await run('named-checkzone', ['-i', 'local', PARENT, file])
    t.match(stdout, /loaded serial \d+\nOK\n$/)
  }
  const { body } = await admin.get(parent.replace('/records', ''))
  t.match(body, { recordCount: 2, lastSyncedAt: String, lastSyncError: null })
})

void t.test('a parent delegates to the zone, and BIND loads both', async (t) => {
  await add(child, ['A', 'ns1', '192.0.2.53'], ['AAAA', 'ns2', '2001:db8::53'], ['A', 'www', '192.0.2.80'])
  await add(
    parent,
    ...SERVERS.map((server): [string, string, string] => ['NS', 'child', server]),
    ['A', 'ns1.child', '192.0.2.53'],
    ['AAAA', 'ns2.child', '2001:db8::53'],
  )
  t.match(await check(below, CHILD), /loaded serial \d+\nOK\n$/)
  t.match(await check(above, PARENT), /loaded serial \d+\nOK\n$/)

  const referral = await ask(above, `www.${CHILD}`, 'A')
  t.match(referral, /status: NOERROR/)
  t.notMatch(referral, /flags: qr aa/, 'the parent refers')
  for (const server of SERVERS) t.match(referral, `${CHILD}. IN NS ${server}.\n`)
  t.match(referral, `ns1.${CHILD}. IN A 192.0.2.53\n`, 'with the addresses of the servers')
  t.match(referral, `ns2.${CHILD}. IN AAAA 2001:db8::53\n`)

  const answer = await ask(below, `www.${CHILD}`, 'A')
  t.match(answer, /flags: qr aa/, 'the child answers for itself')
  t.match(answer, `www.${CHILD}. IN A 192.0.2.80\n`)
  t.same(
    (await below.dig(CHILD, 'NS')).sort(),
    SERVERS.map((server) => `${server}.`),
  )
  t.match(await below.dig(CHILD, 'SOA'), [new RegExp(`^${SERVERS[0]}\\. `)])
})

void t.test('the file of an old provider brings its name servers, and can be loaded', async (t) => {
  const zonefile = `$ORIGIN ${CHILD}.
$TTL 3600
@ IN SOA ns1.old.example. hostmaster.old.example. 7 2 3 4 5
@ 86400 IN NS ns1.old.example.
@ 86400 IN NS ns2.old.example.
www IN A 192.0.2.81
`
  t.match(await admin.post(child.replace('/records', '/sync')), { status: 200 })
  const merged = await admin.post(`${child}/import`, { zonefile })
  t.match(merged, { status: 200, body: { plan: { applied: true }, skipped: [{ type: 'SOA' }] } })
  const old = ['ns1.old.example.', 'ns2.old.example.']
  t.same((await below.dig(CHILD, 'NS')).sort(), [...SERVERS.map((server) => `${server}.`), ...old].sort())
  t.match(await check(below, CHILD), /OK\n$/)
  t.match(await admin.post(`${child}/import`, { zonefile, mode: 'replace' }), { status: 200 })
  t.same((await below.dig(CHILD, 'NS')).sort(), old)
  t.match(await check(below, CHILD), /OK\n$/)
})
