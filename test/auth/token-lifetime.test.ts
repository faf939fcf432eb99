import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { sweepTokenReminders } from '../../modules/auth/personal-tokens/reminders.ts'
import { call, startApp, type Client } from '../helpers/app.ts'
import { hear } from '../helpers/events.ts'

/* The longest life of personal tokens: of new ones, of replaced ones, and of those from before the setting. */
const DAY = 86_400_000
const DAYS = 30
const MANUAL = '0192f0a0-0000-7000-8000-000000000001'

const before = await startApp(t, { alone: false })
const { database } = before
const limited = await startApp(t, { alone: false, database, environment: { MAX_TOKEN_DAYS: String(DAYS) } })
const { admin } = limited

const TOKENS = '/api/auth/me/tokens'
const PERMISSIONS = ['domains:read']
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString()
const create = (client: Client, more: object = {}, url = TOKENS) =>
  client.post(url, { name: 'program', permissions: PERMISSIONS, ...more })
const use = (
  { app }: { app: FastifyInstance },
  token: string,
  url = '/api/v1/domains',
  method: 'GET' | 'POST' = 'GET',
) => call(app, { method, url, headers: { authorization: `Bearer ${token}` } })

/** Makes it so much older, as if the time had passed. */
const age = (id: string, days: number) =>
  database.db
    .updateTable('personal_tokens')
    .set({ created_at: new Date(Date.now() - days * DAY) })
    .where('id', '=', id)
    .execute()

const TOO_LATE = {
  status: 400,
  body: {
    code: 'validation_failed',
    errors: [{ path: '/expiresAt', code: 'token_lifetime', params: { days: DAYS } }],
  },
}

/** Whether both are the same moment but for the seconds that a slow machine takes. */
const isNear = (one: string, other: number) => Math.abs(Date.parse(one) - other) < 60_000

void t.test(
  '108. a new token ends within the longest life, and without a word as late as it allows',
  async (t) => {
    const given = inDays(7)
    t.match(await create(admin, { expiresAt: given }), { status: 201, body: { expiresAt: given } })
    t.match(await create(admin, { expiresAt: inDays(DAYS + 1) }), TOO_LATE)
    t.match(await create(admin, { expiresAt: null }), TOO_LATE, 'never is later than any')
    const { status, body } = await create(admin)
    t.equal(status, 201)
    t.ok(isNear(body.expiresAt, Date.now() + DAYS * DAY), body.expiresAt)
    t.match(
      await create(before.admin),
      { status: 201, body: { expiresAt: null } },
      'no limit without the setting',
    )
    t.match(await before.admin.get(TOKENS), { body: { maxDays: null } })
    t.match(await admin.get(TOKENS), { body: { maxDays: DAYS } })
  },
)

void t.test('108. the same for machines, and wherever an administrator makes them', async (t) => {
  const machine = await admin.post('/api/users', { kind: 'machine', username: 'builds' })
  const url = `/api/users/${machine.body.id}/tokens`
  t.match(await create(admin, { expiresAt: inDays(DAYS + 1) }, url), TOO_LATE)
  const made = await create(admin, {}, url)
  t.ok(isNear(made.body.expiresAt, Date.now() + DAYS * DAY))
  t.match(await admin.post(`${url}/${made.body.id}/rotate`, { expiresAt: inDays(DAYS + 1) }), TOO_LATE)
  t.match(await admin.get(url), { body: { maxDays: DAYS } })
})

void t.test('108. tokens from before end so long after they were made, and lists say so', async (t) => {
  const old = (await create(before.admin)).body as { id: string; token: string }
  await age(old.id, DAYS - 10)
  t.equal((await use(limited, old.token)).status, 200)
  const end = Date.now() + 10 * DAY
  const own = await use(limited, old.token, '/api/v1/token')
  t.ok(isNear(own.body.expiresAt, end), own.body.expiresAt)
  const listed = (await admin.get(TOKENS)).body.tokens.find(({ id }: { id: string }) => id === old.id)
  t.ok(isNear(listed.expiresAt, end))

  await age(old.id, DAYS + 1)
  // What was remembered of it ended by its own clock: another instance, which remembers nothing, says the same.
  limited.app.events.emit('token.revoked', { tokenId: old.id })
  t.match(await use(limited, old.token), { status: 401, body: { code: 'unauthenticated' } })
  t.match(await use(limited, old.token, '/api/v1/token/rotate', 'POST'), { status: 401 })
  t.match(await admin.post(`${TOKENS}/${old.id}/rotate`, {}), { status: 404 }, 'over, so it is not replaced')
  t.equal((await use(before, old.token)).status, 200, 'without the setting it goes on')

  const short = (await create(before.admin, { expiresAt: inDays(2) })).body as { id: string; token: string }
  const own2 = await use(limited, short.token, '/api/v1/token')
  t.ok(isNear(own2.body.expiresAt, Date.now() + 2 * DAY), 'an earlier end stays')
})

void t.test(
  '108. replacing one extends it no further than the longest life, and by itself not at all',
  async (t) => {
    const old = (await create(before.admin)).body as { id: string; token: string }
    await age(old.id, DAYS - 5)
    const end = Date.now() + 5 * DAY
    const itself = await use(limited, old.token, '/api/v1/token/rotate', 'POST')
    t.equal(itself.status, 201)
    t.ok(isNear(itself.body.expiresAt, end), 'by itself')
    const plain = await admin.post(`${TOKENS}/${itself.body.id}/rotate`, {})
    t.ok(isNear(plain.body.expiresAt, end), 'by its owner without another end')
    const url = `${TOKENS}/${plain.body.id}/rotate`
    t.match(await admin.post(url, { expiresAt: null }), TOO_LATE)
    t.match(await admin.post(url, { expiresAt: inDays(DAYS + 1) }), TOO_LATE)
    const later = inDays(DAYS - 1)
    t.match(await admin.post(url, { expiresAt: later }), { status: 201, body: { expiresAt: later } })
  },
)

void t.test('108. its owner is told of the end by the limit, once', async (t) => {
  const old = (await create(before.admin, { name: 'ends soon' })).body as { id: string }
  await age(old.id, DAYS - 3)
  // Either instance may relay it.
  const heard = [before, limited].map(({ app }) => hear(app, 'account.token_expiring'))
  const context = { db: database.db, maxTokenDays: DAYS }
  await sweepTokenReminders(context)
  await sweepTokenReminders(context)
  const all = await Promise.all(heard.map((one) => one()))
  const told = all.flat().filter(({ payload }) => payload.metadata.tokenId === old.id)
  t.equal(told.length, 1)
  t.ok(isNear(String(told[0]?.payload.metadata.expiresAt), Date.now() + 3 * DAY))
})

void t.test('108. acme-dns credentials end with their token', async (t) => {
  const config = await admin.post('/api/provider-configs', { providerId: MANUAL, name: 'manual' })
  await admin.post('/api/domains', { name: 'certified.example', providerConfigId: config.body.id })
  const made = await create(before.admin, { permissions: ['acme:challenge'] })
  const { id, token } = made.body as { id: string; token: string }
  const account = await use(before, token, '/api/v1/acme-dns/certified.example/register', 'POST')
  const { username, password, subdomain } = account.body
  const update = ({ app }: { app: FastifyInstance }) =>
    call(app, {
      method: 'POST',
      url: '/api/v1/acme-dns/update',
      headers: { 'x-api-user': username, 'x-api-key': password },
      payload: { subdomain, txt: 'A'.repeat(43) },
    })
  t.match(await update(limited), { status: 200 })
  await age(id, DAYS + 1)
  t.match(await update(limited), { status: 401 })
  t.match(await update(before), { status: 200 })
})
