import t from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { startApp } from '../helpers/app.ts'
import { tell as tellEvent } from '../helpers/events.ts'

const { app, addUser, signIn } = await startApp(t)

let users = 0
async function member() {
  const username = `reader${users++}`
  await addUser(username)
  return signIn(username)
}

/** Something that only these users hear of. Answers its id. */
async function tell(userIds: string[], n = 1, actorId: string | null = null): Promise<string> {
  const metadata = { username: 'ada', providerId: `provider-${n}`, change: 'bound' } as const
  return tellEvent(app, 'account.identity_changed', { metadata, actorId, userIds })
}

void t.test('the newest first, with the number of unread ones', async (t) => {
  const [ada, bob] = [await member(), await member()]
  t.same((await ada.get('/api/notifications')).body, { notifications: [], unreadCount: 0 })
  const ids = [await tell([ada.userId], 1), await tell([ada.userId], 2), await tell([ada.userId], 3)]
  const { status, body } = await ada.get('/api/notifications')
  t.equal(status, 200)
  t.equal(body.unreadCount, 3)
  t.same(
    body.notifications.map(({ id }: { id: string }) => id),
    ids.toReversed(),
  )
  t.same(Object.keys(body.notifications[0]).sort(), [
    'content',
    'createdAt',
    'event',
    'id',
    'level',
    'metadata',
    'read',
    'title',
  ])
  t.same(body.notifications[0].metadata, { username: 'ada', providerId: 'provider-3', change: 'bound' })
  t.same((await bob.get('/api/notifications')).body, { notifications: [], unreadCount: 0 }, 'only the own')
})

void t.test('can be narrowed', async (t) => {
  const ada = await member()
  const ids: string[] = []
  for (let n = 0; n < 4; n++) ids.push(await tell([ada.userId], n))
  await ada.post(`/api/notifications/${ids[1]}/read`)
  const idsOf = async (query: string) => {
    const { body } = await ada.get(`/api/notifications?${query}`)
    t.equal(body.unreadCount, 3, `all unread are counted: ${query}`)
    return body.notifications.map(({ id }: { id: string }) => ids.indexOf(id))
  }
  t.same(await idsOf('unread=true'), [3, 2, 0])
  t.same(await idsOf('unread=false'), [1])
  t.same(await idsOf('limit=2'), [3, 2])
  t.same(await idsOf('unread=true&limit=2'), [3, 2])
  for (const query of ['limit=0', 'limit=201', 'limit=x', 'unread=perhaps']) {
    t.equal((await ada.get(`/api/notifications?${query}`)).status, 400, query)
  }
})

void t.test('marks one read, or all', async (t) => {
  const ada = await member()
  const [one] = [await tell([ada.userId]), await tell([ada.userId]), await tell([ada.userId])]
  for (let i = 0; i < 2; i++) {
    const answer = await ada.post(`/api/notifications/${one}/read`)
    t.same([answer.status, answer.body], [204, ''])
  }
  const { body } = await ada.get('/api/notifications')
  t.same(
    body.notifications.map(({ read }: { read: boolean }) => read),
    [false, false, true],
  )
  t.equal(body.unreadCount, 2)
  t.equal((await ada.post('/api/notifications/read-all')).status, 204)
  t.equal((await ada.get('/api/notifications')).body.unreadCount, 0)
  t.equal((await ada.post('/api/notifications/read-all')).status, 204, 'also when there is nothing to mark')
})

void t.test('deletes one, or all', async (t) => {
  const ada = await member()
  const [one, two] = [await tell([ada.userId]), await tell([ada.userId])]
  await tell([ada.userId])
  t.equal((await ada.delete(`/api/notifications/${one}`)).status, 204)
  t.equal((await ada.delete(`/api/notifications/${one}`)).status, 404)
  t.equal((await ada.get('/api/notifications')).body.unreadCount, 2)
  t.equal((await ada.delete('/api/notifications')).status, 204)
  t.same((await ada.get('/api/notifications')).body, { notifications: [], unreadCount: 0 })
  t.equal((await ada.delete(`/api/notifications/${two}`)).status, 404)
  t.equal((await ada.delete('/api/notifications')).status, 204, 'also when there is none')
})

void t.test('60. what is not there or another’s is 404, what is no id is 400', async (t) => {
  const [ada, bob] = [await member(), await member()]
  const own = await tell([ada.userId])
  for (const [what, id] of Object.entries({ foreign: own, missing: uuidv7() })) {
    t.match(
      await bob.post(`/api/notifications/${id}/read`),
      { status: 404, body: { code: 'not_found' } },
      what,
    )
    t.match(await bob.delete(`/api/notifications/${id}`), { status: 404, body: { code: 'not_found' } }, what)
  }
  t.match(await ada.get('/api/notifications'), { body: { unreadCount: 1 } })
  t.match(await ada.delete('/api/notifications/nonsense'), {
    status: 400,
    body: { errors: [{ path: '/id' }] },
  })
})

void t.test('the newest 200 are kept', async (t) => {
  const ada = await member()
  const ids = []
  for (let n = 0; n < 203; n++) ids.push(await tell([ada.userId], n))
  const { body } = await ada.get('/api/notifications')
  t.equal(body.notifications.length, 200)
  t.equal(body.unreadCount, 200)
  t.same(body.notifications[0].id, ids.at(-1))
  t.same(body.notifications.at(-1).id, ids[3])
})

void t.test('to who did it, it is no news', async (t) => {
  const [ada, bob] = [await member(), await member()]
  await tell([ada.userId, bob.userId], 1, ada.userId)
  t.match((await ada.get('/api/notifications')).body, { notifications: [{ read: true }], unreadCount: 0 })
  t.match((await bob.get('/api/notifications')).body, { notifications: [{ read: false }], unreadCount: 1 })
})

void t.test('an event that is told again adds nothing', async (t) => {
  const ada = await member()
  const id = uuidv7()
  const metadata = { username: 'ada', providerId: 'oidc', change: 'bound' } as const
  for (let i = 0; i < 3; i++) {
    await tellEvent(app, 'account.identity_changed', { metadata, actorId: null, userIds: [ada.userId] }, id)
  }
  t.match((await ada.get('/api/notifications')).body, { notifications: [{ id }], unreadCount: 1 })
})

void t.test('with notifications turned off nothing comes in', async (t) => {
  const ada = await member()
  await tell([ada.userId], 1)
  await ada.put('/api/auth/me/profile', { notificationsEnabled: false })
  await tell([ada.userId], 2)
  t.match((await ada.get('/api/notifications')).body, {
    notifications: [{ metadata: { providerId: 'provider-1' } }],
  })
  await ada.put('/api/auth/me/profile', { notificationsEnabled: true })
  await tell([ada.userId], 3)
  t.equal((await ada.get('/api/notifications')).body.unreadCount, 2)
})

void t.test('needs a session', async (t) => {
  for (const [method, url] of [
    ['GET', '/api/notifications'],
    ['POST', '/api/notifications/read-all'],
    ['POST', `/api/notifications/${uuidv7()}/read`],
    ['DELETE', '/api/notifications'],
    ['DELETE', `/api/notifications/${uuidv7()}`],
  ] as const) {
    t.equal((await app.inject({ method, url })).statusCode, 401, `${method} ${url}`)
  }
})
