import { X509Certificate } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import cloudflareAdapter from '../../modules/providers/adapters/cloudflare/index.ts'
import cloudflareDialect from '../conformance/simulators/cloudflare.ts'
import { startSimulator } from '../conformance/simulators/simulator.ts'
import { idOf, MANUAL, POWERDNS } from '../helpers/zone.ts'
import { commandsOf, firstSteps, runBlocks } from './guide.ts'
import { startPebble } from './pebble.ts'
import { startPowerDns } from './powerdns.ts'
import { freePort } from './processes.ts'
import { signIn, startZonekeeper } from './zonekeeper.ts'

/*
 * Programs that send DNS updates, by the commands of docs/dns-update.md, to the service as a process, each with a PowerDNS,
 * a simulated Cloudflare and a manual domain behind it.
 */
t.setTimeout(300_000)
const [powerdns, cloud, port] = await Promise.all([
  startPowerDns(),
  startSimulator(cloudflareDialect),
  freePort(),
])
t.teardown(() => Promise.all([powerdns.close(), cloud.close()]))
const data = mkdtempSync(path.join(tmpdir(), 'zonekeeper-updates-'))
t.teardown(() => rmSync(data, { recursive: true, force: true }))
const service = await startZonekeeper({
  DATA_DIR: path.join(data, 'data'),
  OUTBOUND_ALLOW: [powerdns.apiUrl, cloud.apiUrl].map((url) => new URL(url).host).join(),
  DNS_UPDATE_LISTEN: `127.0.0.1:${port}`,
  DNS_UPDATE_SOA: 'anyone',
})
t.teardown(() => service.stop())
const session = await signIn(service.url)
/** Nobody serves the zones of the other two, so their certificates are issued without a look. */
const [strict, believing] = await Promise.all([
  startPebble(t, powerdns.dnsPort),
  startPebble(t, powerdns.dnsPort, { believing: true }),
])

const BACKENDS = {
  powerdns: {
    zone: 'example.com',
    connection: {
      providerId: POWERDNS,
      credentials: { apiUrl: powerdns.apiUrl, apiKey: powerdns.apiKey },
      nameServers: ['ns1.example.net'],
    },
  },
  cloudflare: {
    zone: 'example.net',
    connection: {
      providerId: cloudflareAdapter.id,
      credentials: { apiUrl: cloud.apiUrl, apiToken: cloud.token, accountId: cloud.accountId },
    },
  },
  manual: { zone: 'example.org', connection: { providerId: MANUAL } },
}

const commandsIn = (heading: string) => commandsOf('dns-update.md', heading).map(({ code }) => code)
const NSUPDATE = 'Let nsupdate change one name'

interface Item {
  action: string
  before: { name: string; type: string } | null
  after: { name: string; type: string } | null
}

for (const [backend, { zone, connection }] of Object.entries(BACKENDS)) {
  void t.test(`with ${backend} behind the service`, async (t) => {
    const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-programs-'))
    t.teardown(() => rmSync(home, { recursive: true, force: true }))
    if (backend === 'cloudflare') cloud.createZone(zone)
    const providerConfigId = idOf(
      await session.post('/api/provider-configs', { ...connection, name: backend }),
    )
    const more = backend === 'powerdns' ? { createZone: true } : {}
    const domainId = idOf(await session.post('/api/domains', { name: zone, providerConfigId, ...more }))
    const pebble = backend === 'powerdns' ? strict : believing
    const signInCommands = (firstSteps()['3. Sign in'] ?? []).map(({ code }) => code)
    const world = `
DOMAIN=${domainId}
lego() { command lego --server "${pebble.directoryUrl}" --dns.resolvers 127.0.0.1:${powerdns.dnsPort} --dns.disable-cp "$@"; }
certbot() {
  command certbot "$@" --server "${pebble.directoryUrl}" \\
    --config-dir "$HOME/certbot" --work-dir "$HOME/certbot/work" --logs-dir "$HOME/certbot/logs"
}
`
    const env = {
      LEGO_CA_CERTIFICATES: pebble.certificate,
      REQUESTS_CA_BUNDLE: pebble.certificate,
      LEGO_DISABLE_CNAME_SUPPORT: 'true',
    }
    const adapted = (code: string) => code.replaceAll('example.com', zone).replaceAll('5354', String(port))
    const before = [...signInCommands, world]
    const run = async (...blocks: string[]) => {
      const commands = [...before, ...blocks.map(adapted)].map((code) => `${code}\n`)
      const { code, said } = await runBlocks(commands, { url: service.url, home, env })
      return { code, said: said.slice(before.length), all: said.join('\n') }
    }
    const recordsAt = async (name: string) => {
      const { body } = await session.get(`/api/domains/${domainId}/records?limit=200`)
      return (body.records as { name: string; recordType: string; value: string }[])
        .filter((record) => record.name === name)
        .map(({ recordType, value }) => `${recordType} ${value}`)
        .sort()
    }
    const changes = async () => {
      const { body } = await session.get(`/api/domains/${domainId}/changes?limit=200`)
      return (body.changes as { origin: string; token: { name: string } | null; items: Item[] }[]).filter(
        ({ origin }) => origin === 'dns-update',
      )
    }
    const certificateIn = (pattern: string) => {
      const [file = ''] = globSync(pattern, { cwd: home })
      return new X509Certificate(readFileSync(path.join(home, file))).subjectAltName?.split(', ').sort()
    }
    const names = [`DNS:*.update.${zone}`, `DNS:update.${zone}`]

    await t.test('nsupdate, and knsupdate beside it', async (t) => {
      const nsupdate = commandsIn(NSUPDATE)
      const { code, said, all } = await run(...nsupdate)
      t.equal(code, 0, all)
      t.match(said.at(-1), /REFUSED[^]*not with this key/)
      t.same(await recordsAt('printer'), ['A 192.0.2.17'])
      t.same(await recordsAt('www'), [])
      const [first = ''] = nsupdate
      const knot = await run(first, ...commandsIn('knsupdate'))
      t.equal(knot.code, 0, knot.all)
      t.same(await recordsAt('printer'), ['A 192.0.2.17', 'AAAA 2001:db8::17'])
      if (backend === 'powerdns') t.same(await powerdns.dig(`printer.${zone}`, 'AAAA'), ['2001:db8::17'])
      t.match((await changes()).at(-1), { origin: 'dns-update', token: { name: 'printer' } })
    })

    await t.test(
      'nsupdate finds the zone by itself, over UDP and TCP, and meets prerequisites',
      async (t) => {
        const [made = ''] = commandsIn(NSUPDATE)
        const update = (options: string, commands: string) =>
          run(
            made,
            `nsupdate ${options} -k "$HOME/printer.key" <<END\nserver 127.0.0.1 5354\n${commands}\nsend\nEND`,
          )
        const name = `printer.${zone}`
        const add = (value: string) => `update add ${name} 600 A ${value}`
        t.equal((await update('', `prereq yxrrset ${name} A 192.0.2.17\n${add('192.0.2.18')}`)).code, 0)
        const unmet = await update('-v', `prereq yxrrset ${name} A 192.0.2.17\n${add('192.0.2.19')}`)
        t.match(unmet.all, /NXRRSET/)
        t.match((await update('-v', `prereq nxdomain ${name}\n${add('192.0.2.19')}`)).all, /YXDOMAIN/)
        t.same(await recordsAt('printer'), ['A 192.0.2.17', 'A 192.0.2.18', 'AAAA 2001:db8::17'])
        t.equal((await update('-v', `update delete ${name} A 192.0.2.17`)).code, 0)
        t.same(await recordsAt('printer'), ['A 192.0.2.18', 'AAAA 2001:db8::17'])
      },
    )

    await t.test('dig: the zone, for a key that sees all of it', async (t) => {
      const { code, said, all } = await run(...commandsIn('Queries and transfers'))
      t.equal(code, 0, all)
      t.match(said.join('\n'), new RegExp(`printer\\.${zone}\\.\\s+\\d+\\s+IN\\s+A\\s+192\\.0\\.2\\.18`))
      t.match(said.join('\n'), /XFR size: [0-9]+ records/)
      const key = '-y "hmac-sha256:$(echo "$KEY" | field name):$(echo "$KEY" | field secret)"'
      const [made = ''] = commandsIn(NSUPDATE)
      const part = await run(made, `dig @127.0.0.1 -p 5354 example.com AXFR ${key}`)
      t.match(part.all, /Transfer failed/)
      t.notMatch(part.said.join('\n'), '192.0.2.18')
    })

    await t.test('certbot and lego: a name and its wildcard', async (t) => {
      const [key = '', certbot = '', lego = ''] = commandsIn('ACME clients')
      const first = await run(key, certbot)
      t.equal(first.code, 0, first.all)
      t.same(certificateIn(`certbot/live/update.${zone}/cert.pem`), names)
      t.same(await recordsAt('_acme-challenge.update'), [])
      const second = await run(key, lego)
      t.equal(second.code, 0, second.all)
      t.same(certificateIn(`lego-rfc2136/certificates/update.${zone}.crt`), names)
      t.same(await recordsAt('_acme-challenge.update'), [])
      t.match((await changes())[0], { token: { name: 'certificates' } })
    })

    await t.test('dnspython', async (t) => {
      const [key = ''] = commandsIn('ACME clients')
      const { code, said, all } = await run(key, ...commandsIn('dnspython and Ansible'))
      t.equal(code, 0, all)
      t.match(said.at(-1), 'NOERROR')
      t.same(await recordsAt('_acme-challenge'), ['TXT by-dnspython'])
    })
  })
}

void t.test('it stops in order, and the address is free again', async (t) => {
  t.match(service.output(), `DNS updates are taken on 127.0.0.1:${port}, over UDP and TCP`)
  await service.stop()
  t.match(service.output(), /"msg":"stopped"/)
  const taken = await startZonekeeper({
    DATA_DIR: path.join(data, 'data'),
    DNS_UPDATE_LISTEN: `127.0.0.1:${port}`,
  })
  await taken.stop()
})
