// Runs last: holds times to bounds.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql, type KyselyPlugin } from 'kysely'
import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { addDomain, addManual, startZone } from '../helpers/zone.ts'
import { PowerDnsClient, replaced } from './powerdns-client.ts'

/* Large zones and large changes by the API of PowerDNS. */
const RECORDS = 10_000
const LONGEST_MS = 250
/** Some of the statements depend on what is cached. */
const FEW = 3
let statements = 0
const counting: KyselyPlugin = {
  transformQuery: ({ node }) => {
    statements++
    return node
  },
  transformResult: async ({ result }) => result,
}
const { database } = await startApp(t)
const zone = await startZone(t, {
  name: 'example.org',
  database: { ...database, db: database.db.withPlugin(counting) },
})
const { admin, app } = zone
const permissions = ['domains:read', 'domains:write', 'records:read', 'records:write']
const { body: token } = await admin.post('/api/auth/me/tokens', { name: 'pdns', permissions })
const pdns = new PowerDnsClient(app, token.token as string)

void t.test('10,000 records in one answer, while other requests are answered', async (t) => {
  const { id } = await addDomain(admin, await addManual(admin), 'large.example')
  await sql`
    insert into records (id, domain_id, name, type, value, ttl, status)
    select gen_random_uuid(), ${id}, 'host-' || i / 2, 'A', '192.0.2.' || i % 2, 300, 'active'
    from generate_series(0, ${RECORDS - 1}::int) as i
  `.execute(database.db)
  await sql`update domains set record_count = ${RECORDS} where id = ${id}`.execute(database.db)
  await pdns.ask('GET', '/zones/large.example.')
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const begun = performance.now()
  const { status, body, headers } = await pdns.ask('GET', '/zones/large.example.')
  const took = performance.now() - begun
  delay.disable()
  t.equal(status, 200)
  t.equal(body.rrsets.length, RECORDS / 2)
  t.match(body.rrsets[0], { name: 'host-0.large.example.', records: [{}, {}] })
  t.ok(
    delay.max / 1e6 < LONGEST_MS,
    `${Math.round(delay.max / 1e6)} of ${Math.round(took)} ms without a break`,
  )
  t.comment(`${Math.round(took)} ms, ${Math.round(delay.max / 1e6)} ms without a break`)
  const again = await app.inject({
    url: '/api/v1/servers/localhost/zones/large.example.',
    headers: { 'x-api-key': pdns.key, 'if-none-match': String(headers['etag']) },
  })
  t.equal(again.statusCode, 304)
})

void t.test('100 RRsets are one change, in as many statements as one', async (t) => {
  const patch = async (prefix: string, count: number, contents: string[]) => {
    statements = 0
    const sets = Array.from({ length: count }, (_, i) =>
      replaced(`${prefix}-${i}.example.org.`, 'A', contents),
    )
    t.match(await pdns.patch('example.org.', ...sets), { status: 204 })
    return statements
  }
  const [writes, one] = [zone.writes(), await patch('one', 1, ['192.0.2.1', '192.0.2.2'])]
  const hundred = await patch('hundred', 100, ['192.0.2.1', '192.0.2.2'])
  t.ok(hundred <= one + FEW, `${hundred} statements, ${one} for one`)
  const other = [await patch('one', 1, ['192.0.2.3']), await patch('hundred', 100, ['192.0.2.3'])] as const
  t.ok(other[1] <= other[0] + FEW, `${other[1]} statements, ${other[0]} for one`)
  t.equal(zone.writes() - writes, 4, 'each is one call of the DNS provider')
  const { body } = await admin.get(`/api/domains/${zone.domainId}/changes?limit=10`)
  t.equal(body.changes.length, 4)
  t.same(zone.there('hundred-99', 'A'), ['192.0.2.3'])
})
