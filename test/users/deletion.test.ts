import t from 'tap'
import { call, startApp, type Client } from '../helpers/app.ts'
import { addDomain, addManual } from '../helpers/zone.ts'

const { app, admin, addUser, signIn, database } = await startApp(t)

let count = 0
async function member(): Promise<Client> {
  const username = `owner${count++}`
  await addUser(username)
  return signIn(username)
}

void t.test(
  '19. a deleted user loses everything on the next request; the trail keeps the name',
  async (t) => {
    const user = await member()
    const { body } = await user.post('/api/auth/me/tokens', { name: 'x', permissions: ['domains:read'] })
    await user.get('/api/auth/me')
    t.equal((await admin.delete(`/api/users/${user.userId}`)).status, 204)
    t.equal((await user.get('/api/auth/me')).status, 401)
    const headers = { authorization: `Bearer ${body.token}` }
    t.equal((await call(app, { method: 'GET', url: '/api/v1/domains', headers })).status, 401)
    t.equal((await admin.get(`/api/users/${user.userId}`)).status, 404)
    const trail = await admin.get(`/api/audit?actor=${user.userId}`)
    t.match(trail.body.entries[0], { actor: { name: /^owner/ }, action: 'token.created' })
  },
)

void t.test('who owns something is not deleted, and the answer says how much it is', async (t) => {
  const user = await member()
  const config = await addManual(user)
  await addDomain(user, config, 'one.example')
  await addDomain(user, config, 'two.example')
  t.match(await admin.delete(`/api/users/${user.userId}`), {
    status: 409,
    body: {
      code: 'conflict',
      detail: /1 provider configurations and 2 domains/,
      owned: { domains: 2, 'provider configurations': 1 },
    },
  })
  t.equal((await user.get('/api/auth/me')).status, 200)
})

void t.test('transferTo hands everything over, and the totals stay exact', async (t) => {
  const [user, newOwner] = [await member(), await member()]
  const config = await addManual(user)
  await addDomain(user, config, 'three.example')
  await addDomain(user, config, 'four.example')
  await addDomain(newOwner, await addManual(newOwner), 'own.example')
  const before = (await admin.get('/api/domains')).body.total
  // Remembered totals must not outlive the change.
  t.equal((await newOwner.get('/api/domains?search=example&limit=1')).body.total, 1)
  t.equal((await admin.delete(`/api/users/${user.userId}?transferTo=${newOwner.userId}`)).status, 204)
  t.match((await newOwner.get('/api/domains')).body, { total: 3, domains: { length: 3 } })
  t.equal((await newOwner.get('/api/domains?search=example&limit=1')).body.total, 3)
  t.equal((await admin.get('/api/domains')).body.total, before)
  t.equal((await newOwner.get('/api/provider-configs')).body.providerConfigs.length, 2)
  const lists = await database.db.selectFrom('domain_lists').selectAll().execute()
  t.equal(lists.find(({ viewer }) => viewer === user.userId)?.total ?? 0, 0)
  const { body } = await admin.get(`/api/audit?action=user.deleted&target=${user.userId}`)
  t.match(body.entries, [{ after: { transferredTo: newOwner.userId, transferred: { domains: 2 } } }])
})

void t.test('the new owner must be another user, there and enabled', async (t) => {
  const [user, newOwner] = [await member(), await member()]
  await addManual(user)
  await admin.put(`/api/users/${newOwner.userId}`, { disabled: true })
  const nobody = '0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'
  for (const transferTo of [user.userId, newOwner.userId, nobody, 'x']) {
    const answer = await admin.delete(`/api/users/${user.userId}?transferTo=${transferTo}`)
    t.match(answer, { status: 400 }, transferTo)
  }
  t.equal((await user.get('/api/provider-configs')).body.providerConfigs.length, 1)
})

void t.test('a domain that is registered while its owner is deleted is never left without one', async (t) => {
  const user = await member()
  const config = await addManual(user)
  const [deleted, ...created] = await Promise.all([
    admin.delete(`/api/users/${user.userId}?transferTo=${admin.userId}`),
    ...[1, 2, 3].map((i) =>
      user.post('/api/domains', { name: `race${i}.example`, providerConfigId: config }),
    ),
  ])
  t.equal(deleted?.status, 204)
  const made = created.filter((answer) => answer.status === 201).length
  const rows = await database.db
    .selectFrom('domains')
    .select('owner_id')
    .where('name', 'like', 'race%')
    .execute()
  t.equal(rows.length, made)
  for (const row of rows) t.equal(row.owner_id, admin.userId)
})
