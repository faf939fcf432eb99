import { sql } from 'kysely'
import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { addDomain, addManual, startZone } from '../helpers/zone.ts'

const service = await startApp(t)
const { admin, database, addUser, signIn } = service
const DAY_MS = 24 * 3600 * 1000
/** The begin of a day in UTC, as many days on. */
const inDays = (days: number) => new Date((Math.floor(Date.now() / DAY_MS) + days) * DAY_MS).toISOString()
const read = async (client: typeof admin) => {
  const { status, body } = await client.get('/api/dashboard')
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

await addUser('member')
const member = await signIn('member')

void t.test('nothing yet', async (t) => {
  t.same(await read(member), {
    domains: { total: 0, active: 0, expiring: 0, expired: 0 },
    nextExpiries: [],
    unmanaged: { total: 0, domains: [] },
    lastFailures: [],
  })
})

void t.test('counts by status, and the next that expire', async (t) => {
  const configId = await addManual(member)
  const expired = await addDomain(member, configId, 'gone.example.com', { expiresAt: inDays(-3) })
  await addDomain(member, configId, 'undated.example.com')
  const ids: string[] = []
  for (const days of [300, 5, 20, 40]) {
    const domain = await addDomain(member, configId, `in${days}.example.com`, { expiresAt: inDays(days) })
    ids.push(domain.id)
  }
  const { domains, nextExpiries } = await read(member)
  t.same(domains, { total: 6, active: 3, expiring: 2, expired: 1 })
  t.match(nextExpiries, [
    { domainId: ids[1], domainName: 'in5.example.com', daysLeft: 5, status: 'expiring', expiresAt: /Z$/ },
    { daysLeft: 20, status: 'expiring' },
    { daysLeft: 40, status: 'active' },
    { daysLeft: 300 },
  ])
  t.notOk(nextExpiries.some(({ domainId }: { domainId: string }) => domainId === expired.id))
  t.match((await read(admin)).domains, { total: 6, expiring: 2 }, 'administrators see all')

  await t.test('by week, for a timeline', async (t) => {
    interface Week {
      week: string
      active: number
      expiring: number
      expired: number
    }
    const { body } = await member.get('/api/dashboard/expiries')
    const weeks = body.weeks as Week[]
    t.equal(weeks.length, 53)
    t.ok(weeks.every(({ week }) => new Date(week).getUTCDay() === 1 && week.endsWith('T00:00:00.000Z')))
    t.ok(Date.parse(weeks[0]?.week as string) <= Date.now())
    const sum = (status: 'active' | 'expiring' | 'expired') =>
      weeks.reduce((total, week) => total + week[status], 0)
    t.same([sum('active'), sum('expiring'), sum('expired') + body.overdue], [2, 2, 1])
    const at = (days: number) => {
      const moment = inDays(days)
      return weeks.findLast(({ week }) => week <= moment)
    }
    t.match(at(300), { active: 1, expiring: 0, expired: 0 })
    t.ok((at(5)?.expiring ?? 0) >= 1)
    t.equal(body.leadDays, 30, 'how far before they are reminded of')
    const { body: ofAll } = await admin.get('/api/dashboard/expiries')
    t.same(ofAll, body, 'administrators see all')
    await addUser('nobody')
    const { body: ofNobody } = await (await signIn('nobody')).get('/api/dashboard/expiries')
    t.same([ofNobody.overdue, ofNobody.weeks.every(({ active }: Week) => active === 0)], [0, true])
  })

  await t.test('of what is assigned, and no longer when it is not', async (t) => {
    const userId = await addUser('helper')
    const helper = await signIn('helper')
    t.match(await read(helper), { domains: { total: 0 }, nextExpiries: { length: 0 } })
    const { body } = await admin.post('/api/assignments', { userId, domainId: ids[1], permission: 'read' })
    t.match(await read(helper), { domains: { total: 1, expiring: 1 }, nextExpiries: [{ domainId: ids[1] }] })
    const seen = (await helper.get('/api/dashboard/expiries')).body.weeks as { expiring: number }[]
    t.equal(seen.filter(({ expiring }) => expiring === 1).length, 1)
    await admin.delete(`/api/assignments/${body.id}`)
    t.match(await read(helper), { domains: { total: 0 }, nextExpiries: { length: 0 } })
  })
})

void t.test('what failed last: syncs, changes, channels', async (t) => {
  const zone = await startZone(t, { app: service })
  zone.fake.deleteZone('example.com')
  t.equal((await admin.post(`/api/domains/${zone.domainId}/sync`)).status, 502)
  t.equal((await admin.post(zone.url, { recordType: 'A', name: 'www', value: '192.0.2.1' })).status, 502)
  const channelId = crypto.randomUUID()
  await sql`
    insert into channel_configs (id, channel, name, config, events, enabled, last_delivery_at, last_delivery_ok,
      last_delivery_error, last_delivery_error_code, last_delivery_error_params)
    values (${channelId}, 'webhook', 'Operations', '', '{}', true, now() + interval '1 second', false, 'HTTP status 500',
      'receiver_status', '{"status":500}')
  `.execute(database.db)
  const { lastFailures } = await read(admin)
  t.match(lastFailures, [
    {
      kind: 'channel',
      id: channelId,
      domainId: null,
      name: 'Operations',
      error: 'HTTP status 500',
      errorCode: 'receiver_status',
      errorParams: { status: 500 },
    },
    {
      kind: 'change',
      domainId: zone.domainId,
      name: 'example.com',
      error: String,
      errorCode: 'provider_not_found',
      at: /Z$/,
    },
    {
      kind: 'sync',
      id: zone.domainId,
      domainId: zone.domainId,
      name: 'example.com',
      error: String,
      errorCode: 'provider_not_found',
    },
  ])
  t.same((await read(member)).lastFailures, [], 'nobody sees those of others')
  await sql`update domains set last_sync_error_at = now() - interval '31 days'`.execute(database.db)
  t.notOk((await read(admin)).lastFailures.some(({ kind }: { kind: string }) => kind === 'sync'))
})

void t.test('only for who is signed in', async (t) => {
  t.equal((await service.app.inject('/api/dashboard')).statusCode, 401)
})
