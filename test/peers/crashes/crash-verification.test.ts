import { sql } from 'kysely'
import t from 'tap'
import { RCODE } from '../../../dns/wire/message.ts'
import { startDnsServer } from '../../helpers/dns-server.ts'
import { until } from '../../helpers/until.ts'
import { startPowerDnsSimulator } from '../../conformance/simulators/powerdns.ts'
import { addDomain, signIn } from '../zonekeeper.ts'
import { killable } from './killable.ts'

/* An instance is killed in the midst of a verification: the next one goes on, and ends it once. */
t.setTimeout(240_000)
const SOON = { within: 90 }

const fake = await startPowerDnsSimulator()
t.teardown(() => fake.close())
const server = await startDnsServer(t, () => null)
const { database, start } = await killable()
const { db } = database

void t.test('killed while a name server is asked, it goes on and fails once', async (t) => {
  let service = await start()
  let session = await signIn(service.url)
  const id = await addDomain(session, { apiUrl: fake.url, apiKey: fake.apiKey }, 'killed.test')
  const { providerConfigId } = (await session.get(`/api/domains/${id}`)).body
  const verifyServers = [`127.0.0.1:${server.port}`]
  t.equal((await session.put(`/api/provider-configs/${providerConfigId}`, { verifyServers })).status, 200)
  const record = { recordType: 'A', name: 'www', value: '192.0.2.1', ttl: 300 }
  const made = await session.post(`/api/domains/${id}/records`, record)
  const url = `/api/domains/${id}/changes/${made.body.changeId}/verification`
  await until('it is asked', () => server.asked.length > 0, SOON)
  await service.kill()

  server.answer = () => ({ isAuthoritative: true, rcode: RCODE.NXDOMAIN })
  const before = server.asked.length
  service = await start()
  session = await signIn(service.url)
  await until('the next instance asks', () => server.asked.length > before, SOON)
  t.equal((await session.get(url)).body.status, 'waiting')
  await sql`update verifications set ends_at = now(), due_at = now()`.execute(db)
  await until('it has ended', async () => (await session.get(url)).body.status === 'failed', SOON)
  await service.kill()
  service = await start()
  session = await signIn(service.url)
  const told = async () =>
    (await session.get('/api/notifications?limit=50')).body.notifications.filter(
      ({ event }: { event: string }) => event === 'change.verification_failed',
    ).length
  await until('it is told', async () => (await told()) > 0, SOON)
  t.equal(await told(), 1)
  t.equal((await session.get(url)).body.status, 'failed')
})
