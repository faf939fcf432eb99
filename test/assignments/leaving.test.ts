import t from 'tap'
import { call, startApp, type Client } from '../helpers/app.ts'
import { hear } from '../helpers/events.ts'
import { addDomain, addManual, idOf } from '../helpers/zone.ts'

/** Who was given rights that nobody asked them about can give them up. */
const { app, admin, addUser, signIn, database } = await startApp(t)
for (const name of ['ada', 'bob', 'eve']) await addUser(name)
const [ada, bob, eve] = await Promise.all([signIn('ada'), signIn('bob'), signIn('eve')])
const domain = await addDomain(ada, await addManual(ada), 'shared.example')
const heard = hear(app, 'assignment.leave', 'assignment.delete')

const give = async (who: Client, subdomainPattern: string, more: object = {}) => {
  const terms = { userId: who.userId, domainId: domain.id, subdomainPattern, permission: 'write', ...more }
  return idOf(await ada.post('/api/assignments', terms))
}

void t.test('the receiver leaves; the owner is notified, and the audit log names who left', async (t) => {
  const id = await give(bob, '*')
  t.equal((await bob.get(`/api/domains/${domain.id}`)).status, 200)
  t.equal((await bob.delete(`/api/assignments/${id}`)).status, 204)
  t.equal((await bob.get(`/api/domains/${domain.id}`)).status, 404)
  t.match(await bob.get('/api/domains'), { body: { total: 0 } })
  t.equal((await bob.delete(`/api/assignments/${id}`)).status, 404)
  t.match(await heard(), [
    {
      name: 'assignment.leave',
      payload: { userIds: [ada.userId], actorId: bob.userId, metadata: { username: 'bob' } },
    },
  ])
  await app.outbox.drain()
  t.match((await ada.get('/api/notifications')).body.notifications, [{ event: 'assignment.leave' }])
  const { body } = await admin.get('/api/audit?action=assignment.left')
  t.match(body.entries, [
    { actor: { name: 'bob' }, target: { name: 'shared.example' }, before: { permission: 'write' } },
  ])
})

void t.test('nobody leaves for somebody else, nor changes what they have', async (t) => {
  const id = await give(bob, '*')
  await give(eve, '*')
  t.equal((await eve.delete(`/api/assignments/${id}`)).status, 404)
  t.equal((await bob.put(`/api/assignments/${id}`, { permission: 'read' })).status, 403)
  const outdated = { headers: { 'if-match': '"0"' } }
  t.equal((await bob.delete(`/api/assignments/${id}`, outdated)).status, 412)
  t.equal((await bob.delete(`/api/assignments/${id}`)).status, 204)
})

void t.test('one of several is left, also one that has ended', async (t) => {
  const [app1, dev] = [await give(bob, 'app'), await give(bob, 'dev')]
  t.equal((await bob.delete(`/api/assignments/${app1}`)).status, 204)
  t.equal((await bob.get(`/api/domains/${domain.id}`)).status, 200)
  await database.db
    .updateTable('assignments')
    .set({ expires_at: new Date(1) })
    .where('id', '=', dev)
    .execute()
  t.equal((await bob.get(`/api/domains/${domain.id}`)).status, 404)
  t.equal((await bob.delete(`/api/assignments/${dev}`)).status, 204)
})

void t.test('a token of a part of the records does not leave; one of the domain does', async (t) => {
  const id = await give(bob, '*')
  const leave = async (restrictions: object) => {
    const permissions = ['assignments:read', 'assignments:write']
    const { body } = await bob.post('/api/auth/me/tokens', { name: 'x', permissions, restrictions })
    const headers = { authorization: `Bearer ${body.token}` }
    return call(app, { method: 'DELETE', url: `/api/v1/assignments/${id}`, headers })
  }
  t.equal((await leave({ namePatterns: ['app'] })).status, 403)
  t.equal((await leave({ domainIds: [domain.id] })).status, 204)
})

void t.test('leaving and taking back at the same time is done once', async (t) => {
  await heard()
  for (let round = 0; round < 5; round++) {
    const url = `/api/assignments/${await give(bob, `r${round}`)}`
    const answers = await Promise.all([bob.delete(url), ada.delete(url)])
    t.same(answers.map(({ status }) => String(status)).toSorted(), ['204', '404'])
  }
  t.equal((await heard()).length, 5)
})
