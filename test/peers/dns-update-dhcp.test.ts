import { createHash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { until } from '../helpers/until.ts'
import { listen, makeKey } from '../programs/dns-update/client.ts'
import { startApp } from '../helpers/app.ts'
import { idOf, POWERDNS } from '../helpers/zone.ts'
import { startPowerDns } from './powerdns.ts'
import { freePort, startProgram } from './processes.ts'

/*
 * Kea's DHCP-DDNS server, which gets from Kea's DHCP servers what became of leases, and sends it as DNS updates: by the
 * configuration of docs/dns-update.md.
 */
t.setTimeout(120_000)
const [service, powerdns, port] = await Promise.all([startApp(t), startPowerDns(), freePort()])
t.teardown(() => powerdns.close())
const { admin } = service
const connection = await admin.post('/api/provider-configs', {
  providerId: POWERDNS,
  name: 'PowerDNS',
  credentials: { apiUrl: powerdns.apiUrl, apiKey: powerdns.apiKey },
  nameServers: ['ns1.example.net'],
})
const domainIds: string[] = []
for (const name of ['example.com', '2.0.192.in-addr.arpa']) {
  const body = { name, providerConfigId: idOf(connection), createZone: true }
  domainIds.push(idOf(await admin.post('/api/domains', body)))
}
const place = await listen(service)
const { key } = await makeKey(service, admin, { domainIds }, { permissions: ['records:write'] })

const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-kea-'))
t.teardown(() => rmSync(home, { recursive: true, force: true }))

/** The configuration of the page, with our names and ports. */
function configuration(): string {
  const page = readFileSync(new URL('../../docs/dns-update.md', import.meta.url), 'utf8')
  const [, json = ''] = /^## Kea\n[^]*?^```json\n([^]*?)^```/m.exec(page) ?? []
  return json
    .replaceAll('dhcp.k7x2m9qa4b', key.name)
    .replace('put the secret here', Buffer.from(key.secret).toString('base64'))
    .replaceAll('192.0.2.53', place.address)
    .replaceAll('"port": 53 ', `"port": ${place.port} `)
    .replace('"port": 53001', `"port": ${port}`)
}

const config = path.join(home, 'kea-dhcp-ddns.conf')
writeFileSync(config, configuration())
const kea = await startProgram(['/usr/sbin/kea-dhcp-ddns', '-d', '-c', config], {
  cwd: home,
  env: { ...process.env, KEA_PIDFILE_DIR: home, KEA_LOCKFILE_DIR: home, KEA_LOGGER_DESTINATION: 'stdout' },
})
t.teardown(() => kea.stop())
await until('Kea listens', () => /DHCP_DDNS_STARTED|DHCP_DDNS_CONFIG_COMPLETE/.test(kea.output()))

/** The DHCID of a client (RFC 4701 section 3.3). */
const client = (mac: string) => `000001${createHash('sha256').update(mac).digest('hex').toUpperCase()}`
const [FIRST, OTHER] = [client('first'), client('other')]

/** What a DHCP server says of a lease: `change-type` 0 for a new one, 1 for one that ended. */
async function lease(change: 0 | 1, name: string, address: string, dhcid: string) {
  const request = JSON.stringify({
    'change-type': change,
    'forward-change': true,
    'reverse-change': true,
    fqdn: `${name}.example.com.`,
    'ip-address': address,
    dhcid,
    'lease-expires-on': '20301231235959',
    'lease-length': 1200,
    'use-conflict-resolution': true,
  })
  const length = Buffer.alloc(2)
  length.writeUInt16BE(request.length)
  const socket = createSocket('udp4')
  await new Promise((resolve) =>
    socket.send(Buffer.concat([length, Buffer.from(request)]), port, '127.0.0.1', resolve),
  )
  socket.close()
}

const a = (name: string) => powerdns.dig(`${name}.example.com`, 'A')
const ptr = (last: number) => powerdns.dig(`${last}.2.0.192.in-addr.arpa`, 'PTR')

void t.test('a lease gets a name and its reverse', async (t) => {
  await lease(0, 'laptop', '192.0.2.10', FIRST)
  await until('the name is there', async () => (await ptr(10)).length > 0)
  t.same(await a('laptop'), ['192.0.2.10'])
  t.same(await ptr(10), ['laptop.example.com.'])
  t.equal((await powerdns.dig('laptop.example.com', 'DHCID')).length, 1)
})

void t.test('the same client gets another address, and nobody else gets its name', async (t) => {
  await lease(0, 'laptop', '192.0.2.11', FIRST)
  await until('it has the other address', async () => (await ptr(11)).length > 0)
  t.same(await a('laptop'), ['192.0.2.11'])
  await lease(0, 'laptop', '192.0.2.12', OTHER)
  await until('Kea gives up', () =>
    /FQDN_IN_USE|DHCP_DDNS_FORWARD_ADD_REJECTED|ADD_FAILED/.test(kea.output()),
  )
  t.same(await a('laptop'), ['192.0.2.11'])
})

void t.test('a lease that ended takes its name with it', async (t) => {
  await lease(1, 'laptop', '192.0.2.11', FIRST)
  await until('the name has gone', async () => (await a('laptop')).length === 0)
  await until('its reverse, too', async () => (await ptr(11)).length === 0)
  t.same(await powerdns.dig('laptop.example.com', 'DHCID'), [])
  const { changes } = (await admin.get(`/api/domains/${domainIds[0]}/changes?limit=50`)).body
  t.ok((changes as { origin: string }[]).some(({ origin }) => origin === 'dns-update'))
})
