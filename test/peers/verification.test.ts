import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { startApp } from '../helpers/app.ts'
import { RCODE } from '../../dns/wire/message.ts'
import { startDnsServer } from '../helpers/dns-server.ts'
import { hear } from '../helpers/events.ts'
import { until } from '../helpers/until.ts'
import { addDomain, idOf, POWERDNS } from '../helpers/zone.ts'
import { startBind, startKnot, type NameServer } from './name-servers.ts'
import { startPowerDns } from './powerdns.ts'
import { credentialsOf } from './rfc2136-subject.ts'
import { startNsd } from './secondary.ts'

/* Changes are verified on real servers: primaries with their secondaries, and with one that is out of order. */
t.setTimeout(240_000)
const run = promisify(execFile)
const SOON = { within: 60 }
const RFC2136 = '0192f0a0-0000-7000-8000-000000000003'

const app = await startApp(t, { environment: { OUTBOUND_ALLOW: '127.0.0.1' } })
const { admin } = app
const heard = hear(app.app, 'change.verification_failed')

/** A domain at a primary, whose changes are verified on these ports. */
async function domainAt(primary: NameServer, ports: number[]) {
  const [zone = ''] = primary.zones
  const credentials = credentialsOf(primary, primary.keyOf('all'), zone)
  const made = await admin.post('/api/provider-configs', {
    providerId: RFC2136,
    name: primary.name,
    credentials,
  })
  const configId = idOf(made)
  await verifiedOn(configId, ports)
  const { id } = await addDomain(admin, configId, zone)
  return { id, configId, zone }
}

const verifiedOn = async (configId: string, ports: number[]) => {
  const verifyServers = ports.map((port) => `127.0.0.1:${port}`)
  const answer = await admin.put(`/api/provider-configs/${configId}`, { verifyServers })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
}

async function change(domainId: string, name: string, value = '192.0.2.1'): Promise<string> {
  const body = { recordType: 'A', name, value, ttl: 300 }
  const made = await admin.post(`/api/domains/${domainId}/records`, body)
  idOf(made)
  return made.body.changeId
}
const verificationOf = async (domainId: string, changeId: string) =>
  (await admin.get(`/api/domains/${domainId}/changes/${changeId}/verification`)).body
const becomes = (domainId: string, changeId: string, status: string) =>
  until(
    `${changeId} is ${status}`,
    async () => {
      const found = await verificationOf(domainId, changeId)
      return found.status === status && found
    },
    SOON,
  )
const stateAt = async (domainId: string, changeId: string, port: number) =>
  ((await verificationOf(domainId, changeId)).servers as { port: number; state: string }[]).find(
    (server) => server.port === port,
  )?.state

/** As if ten minutes were over. */
const lastRound = (changeId: string) =>
  app.database.db
    .updateTable('verifications')
    .set({ ends_at: new Date(), due_at: new Date() })
    .where('change_id', '=', changeId)
    .execute()

/** The processes that listen on a port; a server has several. */
async function processesAt(port: number): Promise<number[]> {
  const { stdout } = await run('ss', ['-Hlnptu', `sport = :${port}`])
  const ids = new Set([...stdout.matchAll(/pid=(\d+)/g)].map(([, id]) => Number(id)))
  if (ids.size === 0) throw new Error(`Nobody listens on ${port}: ${stdout}`)
  return [...ids]
}

for (const startPrimary of [startBind, startKnot]) {
  void t.test('a secondary that transfers the zone, and one that is frozen', async (t) => {
    const primary = await startPrimary(2)
    t.teardown(() => primary.close())
    const [zone = ''] = primary.zones
    const secondary = await startNsd(primary, zone)
    t.teardown(() => secondary.close())
    const domain = await domainAt(primary, [primary.port, secondary.port])

    const first = await change(domain.id, 'first')
    await until(
      'the primary agrees',
      async () => (await stateAt(domain.id, first, primary.port)) === 'agrees',
      SOON,
    )
    t.equal(await stateAt(domain.id, first, secondary.port), 'differs', `${primary.name}: old data`)
    await secondary.refresh()
    t.match(await becomes(domain.id, first, 'verified'), { agreeing: 2, comparable: 2 })

    const ids = await processesAt(secondary.port)
    const signal = (name: 'SIGSTOP' | 'SIGCONT') => ids.forEach((id) => process.kill(id, name))
    signal('SIGSTOP')
    const frozen = await change(domain.id, 'frozen')
    await until(
      'one does not answer',
      async () => (await stateAt(domain.id, frozen, secondary.port)) === 'no_answer',
      SOON,
    )
    t.match(await verificationOf(domain.id, frozen), { status: 'waiting', agreeing: 1, comparable: 2 })
    signal('SIGCONT')
    await until(
      'it is back',
      () =>
        secondary.refresh().then(
          () => true,
          () => false,
        ),
      SOON,
    )
    await lastRoundLater(frozen)
    await becomes(domain.id, frozen, 'verified')
    t.same(await heard(), [])
  })
}

/** Does not wait for the rest of a pause. */
const lastRoundLater = (changeId: string) =>
  app.database.db
    .updateTable('verifications')
    .set({ due_at: new Date() })
    .where('change_id', '=', changeId)
    .execute()

/** Passes questions on to a server: over UDP it answers that the answer is truncated, over TCP all of it. */
async function startTruncating(t: Test, port: number): Promise<number> {
  const tcp = createServer((client: Socket) => {
    const server = connect(port, '127.0.0.1')
    client.pipe(server).pipe(client)
    for (const one of [client, server]) one.on('error', () => {})
  })
  tcp.listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const { port: own } = tcp.address() as AddressInfo
  const udp = createSocket('udp4')
  udp.bind(own, '127.0.0.1')
  await once(udp, 'listening')
  udp.on('message', (bytes, peer) => {
    const answer = Buffer.from(bytes)
    answer.writeUInt16BE(0x8600, 2)
    udp.send(answer, peer.port, peer.address)
  })
  t.teardown(() => {
    udp.close()
    tcp.close()
  })
  return own
}

void t.test('PowerDNS, with servers that truncate, do not have the zone, or refuse', async (t) => {
  const powerDns = await startPowerDns()
  t.teardown(() => powerDns.close())
  const lame = await startPowerDns()
  t.teardown(() => lame.close())
  // Answers, but not from its own data.
  const bind = await startBind(1)
  t.teardown(() => bind.close())
  const truncating = await startTruncating(t, powerDns.dnsPort)
  const servfail = await startDnsServer(t, () => ({ rcode: RCODE.SERVFAIL }))
  const credentials = { apiUrl: powerDns.apiUrl, apiKey: powerDns.apiKey }
  const nameServers = ['ns1.example.net', 'ns2.example.net']
  const configId = idOf(
    await admin.post('/api/provider-configs', {
      providerId: POWERDNS,
      name: 'real',
      credentials,
      nameServers,
    }),
  )
  await verifiedOn(configId, [powerDns.dnsPort, truncating])
  const { id } = await addDomain(admin, configId, 'verified.example', { createZone: true })

  const done = await becomes(id, await change(id, 'www'), 'verified')
  t.match(done, { agreeing: 2, comparable: 2 })

  await verifiedOn(configId, [powerDns.dnsPort, lame.dnsPort, bind.port, servfail.port])
  const failing = await change(id, 'mail')
  await until('all were asked', async () => (await verificationOf(id, failing)).servers.length === 4, SOON)
  const states = async () =>
    Promise.all(
      [powerDns.dnsPort, lame.dnsPort, bind.port, servfail.port].map((port) => stateAt(id, failing, port)),
    )
  t.same(await states(), ['agrees', 'refused', 'refused', 'lame'])
  await lastRound(failing)
  t.match(await becomes(id, failing, 'failed'), { agreeing: 1, comparable: 4 })
  t.match(await heard(), [{ payload: { metadata: { changeId: failing, agreeing: 1, servers: 4 } } }])
})
