import { X509Certificate } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { commandsOf, runBlocks } from '../guide.ts'
import { startPebble } from '../pebble.ts'
import type { Backend } from './scenario.ts'
import { newToken, startReference, startService } from './servers.ts'

/*
 * The programs of Debian that speak the API of PowerDNS, by the commands of docs/powerdns-api.md, each with a PowerDNS,
 * a simulated Cloudflare and a manual domain behind the service.
 */
t.setTimeout(300_000)
const [reference, service] = await Promise.all([startReference(t), startService(t)])
/** One asks the DNS server behind the service; nobody serves the zones of the other, which programs find in the reference. */
const [strict, believing] = await Promise.all([
  startPebble(t, service.powerdns.dnsPort),
  startPebble(t, reference.server.dnsPort, { believing: true }),
])

const commandsIn = (heading: string) => commandsOf('powerdns-api.md', heading).map(({ code }) => code)

/** As docs/powerdns-api.md makes its tokens. */
const PERMISSIONS = ['domains:read', 'records:read', 'records:write']

const CHALLENGES = ['', '.pdns', '.dehydrated'].map((name) => `_acme-challenge${name}`)

interface Item {
  action: string
  before: { name: string; value: string } | null
  after: { name: string; value: string } | null
}

/** Under public suffixes, by which Lexicon finds the zone of a name. */
const ZONES: Record<Backend, string> = {
  powerdns: 'example.com',
  cloudflare: 'example.net',
  manual: 'example.org',
}

for (const [backend, zone] of Object.entries(ZONES) as [Backend, string][]) {
  void t.test(`with ${backend} behind the service`, async (t) => {
    const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-programs-'))
    t.teardown(() => rmSync(home, { recursive: true, force: true }))
    const { client, addDomain } = service.at[backend]
    const domainId = await addDomain(zone)
    const isServed = backend === 'powerdns'
    if (!isServed) await reference.addZone(zone)
    const dnsPort = isServed ? service.powerdns.dnsPort : reference.server.dnsPort
    const pebble = isServed ? strict : believing
    const tokenFor = (restrictions: object) =>
      newToken(client, PERMISSIONS, { domainIds: [domainId], ...restrictions })
    const challenges = { namePatterns: CHALLENGES, recordTypes: ['TXT'] }
    const world = `
PDNS=${await tokenFor({})}
CHALLENGES=${await tokenFor(challenges)}
lego() { command lego --server "${pebble.directoryUrl}" --dns.resolvers 127.0.0.1:${dnsPort} --dns.disable-cp "$@"; }
certbot() {
  command certbot "$@" --server "${pebble.directoryUrl}" \\
    --config-dir "$HOME/certbot" --work-dir "$HOME/certbot/work" --logs-dir "$HOME/certbot/logs"
}
dehydrated() { CURL_CA_BUNDLE="${pebble.certificate}" command dehydrated "$@" --ca "${pebble.directoryUrl}"; }
`
    const env = { LEGO_CA_CERTIFICATES: pebble.certificate, REQUESTS_CA_BUNDLE: pebble.certificate }
    const run = async (...headings: string[]) => {
      const commands = headings.flatMap(commandsIn).map((code) => code.replaceAll('example.com', zone))
      const { code, said } = await runBlocks([world, ...commands], { url: service.url, home, env })
      return { code, said: said.slice(1), all: said.join('\n') }
    }
    const certificateIn = (pattern: string) => {
      const [file = ''] = globSync(pattern, { cwd: home })
      const { subjectAltName, issuer } = new X509Certificate(readFileSync(path.join(home, file)))
      return { names: subjectAltName?.split(', ').sort(), issuer }
    }
    /** What was done to records since `count` changes, the oldest first, as "create _acme-challenge". */
    const changesSince = async (count: number) => {
      const { body } = await client.get(`/api/domains/${domainId}/changes?limit=200`)
      const changes = (body.changes as { source: string; items: Item[] }[]).filter(
        ({ source }) => source !== 'sync',
      )
      const items = changes.toReversed().flatMap((change) => change.items)
      return items.slice(count).map(({ action, before, after }) => `${action} ${(after ?? before)?.name}`)
    }
    /** Two values at one name that come, are both there, and go. */
    const bothAt = (name: string) =>
      ['create', 'create', 'delete', 'delete'].map((action) => `${action} ${name}`)
    const recordsAt = async (name: string) => {
      const { body } = await client.get(`/api/domains/${domainId}/records?search=${name}`)
      return (body.records as { value: string }[]).map(({ value }) => value)
    }

    await t.test('lego', async (t) => {
      const { code, all } = await run('lego')
      t.equal(code, 0, all)
      t.match(certificateIn(`lego-pdns/certificates/${zone}.crt`), {
        names: [`DNS:*.${zone}`, `DNS:${zone}`],
        issuer: /Pebble/,
      })
      t.same(await changesSince(0), bothAt('_acme-challenge'))
      t.same(await recordsAt('_acme-challenge'), [])
    })

    await t.test('certbot, by a hook with EXTEND and PRUNE', async (t) => {
      const count = (await changesSince(0)).length
      const { code, all } = await run('certbot')
      t.equal(code, 0, all)
      t.match(certificateIn(`certbot/live/pdns.${zone}/cert.pem`), {
        names: [`DNS:*.pdns.${zone}`, `DNS:pdns.${zone}`],
        issuer: /Pebble/,
      })
      t.same(await changesSince(count), bothAt('_acme-challenge.pdns'))
      t.same(await recordsAt('_acme-challenge'), [])
    })

    await t.test('dehydrated, by a hook with REPLACE', async (t) => {
      const count = (await changesSince(0)).length
      const { code, all } = await run('dehydrated')
      t.equal(code, 0, all)
      t.match(certificateIn('pdns/certs/dehydrated/cert.pem'), {
        names: [`DNS:*.dehydrated.${zone}`, `DNS:dehydrated.${zone}`],
        issuer: /Pebble/,
      })
      t.same(await changesSince(count), bothAt('_acme-challenge.dehydrated'))
      t.same(await recordsAt('_acme-challenge'), [])
    })

    await t.test('Lexicon', async (t) => {
      const count = (await changesSince(0)).length
      const { code, said, all } = await run('Lexicon')
      t.equal(code, 0, all)
      t.match(said[0], new RegExp(`\\blexicon\\.${zone} +192\\.0\\.2\\.80\\b`))
      t.same(await changesSince(count), ['create lexicon', 'delete lexicon'])
    })
  })
}
