import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { addDomain, POWERDNS, idOf } from '../helpers/zone.ts'
import { startPowerDns } from './powerdns.ts'

/* Three instances write to one PowerDNS on SQLite, which fails one of two writes at the same time. */
t.setTimeout(180_000)
const RECORDS = 60
const AT_ONCE = 4

const powerdns = await startPowerDns()
t.teardown(() => powerdns.close())

void t.test('no write is lost to another at the same time', async (t) => {
  const first = await startApp(t, { alone: false })
  const others = [1, 2].map(() => startApp(t, { alone: false, database: first.database }))
  const instances = [first, ...(await Promise.all(others))]
  const credentials = { apiUrl: powerdns.apiUrl, apiKey: powerdns.apiKey }
  const config = { providerId: POWERDNS, name: 'PowerDNS', credentials, nameServers: ['ns1.example.net'] }
  const configId = idOf(await first.admin.post('/api/provider-configs', config))
  const { id } = await addDomain(first.admin, configId, 'turns.test', { createZone: true })

  const statuses: number[] = []
  const writer = async (instance: number, lane: number) => {
    const { admin } = instances[instance] as typeof first
    for (let i = lane; i < RECORDS; i += AT_ONCE) {
      const record = { recordType: 'A', name: `n${instance}-${i}`, value: '192.0.2.1' }
      statuses.push((await admin.post(`/api/domains/${id}/records`, record)).status)
    }
  }
  const lanes = Array.from({ length: AT_ONCE }, (_, lane) => lane)
  await Promise.all(instances.flatMap((_, instance) => lanes.map((lane) => writer(instance, lane))))
  t.equal(statuses.length, RECORDS * instances.length)
  t.same(
    statuses.filter((status) => status !== 201),
    [],
  )
})
