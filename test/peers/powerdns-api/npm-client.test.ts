import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { installLocked } from '../packages.ts'
import { startReference, startService, type ApiServer } from './servers.ts'

/* A client from npm, @firstdorsal/powerdns-api, gets from the service what it gets from a real PowerDNS. */
t.setTimeout(180_000)
const run = promisify(execFile)

/** What a program does with the client; prints what each call answers, without SOA and apex NS. */
const PROGRAM = `
const { PowerdnsClient } = require('@firstdorsal/powerdns-api')
const [url, key, zone] = process.argv.slice(1)
const client = new PowerdnsClient(url + '/api/v1/servers/localhost', key)
const set = (name, type, ...content) => ({ name, type, ttl: 300, content })
const sorted = (items) => items.map((item) => JSON.stringify(item, Object.keys(item).sort())).sort()
const records = async () =>
  (await client.getZone(zone))
    .filter(({ type }) => type !== 'SOA' && type !== 'NS')
    .map(({ name, type, ttl, records }) => [name, type, ttl, ...records.map(({ content }) => content).sort()].join(' '))
    .sort()
const calls = {
  getZones: async () => (await client.getZones()).filter(({ name }) => name === zone + '.').length,
  setRecords: () =>
    client.setRecords([set('www.' + zone, 'A', '192.0.2.1', '192.0.2.2'), set(zone, 'TXT', '"v=spf1 -all"')]),
  setHomogeneousRecords: () => client.setHomogeneousRecords([set('mail.' + zone, 'A', '192.0.2.3')]),
  appendRecord: () => client.appendRecord(set('www.' + zone, 'A', '192.0.2.4')),
  getZone: records,
  search: async () => sorted(await client.search({ query: 'mail.' + zone, max: 10, object_type: 'record' })),
  replaceRecords: () => client.replaceRecords('192.0.2.3', '192.0.2.33', zone),
  getCryptoKeys: () => client.getCryptoKeys(zone),
  deleteRecords: () => client.deleteRecords([{ name: 'mail.' + zone, type: 'A' }]),
  'getZone again': records,
}
const main = async () => {
  const answers = {}
  for (const [name, call] of Object.entries(calls)) answers[name] = await call()
  console.log(JSON.stringify(answers))
}
main()
`

const [home, reference, service] = await Promise.all([
  installLocked(t, new URL('npm-client.json', import.meta.url)),
  startReference(t),
  startService(t),
])

async function play({ url, key, addZone }: ApiServer, zone: string): Promise<Record<string, unknown>> {
  await addZone(zone)
  const { stdout } = await run(process.execPath, ['--eval', PROGRAM, url, key, zone], { cwd: home })
  return JSON.parse(stdout) as Record<string, unknown>
}

for (const [backend, zone] of [
  ['powerdns', 'example.com'],
  ['cloudflare', 'example.net'],
  ['manual', 'example.org'],
] as const) {
  void t.test(`with ${backend} behind the service`, async (t) => {
    const [real, ours] = await Promise.all([play(reference, zone), play(service.at[backend], zone)])
    t.same(ours, real)
    t.same(ours['getZone again'], [
      `${zone}. TXT 300 "v=spf1 -all"`,
      `www.${zone}. A 300 192.0.2.1 192.0.2.2 192.0.2.4`,
    ])
  })
}
