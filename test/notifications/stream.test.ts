import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import t, { type Test } from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { loggerOptions } from '../../plugins/http/logging.ts'
import { startApp, type Client } from '../helpers/app.ts'
import { tell as tellEvent } from '../helpers/events.ts'
import { listen, type Listener } from '../helpers/stream.ts'
import { until } from '../helpers/until.ts'

const SPA = 'https://app.example.net'
const lines: string[] = []
const log = pino(loggerOptions('info'), { write: (line) => void lines.push(line) })
const { app, admin, addUser, signIn, database } = await startApp(t, {
  log,
  environment: { CORS_ORIGINS: SPA },
})
const base = await app.listen({ host: '127.0.0.1', port: 0 })

let users = 0
/** A user of the test's own, signed in. */
async function member(): Promise<Client & { username: string }> {
  const username = `listener${users++}`
  await addUser(username)
  return { ...(await signIn(username)), username }
}

const stream = async (t: Test, ...given: Parameters<typeof listen>): Promise<Listener> => {
  const listener = await listen(...given)
  t.teardown(listener.close)
  return listener
}

const sessionOf = ({ accessToken }: Client): string =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).sid

/** Something that only this user hears of. */
const tell = (userId: string, n = 1) =>
  tellEvent(app, 'account.identity_changed', {
    metadata: { username: 'ada', providerId: `provider-${n}`, change: 'bound' },
    actorId: null,
    userIds: [userId],
  })

const ended = (listener: Listener, ms = 2_000) =>
  Promise.race([listener.ended.then(() => true), sleep(ms, false, { ref: false })])

void t.test('84. begins with connected, and goes on with what happens', async (t) => {
  const ada = await member()
  const one = await stream(t, base, { token: ada.accessToken })
  t.equal(one.status, 200)
  const [connected] = await one.count(1)
  t.match(connected, {
    event: 'connected',
    id: /^[0-9a-f-]{36}$/,
    title: 'Connected',
    content: /./,
    level: 'info',
    read: true,
    createdAt: /^\d{4}-.*Z$/,
    metadata: {},
  })
  t.match(one.text(), /^retry: \d{4}\nid: [0-9a-f-]{36}\ndata: \{.*\}\n\n$/)

  const bob = await member()
  await tell(bob.userId)
  await tell(ada.userId)
  const [, message] = await one.count(2)
  t.match(message, {
    event: 'account.identity_changed',
    title: 'An external identity of ada was bound',
    content: /provider-1/,
    level: 'warning',
    read: false,
    metadata: { providerId: 'provider-1', change: 'bound' },
  })
  t.equal(message?.lastEventId, message?.id, 'the line id: names it')
  const { body } = await ada.get('/api/notifications')
  const { lastEventId: _, ...listed } = message as { lastEventId: string }
  t.same(body.notifications, [listed], 'as in the list')
})

void t.test('has headers that keep it going, and those of every answer', async (t) => {
  const ada = await member()
  const { headers } = await stream(t, base, { token: ada.accessToken, headers: { origin: SPA } })
  t.match(headers, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'access-control-allow-origin': SPA,
    'access-control-allow-credentials': 'true',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    date: /GMT$/,
  })
  t.match(headers.vary, /origin/i)
  t.notOk('transfer-encoding' in headers || 'content-length' in headers)
  const foreign = await stream(t, base, { token: ada.accessToken, headers: { origin: 'https://evil.test' } })
  t.equal(foreign.headers['access-control-allow-origin'], undefined)
})

void t.test('84. takes an access token, in the header or the query, and nothing else', async (t) => {
  const ada = await member()
  const inQuery = await stream(t, base, { query: { token: ada.accessToken } })
  t.equal((await inQuery.count(1))[0]?.event, 'connected')
  const { body } = await ada.post('/api/auth/me/tokens', { name: 'program', permissions: ['domains:read'] })
  const refused: [string, Parameters<typeof listen>[1]][] = [
    ['none', {}],
    ['an empty one', { query: { token: '' } }],
    ['nonsense', { query: { token: 'nonsense' } }],
    ['a personal token', { query: { token: body.token } }],
    ['a personal token in the header', { token: body.token }],
    ['a temporary token', { query: { token: app.tokens.sign('temp', ada.userId, uuidv7()) } }],
    ['one of no session', { query: { token: app.tokens.sign('access', ada.userId, uuidv7()) } }],
    ['a right one below a wrong one', { token: 'nonsense', query: { token: ada.accessToken } }],
  ]
  for (const [what, options] of refused) {
    const answer = await stream(t, base, options)
    t.equal(answer.status, 401, what)
    t.match(answer.headers['content-type'], /^application\/problem\+json/, what)
  }
  const elsewhere = await app.inject({ url: `/api/notifications?token=${ada.accessToken}` })
  t.equal(elsewhere.statusCode, 401, 'no other route takes it from the query')
})

void t.test('79. the token in the query is in no log', async (t) => {
  const ada = await member()
  lines.length = 0
  const one = await stream(t, base, { query: { token: ada.accessToken } })
  one.close()
  await stream(t, base, { query: { token: 'hidden-token' } })
  await until('the log of the end', () => lines.some((line) => line.includes('stream ended')))
  const log = lines.join('')
  t.match(log, /stream\?token=\[redacted\].*stream opened/)
  t.match(log, /client closed the connection.*stream ended/)
  t.notOk(log.includes(ada.accessToken))
  t.notMatch(log, /hidden-token/)
})

void t.test('84. a sixth stream of a user is refused, until one of the others ends', async (t) => {
  const [ada, bob] = [await member(), await member()]
  const open = await Promise.all(Array.from({ length: 5 }, () => stream(t, base, { token: ada.accessToken })))
  t.same(
    open.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  )
  const sixth = await stream(t, base, { token: ada.accessToken })
  t.equal(sixth.status, 429)
  t.match(JSON.parse(sixth.text()), { code: 'rate_limited', detail: /5 open streams/ })
  t.match(sixth.headers, { 'retry-after': /^\d+$/ })
  t.equal((await stream(t, base, { token: bob.accessToken })).status, 200, 'another user has their own')
  open[0]?.close()
  await until('a free place', async () => (await stream(t, base, { token: ada.accessToken })).status === 200)
})

void t.test('a place that was refused is given back', async (t) => {
  const ada = await member()
  await ada.put('/api/auth/me/profile', { notificationsEnabled: false })
  for (let i = 0; i < 7; i++) {
    const answer = await stream(t, base, { token: ada.accessToken })
    t.equal(answer.status, 403)
    t.match(JSON.parse(answer.text()), { code: 'forbidden', detail: /turned off/ })
  }
  await ada.put('/api/auth/me/profile', { notificationsEnabled: true })
  t.equal((await stream(t, base, { token: ada.accessToken })).status, 200)
})

void t.test('84. ends with its session, and no other does', async (t) => {
  const one = await member()
  const other = await signIn(one.username)
  const [first, second] = [
    await stream(t, base, { token: one.accessToken }),
    await stream(t, base, { token: other.accessToken }),
  ]
  await app.inject({
    method: 'POST',
    url: '/api/auth/logout',
    headers: { authorization: `Bearer ${one.accessToken}` },
  })
  t.ok(await ended(first), 'logged out')
  await tell(one.userId)
  await second.count(2)
  t.equal((await stream(t, base, { token: one.accessToken })).status, 401)
})

void t.test('84. ends when the user is disabled, is deleted, or turns notifications off', async (t) => {
  const cases: [string, (client: Client) => Promise<unknown>][] = [
    ['disabled', ({ userId }) => admin.put(`/api/users/${userId}`, { disabled: true })],
    ['deleted', ({ userId }) => admin.delete(`/api/users/${userId}`)],
    ['turned off', (client) => client.put('/api/auth/me/profile', { notificationsEnabled: false })],
  ]
  const bystander = await member()
  const staying = await stream(t, base, { token: bystander.accessToken })
  for (const [what, act] of cases) {
    const client = await member()
    const one = await stream(t, base, { token: client.accessToken })
    await one.count(1)
    await act(client)
    t.ok(await ended(one), what)
  }
  await bystander.put('/api/auth/me/profile', { displayName: 'Still here' })
  await tell(bystander.userId)
  await staying.count(2)
})

void t.test('84. ends when the access token expires', async (t) => {
  const ada = await member()
  // The stream knows no clock but the token's; this one has two seconds left.
  const short = app.jwt as unknown as Record<string, { sign: (payload: object, options: object) => string }>
  const [key] = app.secrets.signingKeys
  const token = short[key?.id ?? '']?.sign(
    { sub: ada.userId, sid: sessionOf(ada), aud: 'zonekeeper', jti: uuidv7() },
    { expiresIn: 2, header: { alg: 'HS256', typ: 'at+jwt' } },
  ) as string
  const one = await stream(t, base, { token })
  const long = await stream(t, base, { token: ada.accessToken })
  t.ok(await ended(one, 4_000))
  t.notOk(await ended(long, 50), 'a fresh one goes on')
})

void t.test('a session that ended behind our back ends it, too', async (t) => {
  const ada = await member()
  const one = await stream(t, base, { token: ada.accessToken })
  await database.db.deleteFrom('sessions').where('id', '=', sessionOf(ada)).execute()
  app.events.emit('events.missed', {})
  t.ok(await ended(one))
})

void t.test('Last-Event-ID brings what was missed, once, in order', async (t) => {
  const ada = await member()
  const first = await stream(t, base, { token: ada.accessToken })
  const [connected] = await first.count(1)
  await tell(ada.userId, 1)
  const [, one] = await first.count(2)
  first.close()
  await tell(ada.userId, 2)
  await tell(ada.userId, 3)
  const missedBy = async (lastEventId: string | undefined, how: 'header' | 'query' = 'header') => {
    const again = await stream(t, base, {
      token: ada.accessToken,
      ...(lastEventId !== undefined &&
        (how === 'header' ? { headers: { 'last-event-id': lastEventId } } : { query: { lastEventId } })),
    })
    await tell(ada.userId, 9)
    const end = ({ metadata }: { metadata: { providerId?: string } }) => metadata.providerId === 'provider-9'
    await until('the last message', () => again.messages.some(end))
    const all = again.messages.map(({ event, metadata }) => metadata.providerId ?? event)
    again.close()
    const { body } = await ada.get('/api/notifications')
    const last = body.notifications[0].id
    t.equal((await ada.delete(`/api/notifications/${last}`)).status, 204)
    return all.map((name) => name.replace('provider-', ''))
  }
  t.same(await missedBy(one?.lastEventId), ['connected', '2', '3', '9'])
  t.same(await missedBy(one?.lastEventId, 'query'), ['connected', '2', '3', '9'])
  t.same(await missedBy(connected?.lastEventId), ['connected', '1', '2', '3', '9'], 'since connected')
  t.same(await missedBy(connected?.id), ['connected', '1', '2', '3', '9'], 'by its own id, too')
  t.same(await missedBy(undefined), ['connected', '9'], 'nothing for who names nothing')
  t.same(await missedBy('nonsense'), ['connected', '9'], 'or nothing that is an id')
  t.same(await missedBy('00000000-0000-0000-0000-000000000000'), ['connected', '1', '2', '3', '9'])

  await ada.delete(`/api/notifications/${one?.id}`)
  t.same(await missedBy(one?.lastEventId), ['connected', '2', '3', '9'], 'the one that is named was deleted')
})

void t.test('whoever is cut off in the replay gets it again', async (t) => {
  const ada = await member()
  await tell(ada.userId, 1)
  const first = await stream(t, base, { token: ada.accessToken })
  const [connected] = await first.count(1)
  first.close()
  await tell(ada.userId, 2)
  const headers = { 'last-event-id': connected?.lastEventId as string }
  const cut = await stream(t, base, { token: ada.accessToken, headers })
  const [again] = await cut.count(2)
  t.equal(again?.lastEventId, connected?.lastEventId, 'connected leads no further than what was named')
})

void t.test('no gap and no double while messages come in', async (t) => {
  const ada = await member()
  const bystander = await stream(t, base, { token: ada.accessToken })
  const seen: string[] = []
  let lastEventId = '00000000-0000-0000-0000-000000000000'
  const telling = (async () => {
    for (let n = 0; n < 150; n++) {
      await tell(ada.userId, n)
      if (n % 10 === 0) await sleep(5)
    }
  })()
  const over = { done: false }
  void telling.then(() => (over.done = true))
  // A client that is cut off again and again.
  for (let turn = 0; turn < 100 && seen.length < 150; turn++) {
    const one = await stream(t, base, {
      token: ada.accessToken,
      headers: { 'last-event-id': lastEventId },
    })
    await until('messages, or the end', () => over.done || one.messages.length >= 3)
    await sleep(2)
    const messages = one.messages.filter(({ event }) => event !== 'connected')
    one.close()
    seen.push(...messages.map(({ id }) => id))
    lastEventId = messages.at(-1)?.lastEventId ?? lastEventId
  }
  await telling
  const all = (await bystander.count(151)).slice(1).map(({ id }) => id)
  t.equal(new Set(all).size, 150)
  t.same(seen, all)
})

void t.test('the description says how to open it', async (t) => {
  const operation = app.swagger().paths?.['/api/notifications/stream']?.get
  t.match(operation, {
    security: [{ accessToken: { length: 0 } }, { accessTokenInQuery: { length: 0 } }],
    responses: { 200: { content: { 'text/event-stream': { example: /^retry: .*connected/s } } } },
  })
})

void t.test('64. opening counts for the user, also with the token in the query', async (t) => {
  const limited = await startApp(t, { environment: { RATE_LIMIT: '15' } })
  const address = await limited.app.listen({ host: '127.0.0.1', port: 0 })
  const { accessToken } = limited.admin
  const one = await stream(t, address, { query: { token: accessToken } })
  t.equal(one.status, 200)
  t.ok(Number(one.headers['x-ratelimit-remaining']) < 15)
  for (let i = 0; i < 20; i++) await limited.admin.get('/api/notifications')
  t.equal((await stream(t, address, { query: { token: accessToken } })).status, 429)
  t.equal((await stream(t, address, { query: { token: 'nonsense' } })).status, 401, 'not the address')
  await tellEvent(limited.app, 'account.password_changed', {
    metadata: { username: 'admin', ip: null },
    actorId: null,
    userIds: [limited.admin.userId],
  })
  await one.count(2)
})

void t.test('there is no HEAD', async (t) => {
  const answer = await app.inject({
    method: 'HEAD',
    url: '/api/notifications/stream',
    headers: { authorization: `Bearer ${admin.accessToken}` },
  })
  t.equal(answer.statusCode, 405)
})

void t.test('the app closes with streams open', async (t) => {
  const other = await startApp(t)
  const address = await other.app.listen({ host: '127.0.0.1', port: 0 })
  const one = await stream(t, address, { token: other.admin.accessToken })
  await one.count(1)
  const begun = Date.now()
  await other.app.close()
  t.ok(await ended(one, 100))
  t.ok(Date.now() - begun < 2_000)
})
