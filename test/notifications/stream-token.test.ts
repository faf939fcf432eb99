import t, { type Test } from 'tap'
import { startApp, type Client } from '../helpers/app.ts'
import { tell as tellEvent } from '../helpers/events.ts'
import { listen, type Listener } from '../helpers/stream.ts'

/* The event stream by personal tokens. */
const { app, admin, addUser, signIn, database } = await startApp(t)
const base = await app.listen({ host: '127.0.0.1', port: 0 })
const PATH = '/api/v1/notifications/stream'

let users = 0
async function member(): Promise<Client> {
  const username = `program${users++}`
  await addUser(username)
  return signIn(username)
}

async function tokenOf(client: Client, more: object = {}): Promise<{ id: string; token: string }> {
  const { status, body } = await client.post('/api/auth/me/tokens', {
    name: 'watch',
    permissions: ['notifications:read'],
    ...more,
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}

async function stream(t: Test, options: Parameters<typeof listen>[1]): Promise<Listener> {
  const listener = await listen(base, { path: PATH, ...options })
  t.teardown(listener.close)
  return listener
}

const tell = (userId: string, n = 1) =>
  tellEvent(app, 'account.identity_changed', {
    metadata: { username: 'ada', providerId: `provider-${n}`, change: 'bound' },
    actorId: null,
    userIds: [userId],
  })

void t.test('a token with notifications:read gets what happens to its user, and nothing else', async (t) => {
  const [ada, bob] = [await member(), await member()]
  const listener = await stream(t, { token: (await tokenOf(ada)).token })
  t.equal(listener.status, 200)
  await tell(bob.userId, 1)
  await tell(ada.userId, 2)
  const [connected, message] = await listener.count(2)
  t.equal(connected?.event, 'connected')
  t.match(message, { event: 'account.identity_changed', metadata: { providerId: 'provider-2' } })

  const missed = await stream(t, {
    token: (await tokenOf(ada)).token,
    headers: { 'last-event-id': connected?.lastEventId ?? '' },
  })
  t.equal((await missed.count(2))[1]?.id, message?.id, 'since the last one')
})

void t.test('an access token opens it, too, and its session ends it', async (t) => {
  const ada = await member()
  const listener = await stream(t, { token: ada.accessToken })
  t.equal(listener.status, 200)
  await ada.post('/api/auth/logout')
  await listener.ended
})

void t.test('refused: without the permission, restricted, in the query, unknown', async (t) => {
  const ada = await member()
  const { token } = await tokenOf(ada)
  const other = await tokenOf(ada, { permissions: ['notifications:write', 'records:read'] })
  const refused: [number, string, Parameters<typeof listen>[1]][] = [
    [403, 'without the permission', { token: other.token }],
    [401, 'in the query', { query: { token } }],
    [401, 'unknown', { token: `${token.slice(0, -1)}x` }],
    [401, 'none', {}],
  ]
  const restrictions = [{ namePatterns: ['www'] }, { recordTypes: ['TXT'] }, { domainIds: [ada.userId] }]
  for (const restriction of restrictions) {
    const restricted = await tokenOf(ada, { restrictions: restriction })
    refused.push([403, JSON.stringify(restriction), { token: restricted.token }])
  }
  for (const [status, what, options] of refused) t.equal((await stream(t, options)).status, status, what)
  const slots = database.db.selectFrom('stream_slots').select('slot').where('user_id', '=', ada.userId)
  t.same(await slots.execute(), [], 'no slot is taken')
})

void t.test('58. the end of the token ends its stream, and no other', async (t) => {
  const ada = await member()
  const [one, two] = [await tokenOf(ada), await tokenOf(ada)]
  const first = await stream(t, { token: one.token })
  const second = await stream(t, { token: two.token })
  await ada.delete(`/api/auth/me/tokens/${one.id}`)
  await first.ended
  await tell(ada.userId)
  t.equal((await second.count(2))[1]?.event, 'account.identity_changed', 'the other goes on')

  const short = await tokenOf(ada, { expiresAt: new Date(Date.now() + 1_500).toISOString() })
  const third = await stream(t, { token: short.token })
  t.equal(third.status, 200)
  await third.ended
})

void t.test('a disabled user, and notifications turned off, end it', async (t) => {
  const [ada, bob] = [await member(), await member()]
  const [ofAda, ofBob] = [
    await stream(t, { token: (await tokenOf(ada)).token }),
    await stream(t, { token: (await tokenOf(bob)).token }),
  ]
  await admin.put(`/api/users/${ada.userId}`, { disabled: true })
  await bob.put('/api/auth/me/profile', { notificationsEnabled: false })
  await ofAda.ended
  await ofBob.ended
  t.equal((await stream(t, { token: (await tokenOf(bob)).token })).status, 403)
})
