import t from 'tap'
import { startApp } from '../helpers/app.ts'

void t.test('the last enabled administrator stays one', async (t) => {
  const { admin, addUser } = await startApp(t)
  await addUser('member')
  const url = `/api/users/${admin.userId}`
  for (const answer of [
    await admin.put(url, { role: 'member' }),
    await admin.put(url, { disabled: true }),
    await admin.delete(url),
  ]) {
    t.match(answer, { status: 409, body: { code: 'conflict', detail: /last enabled administrator/ } })
  }
  t.match(await admin.put(url, { role: 'admin', disabled: false, displayName: 'Root' }), { status: 200 })
})

void t.test('a disabled administrator does not count', async (t) => {
  const { admin, addUser } = await startApp(t)
  const other = await addUser('other', 'admin')
  t.equal((await admin.put(`/api/users/${other}`, { disabled: true })).status, 200)
  t.equal((await admin.put(`/api/users/${admin.userId}`, { role: 'member' })).status, 409)
})

void t.test('administrators who demote, disable and delete each other at once leave one', async (t) => {
  const { admin, addUser, signIn, database } = await startApp(t)
  const enabled = () =>
    database.db
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'admin')
      .where('disabled_at', 'is', null)
      .execute()
  for (const [round, act] of (['demote', 'disable', 'delete', 'self'] as const).entries()) {
    await database.db.deleteFrom('users').where('id', '!=', admin.userId).execute()
    const names = [0, 1, 2].map((i) => `admin${round}-${i}`)
    for (const name of names) await addUser(name, 'admin')
    await database.db.updateTable('users').set({ role: 'member' }).where('username', '=', 'root').execute()
    const clients = await Promise.all(names.map((name) => signIn(name)))
    const answers = await Promise.all(
      clients.map((client, i) => {
        const victim = act === 'self' ? client : clients[(i + 1) % clients.length]
        const url = `/api/users/${victim?.userId}`
        if (act === 'delete') return client.delete(url)
        return client.put(url, act === 'disable' ? { disabled: true } : { role: 'member' })
      }),
    )
    t.ok((await enabled()).length >= 1, `${act}: ${answers.map(({ status }) => status).join(' ')}`)
    t.ok(answers.some(({ status }) => status >= 400))
    await database.db.updateTable('users').set({ role: 'admin' }).where('username', '=', 'root').execute()
  }
})
