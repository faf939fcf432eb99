import t, { type Test } from 'tap'
import { RCODE, type Message } from '../../../dns/wire/message.ts'
import { typeName } from '../../../dns/wire/type-codes.ts'
import { startApp, type Client } from '../../helpers/app.ts'
import { record, startDnsServer, type DnsTestServer, type Reply } from '../../helpers/dns-server.ts'
import { hear } from '../../helpers/events.ts'
import { until } from '../../helpers/until.ts'
import { startZone, type Zone } from '../../helpers/zone.ts'

const app = await startApp(t)
const heard = hear(app.app, 'change.verification_failed')

/** Answers what the provider has, as `there` of the zone tells it. */
const serving =
  (zone: Zone) =>
  ({ questions: [question] }: Message): Reply => {
    const { name = '', type = 0 } = question ?? {}
    const relative = name === 'example.com' ? '@' : name.slice(0, -'.example.com'.length)
    const values = zone.there(relative, typeName(type))
    return {
      isAuthoritative: true,
      rcode: values.length === 0 ? RCODE.NXDOMAIN : RCODE.NOERROR,
      answers: values.map((value) => record(name, 'A', value)),
    }
  }

/** A zone whose changes are verified on that many servers, which have the zone. */
async function served(t: Test, count: number): Promise<{ zone: Zone; servers: DnsTestServer[] }> {
  const zone = await startZone(t, { app })
  const servers = await Promise.all(Array.from({ length: count }, () => startDnsServer(t, serving(zone))))
  const verifyServers = servers.map(({ address, port }) => `${address}:${port}`)
  t.match(await zone.admin.put(`/api/provider-configs/${zone.configId}`, { verifyServers }), {
    status: 200,
    body: { verifyServers },
  })
  return { zone, servers }
}

const lastChange = async ({ admin, domainId }: Zone): Promise<string> =>
  (await admin.get(`/api/domains/${domainId}/changes`)).body.changes[0].id
const verificationOf = async ({ admin, domainId }: Zone, change: string, client: Client = admin) =>
  (await client.get(`/api/domains/${domainId}/changes/${change}/verification`)).body
const becomes = (zone: Zone, change: string, status: string) =>
  until(status, async () => (await verificationOf(zone, change)).status === status, { within: 20 })
const lastRound = (change: string) =>
  app.database.db
    .updateTable('verifications')
    .set({ ends_at: new Date(), due_at: new Date() })
    .where('change_id', '=', change)
    .execute()

void t.test('a change is verified when all servers serve it', async (t) => {
  const { zone, servers } = await served(t, 2)
  const [, slow] = servers
  if (slow) slow.answer = () => ({ isAuthoritative: true, rcode: RCODE.NXDOMAIN })
  await zone.add('A', 'www', '192.0.2.1')
  const change = await lastChange(zone)
  await until('a round', async () => (await verificationOf(zone, change)).servers.length === 2)
  t.match(await verificationOf(zone, change), {
    status: 'waiting',
    agreeing: 1,
    comparable: 2,
    servers: [
      { address: '127.0.0.1', state: 'agrees', name: null, answer: null },
      { state: 'differs', name: 'www', recordType: 'A', answer: { length: 0 } },
    ],
  })
  if (slow) slow.answer = serving(zone)
  await becomes(zone, change, 'verified')
  t.match(await verificationOf(zone, change), { agreeing: 2, endedAt: String })
})

void t.test('a deletion is verified by its absence', async (t) => {
  const { zone } = await served(t, 1)
  const { id } = await zone.add('A', 'www', '192.0.2.1')
  await zone.admin.delete(`${zone.url}/${id}`)
  await becomes(zone, await lastChange(zone), 'verified')
})

void t.test('a change fails when its time is over, and tells so once', async (t) => {
  const { zone, servers } = await served(t, 3)
  const [, lame, refusing] = servers
  if (lame) lame.answer = () => ({ rcode: RCODE.SERVFAIL })
  if (refusing) refusing.answer = () => ({ rcode: RCODE.REFUSED })
  for (const name of ['www', 'ftp']) {
    await zone.add('A', name, '192.0.2.1')
    const change = await lastChange(zone)
    await lastRound(change)
    await becomes(zone, change, 'failed')
    t.match(await verificationOf(zone, change), {
      agreeing: 1,
      servers: [{ state: 'agrees' }, { state: 'lame' }, { state: 'refused' }],
    })
  }
  const events = (await heard()).filter(({ payload }) => payload.metadata.domainId === zone.domainId)
  t.match(events, [{ payload: { metadata: { agreeing: 1, servers: 3 } } }])
  t.equal(events.length, 1)
})

void t.test('a newer change of the same records supersedes', async (t) => {
  const { zone, servers } = await served(t, 1)
  const [server] = servers
  if (server) server.answer = () => ({ isAuthoritative: true, rcode: RCODE.NXDOMAIN })
  const { id, version } = await zone.add('A', 'www', '192.0.2.1')
  const older = await lastChange(zone)
  await until('a round', async () => (await verificationOf(zone, older)).servers.length === 1)
  const changed = await zone.admin.put(`${zone.url}/${id}`, { value: '192.0.2.2', version })
  t.equal(changed.status, 200)
  await becomes(zone, older, 'superseded')
  if (server) server.answer = serving(zone)
  await becomes(zone, await lastChange(zone), 'verified')
})

void t.test('nothing is told where no server can be asked', async (t) => {
  const zone = await startZone(t, { app })
  await zone.add('A', 'www', '192.0.2.1')
  const change = await lastChange(zone)
  await until('a round', async () => {
    const row = await app.database.db
      .selectFrom('verifications')
      .select('rounds')
      .where('change_id', '=', change)
      .executeTakeFirst()
    return (row?.rounds ?? 0) > 0
  })
  await lastRound(change)
  await becomes(zone, change, 'unreachable')
  const events = await heard()
  t.equal(events.filter(({ payload }) => payload.metadata.domainId === zone.domainId).length, 0)
})

void t.test('the domain decides, and a request begins it all the same', async (t) => {
  const { zone } = await served(t, 1)
  t.match(await zone.admin.put(`/api/domains/${zone.domainId}`, { verify: 'off' }), {
    status: 200,
    body: { verify: 'off' },
  })
  await zone.add('A', 'www', '192.0.2.1')
  const change = await lastChange(zone)
  t.match(await verificationOf(zone, change), { status: 'none', servers: { length: 0 }, startedAt: null })
  const url = `/api/domains/${zone.domainId}/changes/${change}/verify`
  t.match(await zone.admin.post(url), { status: 202, body: { status: 'waiting' } })
  await becomes(zone, change, 'verified')
  t.match(await zone.admin.post(url), { body: { status: 'waiting', servers: { length: 0 } } }, 'again')
  await becomes(zone, change, 'verified')
})

void t.test("what can't be compared never fails", async (t) => {
  const { zone, servers } = await served(t, 1)
  await zone.add('ALIAS', '@', 'host.example.net')
  const change = await lastChange(zone)
  await becomes(zone, change, 'not_comparable')
  t.equal(servers[0]?.asked.length, 0)
})

void t.test('75. a delegate of a part learns nothing of the rest', async (t) => {
  const { zone, servers } = await served(t, 1)
  const userId = await app.addUser('dora')
  const given = await zone.admin.post('/api/assignments', {
    userId,
    domainId: zone.domainId,
    permission: 'read',
    subdomainPattern: '*.dev',
  })
  t.equal(given.status, 201)
  await app.addUser('mallory')
  const [dora, mallory] = [await app.signIn('dora'), await app.signIn('mallory')]
  const answerAll = serving(zone)
  const [server] = servers
  if (server) {
    server.answer = (query) =>
      query.questions[0]?.name === 'secret.example.com' ? { isAuthoritative: true } : answerAll(query)
  }
  const create = (name: string) => ({ action: 'create', recordType: 'A', name, value: '192.0.2.1', ttl: 300 })
  const changes = [create('secret'), create('a.dev')]
  t.equal((await zone.admin.post(`${zone.url}/apply`, { changes })).status, 200)
  const change = await lastChange(zone)
  await until('a round', async () => (await verificationOf(zone, change)).servers.length === 1)
  t.match(await verificationOf(zone, change), { status: 'waiting', servers: [{ name: 'secret' }] })
  t.match(await verificationOf(zone, change, dora), {
    status: 'verified',
    servers: [{ state: 'agrees', name: null }],
  })
  await zone.add('A', 'other', '192.0.2.1')
  const hidden = await lastChange(zone)
  const path = (id: string) => `/api/domains/${zone.domainId}/changes/${id}`
  t.equal((await dora.get(`${path(hidden)}/verification`)).status, 404)
  t.equal((await dora.post(`${path(hidden)}/verify`)).status, 404)
  t.equal((await mallory.get(`${path(change)}/verification`)).status, 404)
  t.equal((await mallory.post(`${path(change)}/verify`)).status, 404)
})

void t.test('servers are addresses', async (t) => {
  const zone = await startZone(t, { app })
  for (const server of ['ns1.example.net', '127.1', '192.0.2.1:0x35', '1'.repeat(12), 'fe80::1%lo']) {
    const answer = await zone.admin.put(`/api/provider-configs/${zone.configId}`, { verifyServers: [server] })
    t.match(answer, { status: 400, body: { errors: [{ code: 'server_address' }] } }, server)
  }
})
