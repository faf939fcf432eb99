import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import t from 'tap'
import { migrations } from '../../../db/migrations/index.ts'
import { migrate } from '../../../db/migrations/migrator.ts'
import { call, startApp } from '../../helpers/app.ts'
import { createEmptyDatabase } from '../../helpers/database.ts'
import { until } from '../../helpers/until.ts'
import { contentsAt, startFake } from '../../helpers/zone.ts'

/* A database of the first release comes to now with all that is in it (first-release.sql), and goes on with it. */

const EXAMPLE_COM = '01a20369-3985-71bf-8f0f-1a23d3718549'
const EXAMPLE_ORG = '01a20369-4194-728c-9486-b3063768b6fc'
const POWERDNS_CONFIG = '01a20369-3922-71d5-b39c-db62f7da8be9'
const CHANNEL = '01a20369-4241-76e7-924f-4e8b2ca7b52d'
const TOKEN = 'zkp_OZOt1zepAe035GJXkStuXpqqgEMoSiI9kFVCM7NjQKB2mhdng'
const REFRESH_TOKEN = 'faU-TZE-8EoMe2npw90556eW8emC4XnDcX2zyb47fu0'

const url = `/api/domains/${EXAMPLE_COM}/records`
const changeUrl = (number: number) =>
  `/api/domains/${EXAMPLE_COM}/changes/00000000-0000-7000-8000-000000000${number}`

const database = await createEmptyDatabase(t)
const names = Object.keys(migrations)
const first = names.slice(0, names.indexOf('0005-channel-turns') + 1)
await migrate(database.db, Object.fromEntries(Object.entries(migrations).slice(0, first.length)))
await sql.raw(await readFile(new URL('first-release.sql', import.meta.url), 'utf8')).execute(database.db)
const ran = await migrate(database.db, migrations, { contract: true })

const fake = await startFake(t)
const { admin, app } = await startApp(t, { database, reconcileTimes: { sweep: 0.2 } })

/** What the server holds: all that the first release wrote there, and what came into being beside it. */
const HELD: [name: string, type: string, ttl: number, contents: string[]][] = [
  ['www', 'A', 300, ['192.0.2.1', '192.0.2.2']],
  ['www', 'AAAA', 300, ['2001:db8::1']],
  ['alias', 'CNAME', 300, ['www.example.com.']],
  ['sub', 'NS', 300, ['ns1.example.net.']],
  ['', 'MX', 300, ['10 mail.example.com.']],
  ['', 'TXT', 300, ['"v=spf1 -all"']],
  ['long', 'TXT', 300, [`"${'x'.repeat(255)}" "${'x'.repeat(45)}"`]],
  ['quoted', 'TXT', 300, [String.raw`"say \"hi\" \\ ; \195\169"`]],
  ['pasted', 'TXT', 300, [String.raw`"\"in quotes\""`]],
  ['_sip._tcp', 'SRV', 300, ['10 60 5060 sip.example.com.']],
  ['', 'CAA', 300, ['0 issue "letsencrypt.org"']],
  ['xn--bcher-kva.dev', 'A', 300, ['192.0.2.4']],
  ['moved', 'A', 600, ['192.0.2.11']],
  ['late', 'A', 3600, ['192.0.2.98']],
  ['_443._tcp', 'TLSA', 300, [`3 1 1 ${'ab'.repeat(32)}`]],
  ['4', 'MINFO', 300, ['1 x.example.net.']],
]
fake.createZone('example.com')
fake.patch(
  'example.com',
  HELD.map(([name, type, ttl, contents]) => ({
    name: name === '' ? 'example.com.' : `${name}.example.com.`,
    type,
    ttl,
    changetype: 'REPLACE',
    records: contents.map((content) => ({ content, disabled: false })),
  })),
)

void t.test('each migration since then ran', (t) => {
  t.same(ran, names.slice(first.length))
  t.end()
})

void t.test('people, tokens and sessions', async (t) => {
  t.match(await admin.get('/api/users'), {
    body: { users: [{ username: 'ada' }, { username: 'root' }], total: 2 },
  })
  const headers = { authorization: `Bearer ${TOKEN}` }
  t.match(await call(app, { url: '/api/v1/domains', headers }), {
    status: 200,
    body: { domains: [{ name: 'example.com', access: 'write', recordCount: 1, unmanaged: 0 }] },
  })
  const payload = { refreshToken: REFRESH_TOKEN }
  const refreshed = await call(app, { method: 'POST', url: '/api/auth/refresh', payload })
  t.match(refreshed, { status: 200, body: { accessToken: String } })
  const ada = { authorization: `Bearer ${refreshed.body.accessToken}` }
  t.match(await call(app, { url: '/api/auth/me', headers: ada }), {
    body: { user: { username: 'ada', displayName: 'Ada' } },
  })
  t.match(await admin.get('/api/invitations'), { body: { invitations: [{ role: 'member', maxUses: 1 }] } })
  t.match(await admin.get('/api/assignments'), { body: { assignments: [{ subdomainPattern: '*.dev' }] } })
  t.match(await admin.get('/api/assignments/requests'), {
    body: { requests: [{ subdomainPattern: 'www', reason: 'please', status: 'pending' }] },
  })
})

void t.test('what is told: reminders, channels, the audit trail', async (t) => {
  t.match(await admin.get('/api/notifications/configs'), {
    body: {
      configs: [{ id: CHANNEL, name: 'Operations', config: { url: 'https://hooks.example.net/••••' } }],
    },
  })
  t.match(await admin.get(`/api/notifications/configs/${CHANNEL}/deliveries?status=dead`), {
    body: { deliveries: [{ title: 'example.org expires soon', tries: 8, error: 'HTTP status 500' }] },
  })
  const { body } = await admin.get('/api/audit?action=provider_config.created')
  t.match(body, { entries: [{ after: { credentials: { apiUrl: 'http://••••@127.0.0.1:8081' } } }] })
  const told = await until('the reminder that nobody had been told', async () =>
    (await admin.get('/api/notifications')).body.notifications.find(
      ({ event }: { event: string }) => event === 'domain.expiring',
    ),
  )
  t.match(told, { metadata: { domainName: 'example.org', leadDays: 30 } })
})

void t.test('a request made again after the upgrade does nothing twice', async (t) => {
  const record = { recordType: 'A', name: '@', value: '192.0.2.7' }
  const headers = { 'idempotency-key': 'once' }
  const again = await admin.post(`/api/domains/${EXAMPLE_ORG}/records`, record, { headers })
  t.match(again, { status: 409 })
  t.match(await admin.get(`/api/domains/${EXAMPLE_ORG}`), { body: { recordCount: 1 } })
})

void t.test('domains and records', async (t) => {
  t.match(await admin.get('/api/domains'), {
    body: {
      domains: [
        { name: 'example.com', providerKey: 'powerdns', recordCount: 15, unmanaged: 0 },
        { name: 'example.org', groupName: 'web', tags: ['a', 'b'], expiresAt: '2036-01-10T00:00:00.000Z' },
      ],
      total: 2,
    },
  })
  const { records } = (await admin.get(`${url}?limit=1000&data=true`)).body
  t.equal(records.length, 15)
  t.match(
    records.find(({ recordType }: { recordType: string }) => recordType === 'MX'),
    {
      value: '10 mail.example.com',
      priority: 10,
      enabled: true,
      comment: '',
      routing: null,
      data: { priority: 10 },
    },
  )
  t.match(
    records.find(({ name }: { name: string }) => name === 'quoted'),
    { value: 'say "hi" \\ ; é' },
  )
  t.match(await admin.get('/api/records/search?q=b%C3%BCcher.dev'), { body: { total: 1 } })
})

void t.test('the account at the provider', async (t) => {
  t.match(await admin.get(`/api/provider-configs/${POWERDNS_CONFIG}`), {
    body: {
      credentials: { apiUrl: /^http:\/\/127\.0\.0\.1:/, apiKey: '••••' },
      nameServers: { length: 0 },
      hostmaster: null,
    },
  })
  // It is at another address now.
  const credentials = { apiUrl: fake.url, apiKey: fake.apiKey }
  t.match(await admin.put(`/api/provider-configs/${POWERDNS_CONFIG}`, { credentials }), { status: 200 })
  t.match(await admin.post(`/api/provider-configs/${POWERDNS_CONFIG}/test`), { body: { success: true } })
  // At the old address nobody answered, so that its changes were put off for half a minute.
  await database.db.updateTable('changes').set({ lease_until: new Date() }).execute()
})

void t.test('what was under way is settled', async (t) => {
  await until('it is', async () => (await admin.get(changeUrl(115))).body.status === 'applied')
  t.match(await admin.get(`${url}?search=late`), { body: { records: [{ status: 'active' }] } })
})

void t.test('a sync finds all as it was, with the types and the words of now', async (t) => {
  t.match(await admin.post(`/api/domains/${EXAMPLE_COM}/sync`), {
    status: 200,
    body: {
      created: 1,
      updated: 0,
      deleted: 0,
      skipped: 1,
      difference: { created: [{ name: '_443._tcp', recordType: 'TLSA' }] },
    },
  })
  t.match(await admin.get(`/api/domains/${EXAMPLE_COM}`), { body: { recordCount: 16, unmanaged: 1 } })
})

void t.test('the history, and back in it', async (t) => {
  const { body } = await admin.get(`/api/domains/${EXAMPLE_COM}/changes?name=moved`)
  const before = { name: 'moved', recordType: 'A', value: '192.0.2.10', ttl: 300, enabled: true, comment: '' }
  t.match(body, { total: 2, changes: [{ items: [{ before, after: { value: '192.0.2.11' } }] }, {}] })
  t.match(await admin.get(changeUrl(114)), {
    body: { status: 'failed', items: [{ error: 'PowerDNS cannot be reached' }] },
  })

  t.match(await admin.post(`${changeUrl(112)}/revert`), { status: 200, body: { applied: true } })
  t.same(contentsAt(fake, 'example.com', 'moved', 'A'), ['192.0.2.10'])
  t.match(await admin.post(`${changeUrl(113)}/revert`), { status: 200, body: { applied: true } })
  t.same(contentsAt(fake, 'example.com', 'gone', 'MX'), ['20 mail.example.com.'])
  t.same(contentsAt(fake, 'example.com', 'gone', 'TXT'), [String.raw`"v=1; \"x\""`])

  const at = '2026-11-20T11:30:00.000Z'
  const planned = await admin.post(`/api/domains/${EXAMPLE_COM}/restore`, { at })
  t.match(planned, {
    status: 200,
    body: {
      creates: { length: 0 },
      updates: { length: 0 },
      deletes: [{ before: { name: 'late' } }, { before: { name: '_443._tcp' } }],
    },
  })
  t.match(await admin.post(`/api/domains/${EXAMPLE_COM}/restore`, { at, apply: true }), {
    status: 200,
    body: { applied: true },
  })
  t.same(contentsAt(fake, 'example.com', 'late', 'A'), [])
  t.match(await admin.get(`/api/domains/${EXAMPLE_COM}`), { body: { recordCount: 16, unmanaged: 1 } })
})

void t.test('an export has all of it', async (t) => {
  const { body: text } = await admin.get(`${url}/export`)
  for (const [name, type, , contents] of HELD) {
    if (name === 'late' || name === 'moved' || type === 'TLSA') continue
    for (const content of contents) t.ok(text.includes(`\t${type}\t${content}`), `${name} ${type} ${content}`)
  }
})
