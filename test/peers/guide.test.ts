import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { MANUAL } from '../helpers/zone.ts'
import { commandsOf, firstSteps, runBlocks } from './guide.ts'
import { startZonekeeper } from './zonekeeper.ts'

/* The commands of the guide's pages about accounts and tokens, as they stand there. */
t.setTimeout(120_000)
const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-guide-'))
t.teardown(() => rmSync(home, { recursive: true, force: true }))
const service = await startZonekeeper({ DATA_DIR: path.join(home, 'data') })
t.teardown(() => service.stop())

const signIn = firstSteps()['3. Sign in'] ?? []
const run = (blocks: string[]) => runBlocks([...signIn, ...blocks], { url: service.url, home })

void t.test('users.md', async (t) => {
  const commands = commandsOf('users.md')
  const { code, said } = await run(commands)
  t.equal(code, 0, said.join('\n'))
  const [made, machine, builds, registered, invitations, changed, lost, audit, deleted] = said.slice(
    signIn.length,
  )
  t.equal(said.length - signIn.length, 9)
  for (const answer of said) t.notMatch(answer, /"status":[45]/)
  t.match(made, /"username":"ada".*"role":"member"/)
  t.match(machine, /"kind":"machine","username":"ci"|"username":"ci"[^]*"kind":"machine"/)
  t.match(builds, /"name":"builds"[^]*"user":\{[^}]*"username":"ci"/)
  t.match(registered, /"accessToken":".*"username":"grace"/)
  t.match(invitations, /"maxUses":2,"uses":1.*"total":1/)
  t.match(changed, /"total":1[^]*"role":"admin"[^]*"disabled":true[^]*"disabled":false/)
  t.match(lost, /"username":"ada"/)
  t.match(audit, /"action":"user\.updated"[^]*"name":"grace"/)
  t.equal(deleted, '\n')
})

/** Makes a domain of that name, which is `$DOMAIN` then. */
const domain = (name: string) => `
CONFIG=$(call "$API/provider-configs" --json '{"providerId": "${MANUAL}", "name": "for ${name}"}' | field id)
DOMAIN=$(call "$API/domains" --json '{"name": "${name}", "providerConfigId": "'"$CONFIG"'"}' | field id)
`

void t.test('tokens.md', async (t) => {
  const { code, said } = await run([domain('example.com'), ...commandsOf('tokens.md')])
  t.equal(code, 0, said.join('\n'))
  const [, , used, changed, limits, narrow, refused, rotated, , whoAmI, listed] = said.slice(signIn.length)
  t.match(used, /"name":"example\.com"[^]*"value":"192\.0\.2\.60"[^]*"records":\[\{[^]*"total":1/)
  t.match(changed, /"updates":\[\{[^]*"ttl":600[^]*"name":"shop"/)
  t.notMatch(changed, /"status":[45]/)
  t.match(limits, /^HTTP\S+ 200/m)
  t.match(narrow, /"name":"_acme-challenge\.www".*"value":"gfj9Xq"/)
  t.match(refused, /"status":403/)
  t.match(rotated, /"name":"inventory"[^]*"expiresAt":"20\d\d-12-31/)
  t.match(whoAmI, /"name":"certificates of www"[^]*"username":"admin"/)
  t.match(listed, /"name":"inventory"[^]*"lastUsedAt":"20/)
  t.notMatch(listed, /"status":[45]/)
})

void t.test('zone-files.md', async (t) => {
  const { code, said } = await run([domain('example.org'), ...commandsOf('zone-files.md')])
  t.equal(code, 0, said.join('\n'))
  const [, , read, , planned, applied, again] = said.slice(signIn.length)
  t.match(read, /^# Zone example\.org.*\n---\n/)
  t.match(planned, /"creates":\[\{[^]*192\.0\.2\.20[^]*192\.0\.2\.21[^]*"applied":false/)
  t.match(applied, /"applied":false[^]*"applied":true/)
  t.match(again, /"creates":\[\],"updates":\[\],"deletes":\[\][^]*"applied":false/)
})

void t.test('many-domains.md', async (t) => {
  const { code, said } = await run([domain('example.net'), ...commandsOf('many-domains.md')])
  t.equal(code, 0, said.join('\n'))
  const [, found, planned, done, templates, own] = said.slice(signIn.length)
  t.match(found, /"total":1,[^]*"complete":true[^]*"value":"192\.0\.2\.11"/)
  t.match(planned, /"updates":2[^]*198\.51\.100\.10/)
  t.match(done, /"outcome":"succeeded"[^]*"outcome":"applied"/)
  t.match(templates, /"id":"parked"[^]*"creates":3[^]*"kind":"template"/)
  t.match(own, /"creates":2/)
  for (const answer of said) t.notMatch(answer, /"status":[45]/)
})

void t.test('external-dns.md', async (t) => {
  const record = `call "$API/domains/$DOMAIN/records" --json '{"recordType": "A", "name": "shop", "value": "192.0.2.1"}'\n`
  const { code, said } = await run([domain('example.edu'), record, ...commandsOf('external-dns.md')])
  t.equal(code, 0, said.join('\n'))
  const [, , , filter, records] = said.slice(signIn.length)
  t.match(filter, /^\{"include":\["example\.edu"\]\}\n/)
  t.match(records, /"dnsName":"shop\.example\.edu","targets":\["192\.0\.2\.1"\],"recordType":"A"/)
})

void t.test('channels.md and providers/powerdns.md', async (t) => {
  // What is before it sets up the server of PowerDNS itself.
  const configure = commandsOf('providers/powerdns.md').filter((block) => block.includes('Own name servers'))
  const channels = commandsOf('channels.md')
  const { code, said } = await run([...channels, ...configure])
  t.equal(code, 0, said.join('\n'))
  const made = said.slice(signIn.length, signIn.length + channels.length)
  const config = said[signIn.length + channels.length]
  for (const channel of made) t.match(channel, /"channel":"\w+"[^]*"enabled":true/)
  t.match(made[0], /"channel":"webhook"[^]*"events":\["domain\.\*","channel\.failed"\]/)
  t.match(config, /"name":"Own name servers"[^]*"nameServers":\["ns1\.example\.net","ns2\.example\.net"\]/)
})
