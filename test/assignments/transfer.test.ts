import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { addDomain, addManual } from '../helpers/zone.ts'

const { app, admin, addUser, signIn, database } = await startApp(t)
for (const name of ['ada', 'bob', 'gone']) await addUser(name)
const [ada, bob] = await Promise.all([signIn('ada'), signIn('bob')])
await database.db
  .updateTable('users')
  .set({ disabled_at: new Date() })
  .where('username', '=', 'gone')
  .execute()
const domain = await addDomain(ada, await addManual(ada), 'given.example')
const url = `/api/domains/${domain.id}`
const totals = async () =>
  Promise.all([ada, bob, admin].map(async (who) => (await who.get('/api/domains')).body.total as number))

void t.test('only who disposes of the domain gives it away, to somebody who is there', async (t) => {
  t.equal((await bob.post(`${url}/transfer`, { username: 'bob' })).status, 404, 'a stranger')
  const share = { userId: bob.userId, domainId: domain.id, permission: 'write' }
  const { body: shared } = await ada.post('/api/assignments', share)
  t.match(shared, { createdBy: ada.userId, createdByName: 'ada' })
  t.match((await bob.get('/api/assignments')).body.assignments, [{ createdByName: 'ada' }])
  t.equal((await bob.post(`${url}/transfer`, { username: 'bob' })).status, 403, 'an assignee')
  await ada.delete(`/api/assignments/${shared.id}`)
  t.match(await ada.post(`${url}/transfer`, { username: 'nobody' }), {
    status: 400,
    body: { errors: [{ path: '/username' }] },
  })
  t.match(await ada.post(`${url}/transfer`, { username: 'gone' }), { status: 400 })
  t.match(await ada.post(`${url}/transfer`, { username: 'ada' }), { status: 409 })
  t.same(await totals(), [1, 0, 1])
})

void t.test('the new owner has it at once, and who had it has it no more', async (t) => {
  const { body: offer } = await ada.post(`${url}/transfer`, { userId: bob.userId })
  t.same(await totals(), [1, 0, 1], 'by its owner once the other accepts')
  t.equal((await bob.post(`/api/domains/transfers/${offer.id}/accept`)).status, 200)
  t.same(await totals(), [0, 1, 1])
  t.equal((await ada.get(url)).status, 404)
  t.match(await bob.get(url), { status: 200, body: { ownerId: bob.userId, access: 'owner' } })
  t.equal((await bob.put(url, { notes: 'mine now' })).status, 200)
  t.equal((await admin.post(`${url}/transfer`, { username: 'ada' })).status, 204, 'an administrator may, too')
  t.same(await totals(), [1, 0, 1])
  const { body } = await admin.get('/api/audit?action=domain.transferred')
  t.match(body.entries, [
    { before: { ownerId: bob.userId }, after: { username: 'ada' } },
    { before: { ownerId: ada.userId }, after: { username: 'bob' } },
  ])
})

void t.test('who had it and who has it now hear of that', async (t) => {
  await app.outbox.drain()
  for (const who of [ada, bob]) {
    const { body } = await who.get('/api/notifications')
    const told = (body.notifications as { event: string; title: string; metadata: object }[]).filter(
      ({ event }) => event === 'domain.transferred',
    )
    t.match(told, [
      { title: 'given.example now belongs to ada', metadata: { username: 'ada', previousUsername: 'bob' } },
      { metadata: { domainId: domain.id, username: 'bob', previousUsername: 'ada' } },
    ])
    t.equal(told.length, 2)
  }
})

void t.test('requests name who decided', async (t) => {
  const { body: asked } = await bob.post('/api/assignments/requests', {
    domain: 'given.example',
    permission: 'read',
    reason: 'x',
  })
  t.match(asked, { decidedBy: null, decidedByName: null })
  t.match((await admin.post(`/api/assignments/requests/${asked.id}/reject`, { reason: 'no' })).body, {
    decidedByName: 'root',
  })
  t.match((await bob.get('/api/assignments/requests')).body.requests, [{ decidedByName: 'root' }])
})
