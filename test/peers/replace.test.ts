import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { addDomain, idOf, POWERDNS } from '../helpers/zone.ts'
import { startPowerDns } from './powerdns.ts'

/* A value replaced in several zones of a real name server, which is asked before and after. */
const server = await startPowerDns()
t.teardown(() => server.close())
const { admin } = await startApp(t, {})
const credentials = { apiUrl: server.apiUrl, apiKey: server.apiKey }
const config = { providerId: POWERDNS, name: 'PowerDNS', credentials, nameServers: ['ns1.example.net'] }
const configId = idOf(await admin.post('/api/provider-configs', config))
const ZONES = ['one.test', 'two.test', 'three.test']
const domains: Record<string, string> = {}
for (const zone of ZONES) {
  const { id } = await addDomain(admin, configId, zone, { createZone: true })
  domains[zone] = id
  await add(zone, 'www', '192.0.2.10')
  await add(zone, 'www', '192.0.2.11')
}

async function add(zone: string, name: string, value: string) {
  const record = { recordType: 'A', name, value, ttl: 300 }
  idOf(await admin.post(`/api/domains/${domains[zone]}/records`, record))
}
const answers = async () =>
  Promise.all(ZONES.map(async (zone) => (await server.dig(`www.${zone}`, 'A')).sort().join(' ')))

void t.test('in three zones; one that changed meanwhile stays, and one is undone by itself', async (t) => {
  t.same(await answers(), Array(3).fill('192.0.2.10 192.0.2.11'))
  const { body: plan } = await admin.post('/api/records/replace', {
    find: { value: '192.0.2.10' },
    replaceWith: { value: '198.51.100.1' },
  })
  t.match(plan, { totals: { domains: 3, changedDomains: 3, updates: 3, blocked: 0 } })
  t.same(await answers(), Array(3).fill('192.0.2.10 192.0.2.11'), 'planning changes nothing')

  await add('three.test', 'www', '192.0.2.12')
  const begun = await admin.post('/api/records/replace/apply', { planId: plan.planId })
  t.equal(begun.status, 202)
  const ended = await until('the operation has ended', async () => {
    const { body } = await admin.get(`/api/operations/${begun.body.operation.id}`)
    return body.outcome !== null && body
  })
  t.match(ended, { outcome: 'partly', problem: { outcomes: { applied: 2, outdated: 1 } } })
  const changed = '192.0.2.11 198.51.100.1'
  t.same(await answers(), [changed, changed, '192.0.2.10 192.0.2.11 192.0.2.12'])

  const { body: done } = await admin.get(`/api/records/plans/${plan.planId}`)
  const of = (zone: string) =>
    done.domains.find(({ domainName }: { domainName: string }) => domainName === zone)
  t.match(of('three.test'), { outcome: 'outdated', changeId: null })
  const undo = `/api/domains/${domains['one.test']}/changes/${of('one.test').changeId}/revert`
  t.match(await admin.post(undo), { status: 200, body: { applied: true } })
  t.same(await answers(), ['192.0.2.10 192.0.2.11', changed, '192.0.2.10 192.0.2.11 192.0.2.12'])
  t.equal(done.domains.length, 3)
})
