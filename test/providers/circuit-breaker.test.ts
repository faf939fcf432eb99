import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { addDomain, addPowerDns, startFake, startZone } from '../helpers/zone.ts'
import { startPowerDnsSimulator } from '../conformance/simulators/powerdns.ts'

const one = await startApp(t)
const two = await startApp(t, { database: one.database })
const { db } = one.database

void t.test(
  '87. an account that can not be reached is left alone, by all instances, until a test finds it',
  async (t) => {
    const zone = await startZone(t, { app: one })
    const other = await two.signIn('root')
    const url = `/api/provider-configs/${zone.configId}`
    const breaker = async () => (await other.get(url)).body.breaker
    t.same(await breaker(), { state: 'closed', since: null, nextTry: null })
    // A port on which nobody listens any more.
    const gone = await startPowerDnsSimulator()
    await gone.close()
    const credentials = { apiUrl: gone.url, apiKey: gone.apiKey }
    t.match(await zone.admin.put(url, { credentials }), { status: 200 })
    const sync = (client = zone.admin) => client.post(`/api/domains/${zone.domainId}/sync`)
    for (let i = 0; i < 5; i++) {
      t.equal((await breaker()).state, 'closed', `${i} failures`)
      t.match(await sync(), { status: 502, body: { code: 'provider_error', detail: /refused/ } })
    }
    t.match(await breaker(), { state: 'open', since: String, nextTry: String })
    const paused = {
      status: 502,
      headers: { 'retry-after': /^\d+$/ },
      body: { code: 'provider_error', detail: /paused/ },
    }
    t.match(await sync(other), paused, 'on the other instance, too')
    const domain = (await other.get(`/api/domains/${zone.domainId}`)).body
    t.match(domain.lastSyncError, /refused/, 'why it failed stays')

    await zone.admin.put(`/api/domains/${zone.domainId}`, { syncInterval: 5 })
    await one.app.work.run('records.sync')
    const { sync_due_at: due } = await db
      .selectFrom('domains')
      .select('sync_due_at')
      .where('id', '=', zone.domainId)
      .executeTakeFirstOrThrow()
    t.ok((due as Date) <= new Date(), 'automatic syncs wait for the next try')

    // When the pause is over one call tries it, and the others go on failing at once.
    await db
      .updateTable('provider_configs')
      .set({ breaker_next_try: new Date(0) })
      .where('id', '=', zone.configId)
      .execute()
    const details = (
      await Promise.all([
        sync(),
        zone.admin.post(zone.url, { recordType: 'A', name: 'a', value: '192.0.2.1' }),
      ])
    )
      .map(({ body }) => body.detail as string)
      .sort()
    t.match(details, [/refused/, /paused/])

    t.match(await other.post(`${url}/test`), { body: { success: false } })
    t.match(await breaker(), { state: 'open' })
    await db
      .updateTable('provider_configs')
      .set({
        credentials: one.app.secrets.seal(
          JSON.stringify({ apiUrl: zone.fake.url, apiKey: zone.fake.apiKey, serverId: 'localhost' }),
          `provider_configs/${zone.configId}`,
        ),
      })
      .where('id', '=', zone.configId)
      .execute()
    t.match(await other.post(`${url}/test`), { body: { success: true } })
    t.same(await breaker(), { state: 'closed', since: null, nextTry: null })
    t.match(await sync(), { status: 200 })
  },
)

void t.test(
  '87. what a server answers, and what is lost after it was sent, is no failure to reach it',
  async (t) => {
    const fake = await startFake(t)
    fake.createZone('answers.example')
    const configId = await addPowerDns(one.admin, fake)
    const { id } = await addDomain(one.admin, configId, 'answers.example')
    for (let i = 0; i < 3; i++) {
      fake.fail({ kind: 'answer', answer: { status: 401 } })
      t.match(await one.admin.post(`/api/domains/${id}/sync`), { status: 502 })
      fake.fail({ on: 'write', kind: 'cut' })
      await one.admin.post(`/api/domains/${id}/records`, {
        recordType: 'A',
        name: `n${i}`,
        value: '192.0.2.1',
      })
    }
    t.match(await one.admin.get(`/api/provider-configs/${configId}`), {
      body: { breaker: { state: 'closed' } },
    })
  },
)

void t.test(
  'an account that gets too many calls is left alone by all instances, whoever calls',
  async (t) => {
    const fake = await startFake(t)
    const [first, second] = [await addPowerDns(one.admin, fake, 'first'), await addPowerDns(one.admin, fake)]
    const other = await two.signIn('root')
    fake.fail({ kind: 'answer', answer: { status: 429, headers: { 'retry-after': '60' } } })
    const zones = (client: typeof other, id: string) => client.get(`/api/provider-configs/${id}/zones`)
    t.match(await zones(one.admin, first), { status: 503, headers: { 'retry-after': '60' } })
    t.match(await zones(one.admin, second), {
      status: 503,
      body: { detail: /Rate limit reached/ },
    })
    await until('the other instance hears of it', async () => (await zones(other, first)).status === 503)
    const before = fake.requests.length
    const answer = await zones(other, second)
    t.match(answer, { status: 503, body: { code: 'unavailable', detail: /retry in \d+ s/ } })
    t.ok(Number(answer.headers['retry-after']) > 50)
    t.equal(fake.requests.length, before, 'nothing was sent')
    const elsewhere = await startFake(t)
    t.match(await zones(other, await addPowerDns(one.admin, elsewhere, 'elsewhere')), { status: 200 })
  },
)
