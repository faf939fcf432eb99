import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { startZone } from '../../helpers/zone.ts'

const app = await startApp(t)

void t.test('in a zone file a name without final dot is relative', async (t) => {
  const zone = await startZone(t, { app })
  await zone.add('A', 'www', '192.0.2.1')
  const zonefile = 'www.example.com 300 IN A 192.0.2.2\nabsolute.example.com. 300 IN A 192.0.2.3\n'
  const { status } = await zone.admin.post(`${zone.url}/import`, { zonefile })
  t.equal(status, 200)
  t.same(await zone.here(), ['absolute A 192.0.2.3', 'www A 192.0.2.1', 'www.example.com A 192.0.2.2'])
  t.same(zone.there('www.example.com', 'A'), ['192.0.2.2'])
  t.same(zone.there('www', 'A'), ['192.0.2.1'])
})

void t.test('a full name is made relative, unless the longer name exists', async (t) => {
  const zone = await startZone(t, { app })
  await zone.add('A', 'www.example.com', '192.0.2.1')
  t.same(await zone.here(), ['www A 192.0.2.1'])
  await zone.admin.post(`${zone.url}/import`, { zonefile: 'www.example.com 300 IN A 192.0.2.2' })
  await zone.add('A', 'www.example.com', '192.0.2.3')
  await zone.add('A', 'www.example.com.', '192.0.2.4')
  t.same(zone.there('www', 'A'), ['192.0.2.1', '192.0.2.4'])
  t.same(zone.there('www.example.com', 'A'), ['192.0.2.2', '192.0.2.3'])

  const { body } = await zone.admin.get(`${zone.url}?search=www.example.com`)
  const [held] = body.records
  const moved = await zone.admin.put(`${zone.url}/${held.id}`, { name: 'api.example.com' })
  t.match(moved, { status: 200, body: { name: 'api' } })
})

void t.test('a plan names the record that the longer name means', async (t) => {
  const zone = await startZone(t, { app })
  await zone.admin.post(`${zone.url}/import`, { zonefile: 'www.example.com 300 IN CNAME x.example.net.' })
  const changes = [{ action: 'create', recordType: 'A', name: 'www.example.com', value: '192.0.2.1' }]
  const { body } = await zone.admin.post(`${zone.url}/plan`, { changes })
  t.match(body.conflicts, [{ kind: 'conflict', detail: /www\.example\.com CNAME x\.example\.net/ }])
})

void t.test('names with escapes are read, kept and written with them', async (t) => {
  const zone = await startZone(t, { app })
  const zonefile = 'semi\\;x 300 IN A 192.0.2.1\nquo\\"te 300 IN A 192.0.2.2\ndot\\.ted 300 IN A 192.0.2.3\n'
  const dry = await zone.admin.post(`${zone.url}/import`, { zonefile, dryRun: true })
  t.same(
    dry.body.plan.creates.map(({ after }: { after: { name: string } }) => after.name),
    ['semi\\;x', 'quo\\"te', 'dot\\.ted'],
  )
})
