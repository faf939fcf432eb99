import t from 'tap'
import { LOOKUP_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { startApp } from '../../helpers/app.ts'
import { until } from '../../helpers/until.ts'
import { addDomain, addManual } from '../../helpers/zone.ts'
import { bootstrapList, rdapDomain, startRdap, startWhois } from './registries.ts'

const rdap = await startRdap(t)
const whois = await startWhois(t)
rdap.replies.set('/list.json', { body: bootstrapList([[['com', 'xn--p1ai'], [rdap.url]]]) })
const environment = {
  OUTBOUND_ALLOW: [rdap, whois].map(({ host }) => host).join(','),
  RDAP_BOOTSTRAP_URL: `${rdap.url}/list.json`,
  WHOIS_SERVER: whois.host,
}
const { app, admin, addUser, signIn, database } = await startApp(t, { environment })
const { db } = database
await addUser('ada')
const ada = await signIn('ada')
const config = await addManual(admin)

const DAY = 24 * 3600 * 1000
/** One moment for the whole file, so that a date asked for twice is the same. */
const START = Math.floor(Date.now() / 1000) * 1000
const inDays = (days: number) => new Date(START + days * DAY).toISOString()
/** The registry answers with this date from now on. */
const registered = (name: string, eventDate: string, more: object = {}) =>
  rdap.replies.set(`/domain/${name}`, {
    body: rdapDomain(name, { events: [{ eventAction: 'expiration', eventDate }], ...more }),
  })
const rowOf = (name: string) =>
  db.selectFrom('domains').selectAll().where('name', '=', name).executeTakeFirstOrThrow()
const auditOf = (id: string) =>
  db.selectFrom('audit').selectAll().where('target_id', '=', id).orderBy('id').execute()
const preview = (domain: unknown) => admin.post('/api/domains/check-expiry-preview', { domain })
const daysUntil = (date: Date | null) => date && (date.getTime() - Date.now()) / DAY

void t.test('preview tells and stores nothing', async (t) => {
  registered('preview.com', '2031-01-02T03:04:05Z')
  const found = {
    success: true,
    domain: 'preview.com',
    expiresAt: '2031-01-02T03:04:05.000Z',
    registrar: 'Test Registrar Ltd',
    nameServers: ['ns1.test.example', 'ns2.test.example'],
    status: ['clientTransferProhibited', 'ok'],
    source: 'rdap',
    error: null,
  }
  t.match(await preview('preview.com'), { status: 200 })
  t.same((await preview('preview.com')).body, found)
  t.same((await preview('WWW.Preview.COM.')).body, found, 'the registrable domain is asked for')
  registered('xn--e1afmkfd.xn--p1ai', '2031-01-02T03:04:05Z')
  t.match(await preview('пример.рф'), { body: { success: true, domain: 'xn--e1afmkfd.xn--p1ai' } })

  t.same((await preview('nobody.com')).body, {
    success: false,
    domain: 'nobody.com',
    expiresAt: null,
    registrar: null,
    nameServers: [],
    status: [],
    source: null,
    error: 'nobody.com is not registered',
  })
})

void t.test('preview wants a name', async (t) => {
  for (const bad of ['', 'no name', 'com', '-x.com', '192.0.2.1', 7, null]) {
    t.match(await preview(bad), { status: 400, body: { errors: [{ path: '/domain' }] } }, String(bad))
  }
  t.match(await admin.post('/api/domains/check-expiry-preview', {}), { status: 400 })
  const anonymous = await app.inject({ method: 'POST', url: '/api/domains/check-expiry-preview' })
  t.equal(anonymous.statusCode, 401)
})

void t.test('a check stores what it finds', async (t) => {
  const { id } = await addDomain(admin, config, 'check.com', { expiresAt: inDays(10) })
  registered('check.com', inDays(300))
  const answer = await admin.post(`/api/domains/${id}/check-expiry`)
  t.match(answer, {
    status: 200,
    body: { success: true, expiresAt: inDays(300), source: 'rdap', error: null },
  })
  const { body } = await admin.get(`/api/domains/${id}`)
  t.match(body, {
    expiresAt: answer.body.expiresAt,
    status: 'active',
    expirySource: 'rdap',
    expiryCheckedAt: String,
    registrar: 'Test Registrar Ltd',
    nameServers: ['ns1.test.example', 'ns2.test.example'],
    eppStatus: ['clientTransferProhibited', 'ok'],
  })
  t.ok(Math.abs(Date.parse(body.expiryCheckedAt) - Date.now()) < 60_000)
  const row = await rowOf('check.com')
  t.ok(row.reminder_due_at && row.reminder_due_at.getTime() <= Date.now(), 'reminders are looked at anew')
  t.equal(row.expiry_check_due_at, null, 'not looked up by itself')
  t.match((await auditOf(id)).at(-1), {
    action: 'domain.expiry_checked',
    actor_id: admin.userId,
    before: { expirySource: 'manual', eppStatus: { length: 0 } },
    after: { expiresAt: answer.body.expiresAt, expirySource: 'rdap', source: 'rdap' },
  })
  t.match(await admin.get('/api/domains?status=expiring'), { body: { total: 0 } }, 'the lists know it')
})

void t.test('what is not found takes nothing away', async (t) => {
  const { id } = await addDomain(admin, config, 'keep.com', { expiresAt: '2030-01-01T00:00:00.000Z' })
  const url = `/api/domains/${id}/check-expiry`
  whois.answers.set('*', 'domain: COM\n')
  for (const reply of [{ status: 404 }, { status: 500 }, { body: 'x' }]) {
    rdap.replies.set('/domain/keep.com', reply)
    const { status, body } = await admin.post(url)
    t.match({ status, body }, { status: 200, body: { success: false, expiresAt: null, source: null } })
    t.type(body.error, 'string')
    t.match(await admin.get(`/api/domains/${id}`), {
      body: { expiresAt: '2030-01-01T00:00:00.000Z', expirySource: 'manual', expiryCheckedAt: null },
    })
  }
})

void t.test('a registry without dates leaves the one that was set', async (t) => {
  const { id } = await addDomain(admin, config, 'undated.com', { expiresAt: '2030-01-01T00:00:00.000Z' })
  rdap.replies.set('/domain/undated.com', { body: rdapDomain('undated.com', { events: [] }) })
  t.match(await admin.post(`/api/domains/${id}/check-expiry`), {
    body: { success: true, expiresAt: null, registrar: 'Test Registrar Ltd', error: null },
  })
  t.match(await admin.get(`/api/domains/${id}`), {
    body: {
      expiresAt: '2030-01-01T00:00:00.000Z',
      expirySource: 'manual',
      expiryCheckedAt: String,
      registrar: 'Test Registrar Ltd',
    },
  })
})

void t.test('who may not manage a domain does not check it', async (t) => {
  const { id } = await addDomain(admin, config, 'mine.com')
  t.match(await ada.post(`/api/domains/${id}/check-expiry`), { status: 404 })
  t.match(await admin.post(`/api/domains/${crypto.randomUUID()}/check-expiry`), { status: 404 })
  t.match(await admin.post('/api/domains/x/check-expiry'), { status: 400 })
})

void t.test('dates and settings by hand', async (t) => {
  const { id } = await addDomain(admin, config, 'hand.com')
  const url = `/api/domains/${id}`
  t.match(await rowOf('hand.com'), { reminder_due_at: null, expiry_check_due_at: null })
  t.match(await admin.put(`${url}/expiry`, { expiresAt: '2031-01-01T00:00:00Z' }), {
    status: 200,
    body: { expiresAt: '2031-01-01T00:00:00.000Z', expirySource: 'manual' },
  })
  t.match(await rowOf('hand.com'), { reminder_due_at: Date })
  t.match(await admin.put(`${url}/expiry`, { expiresAt: null }), {
    body: { expiresAt: null, expirySource: null },
  })
  t.match(await rowOf('hand.com'), { reminder_due_at: null })
  t.match(await admin.put(`${url}/expiry`, { expiresAt: 'soon' }), {
    status: 400,
    body: { errors: [{ path: '/expiresAt' }] },
  })

  t.match(await admin.put(`${url}/expiry-remind`, { autoCheckExpiry: true, expiryRemindDays: [1, 60] }), {
    body: { autoCheckExpiry: true, expiryRemindDays: [60, 1] },
  })
  const { expiry_check_due_at: due } = await rowOf('hand.com')
  t.ok(due && due.getTime() <= Date.now())
  await admin.put(url, { autoCheckExpiry: true, notes: 'the same again' })
  t.same((await rowOf('hand.com')).expiry_check_due_at, due, 'still on: nothing begins anew')
  await admin.put(url, { autoCheckExpiry: false })
  t.equal((await rowOf('hand.com')).expiry_check_due_at, null)
  await addDomain(admin, config, 'born.com', { autoCheckExpiry: true, expiresAt: inDays(5) })
  t.match(await rowOf('born.com'), { expiry_check_due_at: Date, reminder_due_at: Date })
  await db.updateTable('domains').set({ expiry_check_due_at: null }).execute()
})

void t.test('automatic look-ups: what is due, and when again', async (t) => {
  const cases = [
    ['far.com', inDays(200), 7],
    ['near.com', inDays(40), 1],
    ['past.com', inDays(-2), 1],
  ] as const
  for (const [name, date] of cases) registered(name, date)
  rdap.replies.set('/domain/dateless.com', { body: rdapDomain('dateless.com', { events: [] }) })
  const names = [...cases.map(([name]) => name), 'dateless.com', 'lost.com']
  for (const name of names) await addDomain(admin, config, name, { autoCheckExpiry: true })
  registered('off.com', inDays(3))
  await addDomain(admin, config, 'off.com')

  await app.work.run('expiry.checks')
  for (const [name, date, days] of cases) {
    const row = await rowOf(name)
    t.equal(row.expires_at?.toISOString(), date, name)
    t.match(row, { expiry_source: 'rdap', registrar: 'Test Registrar Ltd' })
    const due = daysUntil(row.expiry_check_due_at) ?? 0
    t.ok(due > days * 0.99 && due < days * 1.11, `${name}: again in ${due} days`)
  }
  for (const name of ['dateless.com', 'lost.com']) {
    const due = daysUntil((await rowOf(name)).expiry_check_due_at) ?? 0
    t.ok(due > 0.99 && due < 1.11, `${name}: again in ${due} days`)
  }
  t.match(await rowOf('off.com'), { expires_at: null, expiry_checked_at: null })

  const { id } = await rowOf('far.com')
  t.match((await auditOf(id)).at(-1), {
    action: 'domain.expiry_checked',
    actor_id: null,
    actor_name: 'automatic look-up',
  })
  const rows = (await auditOf(id)).length
  const { updated_at } = await rowOf('far.com')
  const asked = rdap.requests.length
  await app.work.run('expiry.checks')
  t.equal(rdap.requests.length, asked, 'nothing is due')
  await db.updateTable('domains').set({ expiry_check_due_at: new Date() }).where('id', '=', id).execute()
  await app.work.run('expiry.checks')
  t.equal(rdap.requests.length, asked + 1)
  t.equal((await auditOf(id)).length, rows, 'the same as ever is no news')
  t.same((await rowOf('far.com')).updated_at, updated_at)
})

void t.test('two instances look a domain up once', async (t) => {
  const second = await startApp(t, { environment, database, alone: false })
  const names = Array.from({ length: 12 }, (_, n) => `shared-${n}.com`)
  for (const name of names) {
    registered(name, inDays(100))
    await addDomain(admin, config, name, { autoCheckExpiry: true })
  }
  const before = rdap.requests.filter(({ path }) => path.includes('shared-')).length
  await Promise.all([app, second.app].map((instance) => instance.work.run('expiry.checks')))
  t.equal(rdap.requests.filter(({ path }) => path.includes('shared-')).length, before + names.length)
})

void t.test('a domain that is turned off or deleted meanwhile is left as it is', async (t) => {
  const asked = (name: string) => rdap.requests.some(({ path }) => path === `/domain/${name}`)
  const { promise: after, resolve: answer } = Promise.withResolvers<void>()
  for (const name of ['gone.com', 'turned.com']) {
    rdap.replies.set(`/domain/${name}`, { after, body: rdapDomain(name) })
    await addDomain(admin, config, name, { autoCheckExpiry: true })
  }
  const [gone, turned] = [(await rowOf('gone.com')).id, (await rowOf('turned.com')).id]
  const running = app.work.run('expiry.checks')
  await until('the questions', async () => asked('gone.com') && asked('turned.com'))
  await admin.delete(`/api/domains/${gone}`)
  await admin.put(`/api/domains/${turned}`, { autoCheckExpiry: false })
  answer()
  await running
  t.match(await rowOf('turned.com'), { expires_at: null, expiry_checked_at: null, expiry_check_due_at: null })
})

void t.test('look-ups have a limit of their own', async (t) => {
  const limited = await startApp(t, { environment: { ...environment, RATE_LIMIT: '1000' } })
  for (const url of [
    '/api/domains/check-expiry-preview',
    `/api/domains/${crypto.randomUUID()}/check-expiry`,
  ]) {
    const statuses: number[] = []
    for (let n = 0; n <= LOOKUP_LIMIT.max; n++) {
      statuses.push((await limited.admin.post(url, { domain: 'preview.com' })).status)
    }
    t.equal(statuses.at(-1), 429, url)
    t.notOk(statuses.slice(0, -1).includes(429))
  }
})
