import t from 'tap'
import rfc2136 from '../../../modules/providers/adapters/rfc2136/index.ts'
import { until } from '../../helpers/until.ts'
import { startBind } from '../name-servers.ts'
import { startPowerDns } from '../powerdns.ts'
import { credentialsOf } from '../rfc2136-subject.ts'
import { addDomain, signIn } from '../zonekeeper.ts'
import { killable } from './killable.ts'

/* A domain moves from a real PowerDNS to a real BIND as its mirror, and instances are killed meanwhile. */
t.setTimeout(300_000)
const SOON = { within: 120 }

const [old, bind] = await Promise.all([startPowerDns(), startBind(2)])
for (const server of [old, bind]) t.teardown(() => server.close())
const [zone = ''] = bind.zones
const { start } = await killable()
const dig = async (name: string, type: string) =>
  (await bind.dig('+short', '+tcp', `${name}.${zone}`, type)).trim().split('\n').sort()

let service = await start()
let session = await signIn(service.url)
const domainId = await addDomain(session, old, zone)
const url = `/api/domains/${domainId}`
await session.post(`${url}/sync`)
const to = await session.post('/api/provider-configs', {
  providerId: rfc2136.id,
  name: 'BIND',
  credentials: credentialsOf(bind, bind.keyOf('all'), zone),
})
const providerConfigId = (to.body as { id: string }).id
let mirrorId = ''
const mirror = async () =>
  (await session.get(`${url}/mirrors/${mirrorId}`)).body as {
    state: string
    behind: number
    error: string | null
  }
const inStep = () =>
  until(
    'in step',
    async () => {
      const { state, error } = await mirror()
      if (state === 'failed') throw new Error(String(error))
      return state === 'in_step'
    },
    SOON,
  )

void t.test('the zone is brought over, though the instance is killed before', async (t) => {
  const records = Array.from({ length: 40 }, (_, i) => ({
    recordType: 'A',
    name: `h${i}`,
    value: `192.0.2.${i + 1}`,
    ttl: 300,
  }))
  t.match(await session.post(`${url}/records/bulk`, { records }), { body: { succeeded: 40 } })
  const added = await session.post(`${url}/mirrors`, { providerConfigId })
  t.match(added, { status: 201, body: { state: 'behind', behind: 1 } })
  mirrorId = (added.body as { id: string }).id
  await service.kill()
  service = await start()
  session = await signIn(service.url)
  await inStep()
  for (const i of [0, 20, 39]) t.same(await dig(`h${i}`, 'A'), [`192.0.2.${i + 1}`])
})

void t.test('no queued change is lost, and their order holds, with two instances after a kill', async (t) => {
  const { body } = await session.post(`${url}/records`, {
    recordType: 'TXT',
    name: 'count',
    value: '0',
    ttl: 300,
  })
  const { id } = body as { id: string }
  for (let i = 1; i <= 15; i++) {
    await session.put(`${url}/records/${id}`, { value: String(i) })
    await session.post(`${url}/records`, { recordType: 'A', name: `k${i}`, value: '192.0.2.77', ttl: 300 })
  }
  await service.kill()
  const [first, second] = await Promise.all([start(), start()])
  service = first
  session = await signIn(second.url)
  await session.put(`${url}/records/${id}`, { value: 'last' })
  await inStep()
  t.same(await dig('count', 'TXT'), ['"last"'])
  for (let i = 1; i <= 15; i++) t.same(await dig(`k${i}`, 'A'), ['192.0.2.77'], `k${i}`)
  t.match(await session.post(`${url}/mirrors/${mirrorId}/compare`), {
    body: { mirror: { state: 'in_step', differences: 0 } },
  })
})

void t.test('the mirror becomes the provider, the old one follows, and is left', async (t) => {
  const promoted = await session.post(`${url}/mirrors/${mirrorId}/promote`, {})
  t.match(promoted, { status: 200, body: { mirrorId, domain: { providerConfigId } } })
  const { nameServers } = promoted.body as { nameServers: string[] }
  const apex = (await bind.dig('+short', '+tcp', zone, 'NS')).trim().split('\n').sort()
  t.same(nameServers.map((name) => `${name}.`).sort(), apex)
  await session.post(`${url}/records`, { recordType: 'A', name: 'after', value: '192.0.2.99', ttl: 300 })
  t.same(await dig('after', 'A'), ['192.0.2.99'])
  await until('the old server', async () => (await old.dig(`after.${zone}`, 'A')).length === 1, SOON)
  t.match(await session.delete(`${url}/mirrors/${mirrorId}`), { status: 204 })
  await session.post(`${url}/records`, { recordType: 'A', name: 'only', value: '192.0.2.98', ttl: 300 })
  t.same(await dig('only', 'A'), ['192.0.2.98'])
  t.same(await old.dig(`only.${zone}`, 'A'), [])
})
