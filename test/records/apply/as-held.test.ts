import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { addDomain, addManual, startZone, type Zone } from '../../helpers/zone.ts'

/*
 * What a provider or a zone file holds stays as it is, also where it would be refused from a user: it is shown,
 * kept, changed in its other fields, deleted, brought back, exported and imported.
 */
const app = await startApp(t)

const LONG = Array.from({ length: 12 }, (_, i) => `"${String(i % 10).repeat(255)}"`).join(' ')

/** Name, type and data as PowerDNS shows them, TTL. */
const HELD: [string, string, string, number][] = [
  ['_imap._tcp', 'SRV', '0 0 0 .', 300],
  ['_sip._tcp', 'SRV', '1 2 3 my_host.example.net.', 300],
  ['tbs', 'CAA', '0 tbs "x"', 300],
  ['empty', 'CAA', '0 issue ""', 300],
  ['dot', 'CAA', '0 issue "ca.example.net."', 300],
  ['under', 'CAA', '0 issue "my_ca.example.net"', 300],
  ['mail', 'MX', '20 localhost.', 300],
  ['nomail', 'MX', '10 .', 300],
  ['sub', 'NS', 'localhost.', 300],
  ['root', 'NS', '.', 300],
  ['5', 'CNAME', '5.0/25.2.0.192.in-addr.arpa.', 300],
  ['0/25', 'NS', 'ns1.example.net.', 300],
  ['-x', 'A', '192.0.2.1', 300],
  ['xn--a', 'A', '192.0.2.1', 300],
  ['a.*', 'A', '192.0.2.1', 300],
  ['www.example.com', 'A', '192.0.2.9', 300],
  ['void', 'TXT', '""', 300],
  ['binary', 'TXT', '"caf\\233\\000"', 300],
  ['long', 'TXT', LONG, 300],
  ['strings', 'TXT', '"txtvers=1" "qtotal=1"', 300],
  ['now', 'A', '192.0.2.1', 0],
]

const rrset = ([name, type, content, ttl]: (typeof HELD)[number]) => ({
  name: `${name}.example.com.`,
  type,
  ttl,
  changetype: 'REPLACE',
  records: [{ content, disabled: false }],
})

const atProvider = (zone: Zone) =>
  zone.fake
    .dump('example.com')
    .filter(({ type }) => type !== 'SOA')
    .flatMap(({ name, type, ttl, records }) =>
      records.map(({ content }) => `${name} ${ttl} ${type} ${content}`),
    )
    .sort()

async function startHeld(t: Parameters<typeof startZone>[0]) {
  const zone = await startZone(t, { app })
  zone.fake.patch('example.com', HELD.map(rrset))
  const { body } = await zone.admin.post(`/api/domains/${zone.domainId}/sync`)
  if (body.created !== HELD.length) throw new Error(`Synced ${JSON.stringify(body)}`)
  return zone
}

async function listed(zone: Pick<Zone, 'admin' | 'url'>) {
  const { body } = await zone.admin.get(`${zone.url}?limit=200`)
  return body.records as { id: string; name: string; recordType: string; value: string; ttl: number }[]
}

void t.test('one field changes, the others stay', async (t) => {
  const zone = await startHeld(t)
  for (const record of await listed(zone)) {
    const what = `${record.name} ${record.recordType} ${record.value.slice(0, 40)}`
    const sent = await zone.admin.put(`${zone.url}/${record.id}`, { ...record, ttl: 600 })
    t.match(sent, { status: 200, body: { ...record, ttl: 600, version: Number, updatedAt: String } }, what)
    const alone = await zone.admin.put(`${zone.url}/${record.id}`, { ttl: 700 })
    t.match(alone, { status: 200, body: { name: record.name, value: record.value, ttl: 700 } }, what)
  }
  const expected = HELD.map(([name, type, content]) => `${name}.example.com. 700 ${type} ${content}`)
  t.same(atProvider(zone), expected.sort())
})

void t.test('sending a record back unchanged changes nothing', async (t) => {
  const zone = await startHeld(t)
  const [before, writes] = [atProvider(zone), zone.writes()]
  for (const record of await listed(zone)) {
    const { status, body } = await zone.admin.put(`${zone.url}/${record.id}`, record)
    t.match({ status, body }, { status: 200, body: { version: 1 } }, `${record.name} ${record.recordType}`)
  }
  t.equal(zone.writes(), writes)
  t.same(atProvider(zone), before)
})

void t.test('only the priority changes', async (t) => {
  const zone = await startHeld(t)
  const held = (await listed(zone)).find(({ name }) => name === 'mail')
  const changed = await zone.admin.put(`${zone.url}/${held?.id}`, { ...held, priority: 30 })
  t.match(changed, { status: 200, body: { value: '30 localhost', priority: 30 } })
  t.same(zone.there('mail', 'MX'), ['30 localhost.'])
  const typed = await zone.admin.put(`${zone.url}/${held?.id}`, { value: '40 localhost' })
  t.match(typed, { status: 400, body: { errors: [{ path: '/value' }] } }, 'a new value is judged')
})

void t.test('a deletion is reverted', async (t) => {
  const zone = await startHeld(t)
  const before = atProvider(zone)
  for (const record of await listed(zone)) {
    const what = `${record.name} ${record.recordType}`
    await zone.admin.delete(`${zone.url}/${record.id}`)
    const { body } = await zone.admin.get(`/api/domains/${zone.domainId}/changes?limit=1`)
    const reverted = await zone.admin.post(
      `/api/domains/${zone.domainId}/changes/${body.changes[0].id}/revert`,
    )
    t.match(reverted, { status: 200, body: { applied: true } }, what)
  }
  t.same(atProvider(zone), before)
})

void t.test('the whole zone is restored', async (t) => {
  const zone = await startHeld(t)
  const before = atProvider(zone)
  const at = new Date().toISOString()
  const records = await listed(zone)
  const changes = records.map(({ id }) => ({ action: 'delete', recordId: id }))
  t.equal((await zone.admin.post(`${zone.url}/apply`, { changes })).status, 200)
  t.same(atProvider(zone), [])
  const restored = await zone.admin.post(`/api/domains/${zone.domainId}/restore`, { at, apply: true })
  t.match(restored, { status: 200, body: { applied: true, conflicts: { length: 0 } } })
  t.same(atProvider(zone), before)
})

/** Of an export, without its head: what is kept only here has no SOA. */
const recordsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => !/^;|^\$|\tSOA\t/.test(line))
    .join('\n')

void t.test('an export can be imported again', async (t) => {
  const zone = await startHeld(t)
  const { body: payload } = await zone.admin.get(`${zone.url}/export`)
  const again = await zone.admin.post(`${zone.url}/import`, { zonefile: payload, mode: 'replace' })
  t.match(again, {
    status: 200,
    body: {
      plan: {
        creates: { length: 0 },
        updates: { length: 0 },
        deletes: { length: 0 },
        conflicts: { length: 0 },
      },
    },
  })

  const { id } = await addDomain(app.admin, await addManual(app.admin, 'copy'), 'example.com')
  const copy = { admin: app.admin, url: `/api/domains/${id}/records` }
  const imported = await copy.admin.post(`${copy.url}/import`, { zonefile: payload })
  t.match(imported, { status: 200, body: { plan: { conflicts: { length: 0 }, applied: true } } })
  const content = async (from: Pick<Zone, 'admin' | 'url'>) =>
    (await listed(from)).map(({ name, recordType, value, ttl }) => `${name} ${ttl} ${recordType} ${value}`)
  t.same((await content(copy)).sort(), (await content(zone)).sort())
  t.equal(recordsOf((await copy.admin.get(`${copy.url}/export`)).body), recordsOf(payload))
})
