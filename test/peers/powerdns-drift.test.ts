import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { startApp } from '../helpers/app.ts'
import { idOf, POWERDNS } from '../helpers/zone.ts'
import { callApi } from '../conformance/subjects/powerdns-subject.ts'
import { startPowerDns } from './powerdns.ts'

/* Records changed in a real PowerDNS, behind the service: PowerDNS, the list, the history and the next plan agree. */
const [{ admin, app, database }, server] = await Promise.all([startApp(t), startPowerDns()])
t.teardown(() => server.close())
const config = idOf(
  await admin.post('/api/provider-configs', {
    providerId: POWERDNS,
    name: 'PowerDNS',
    credentials: { apiUrl: server.apiUrl, apiKey: server.apiKey },
  }),
)
const DECLARED = '192.0.2.1'
const ELSEWHERE = '192.0.2.99'

const rrset = (zone: string, name: string, ...contents: string[]) => ({
  name: `${name}.${zone}.`,
  type: 'A',
  ttl: 300,
  changetype: contents.length > 0 ? 'REPLACE' : 'DELETE',
  records: contents.map((content) => ({ content, disabled: false })),
})
const putThere = async (zone: string, ...rrsets: object[]) => {
  const { status } = await callApi(server, 'PATCH', `/zones/${zone}.`, { rrsets })
  if (status !== 204) throw new Error(`PATCH: ${status}`)
}

interface Listed {
  name: string
  value: string
}

interface Change {
  id: string
  source: string
  status: string
  changedOutside: boolean
  items: { before: Listed | null; after: Listed | null }[]
}

/** A zone with h0 to h11, which is synced automatically and treats changes of others so. */
async function declared(zone: string, driftPolicy: string) {
  await callApi(server, 'POST', '/zones', {
    name: `${zone}.`,
    kind: 'Native',
    nameservers: ['ns1.example.net.', 'ns2.example.net.'],
  })
  await putThere(zone, ...Array.from({ length: 12 }, (_, i) => rrset(zone, `h${i}`, DECLARED)))
  const domainId = idOf(await admin.post('/api/domains', { name: zone, providerConfigId: config }))
  const url = `/api/domains/${domainId}`
  await admin.put(url, { driftPolicy, syncInterval: 5 })
  const turn = async () => {
    await sql`update domains set sync_due_at = now() where id = ${domainId}`.execute(database.db)
    await app.work.run('records.sync')
  }
  await turn()
  const listed = async (name: string): Promise<string[]> => {
    const { body } = await admin.get(`${url}/records?limit=200&type=A`)
    return (body.records as Listed[]).flatMap((one) => (one.name === name ? [one.value] : []))
  }
  return {
    url,
    turn,
    domain: async () => (await admin.get(url)).body,
    changes: async (): Promise<Change[]> => (await admin.get(`${url}/changes`)).body.changes,
    /** What the next sync would do about a name. */
    differs: async (): Promise<number> => {
      const { body } = await admin.post(`${url}/sync?dryRun=true`)
      return body.created + body.updated + body.deleted
    },
    /** PowerDNS itself and the list hold this. */
    async holds(t: Test, name: string, there: string[], here = there) {
      t.same((await server.dig(`${name}.${zone}`, 'A')).sort(), there, `${name}: PowerDNS`)
      t.same((await listed(name)).sort(), here, `${name}: the list`)
    },
    /** The steps that would make a name hold this. */
    async planned(name: string, ...values: string[]): Promise<number> {
      const set = { action: 'set', recordType: 'A', name, values }
      const { status, body } = await admin.post(`${url}/records/plan`, { changes: [set] })
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body.creates.length + body.updates.length + body.deletes.length
    },
  }
}

/** A value replaced, a name added, and one removed. */
const changeElsewhere = (zone: string) =>
  putThere(zone, rrset(zone, 'h0', ELSEWHERE), rrset(zone, 'new', ELSEWHERE), rrset(zone, 'h1'))

void t.test('adopt', async (t) => {
  const zone = await declared('adopt.example', 'adopt')
  await changeElsewhere('adopt.example')
  await zone.turn()
  await zone.holds(t, 'h0', [ELSEWHERE])
  await zone.holds(t, 'new', [ELSEWHERE])
  await zone.holds(t, 'h1', [])
  t.match(await zone.changes(), [{ source: 'sync', status: 'applied', changedOutside: true }])
  t.equal(await zone.differs(), 0)
  t.equal(await zone.planned('h0', ELSEWHERE), 0, 'the next plan knows it')
  t.equal(await zone.planned('h1', DECLARED), 1)
})

void t.test('alert', async (t) => {
  const zone = await declared('alert.example', 'alert')
  const before = await zone.changes()
  await changeElsewhere('alert.example')
  await zone.turn()
  await zone.holds(t, 'h0', [ELSEWHERE], [DECLARED])
  await zone.holds(t, 'new', [ELSEWHERE], [])
  await zone.holds(t, 'h1', [], [DECLARED])
  t.same(await zone.changes(), before, 'nothing was changed')
  const { drift } = await zone.domain()
  t.match(drift, { created: 2, updated: 0, deleted: 2, reason: 'alert' })
  t.equal(await zone.differs(), 4)
  t.match(await admin.post(`${zone.url}/sync`), { status: 200, body: { created: 2, deleted: 2 } })
  for (const [name, values] of [
    ['h0', [ELSEWHERE]],
    ['new', [ELSEWHERE]],
    ['h1', []],
  ] as const)
    await zone.holds(t, name, [...values])
  t.match(await zone.domain(), { drift: null, driftFoundAt: null })
  t.equal(await zone.differs(), 0)
})

void t.test('enforce', async (t) => {
  const zone = await declared('enforce.example', 'enforce')
  await changeElsewhere('enforce.example')
  await zone.turn()
  await zone.holds(t, 'h0', [DECLARED])
  await zone.holds(t, 'new', [])
  await zone.holds(t, 'h1', [DECLARED])
  const [change] = await zone.changes()
  t.match(change, { source: 'enforce', status: 'applied', changedOutside: true })
  t.match(await zone.domain(), { drift: null, driftFoundAt: null })
  t.equal(await zone.differs(), 0)
  t.equal(await zone.planned('h0', DECLARED), 0, 'the next plan has nothing to do')

  // Once an hour: until then the list and the plan speak of what is declared.
  await putThere('enforce.example', rrset('enforce.example', 'h2', ELSEWHERE))
  await zone.turn()
  await zone.holds(t, 'h2', [ELSEWHERE], [DECLARED])
  t.match(await zone.domain(), { drift: { reason: 'too_soon' } })
  t.equal((await zone.changes())[0]?.id, change?.id)
  t.equal(await zone.differs(), 2)
})
