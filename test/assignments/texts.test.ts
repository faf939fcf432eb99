import { sql } from 'kysely'
import t from 'tap'
import { call, type Client } from '../helpers/app.ts'
import { idOf, startZone } from '../helpers/zone.ts'

/* Words of a provider may name any record, and counts are of all of them: they are for those who see the whole. */

const zone = await startZone(t)
const { app, admin, addUser, signIn, domainId } = zone

async function holderOf(username: string, subdomainPattern: string): Promise<Client> {
  await addUser(username)
  const user = await signIn(username)
  const given = { userId: user.userId, domainId, subdomainPattern, permission: 'read' }
  idOf(await admin.post('/api/assignments', given))
  return user
}

void t.test('60. why a sync failed is told to those who see the whole domain', async (t) => {
  const [part, whole] = [await holderOf('part', 'app'), await holderOf('whole', '*')]
  await admin.put(`/api/domains/${domainId}`, { notes: 'all about secret-host' })
  zone.fake.fail({
    kind: 'answer',
    answer: { status: 422, body: JSON.stringify({ error: 'RRset secret-host.example.com. is broken' }) },
    times: Infinity,
  })
  t.not((await admin.post(`/api/domains/${domainId}/sync`)).status, 200)
  await app.outbox.drain()
  const seenBy = async (who: Client) => {
    const urls = [`/api/domains/${domainId}`, '/api/domains', '/api/dashboard', '/api/notifications']
    return Promise.all(urls.map(async (url) => JSON.stringify((await who.get(url)).body)))
  }
  for (const who of [admin, whole]) {
    for (const text of await seenBy(who)) t.match(text, /secret-host/)
  }
  for (const text of await seenBy(part)) {
    t.notMatch(text, /secret-host/)
    t.match(text, /The reason is shown only to users with access to the whole domain/)
  }

  await t.test('60. and so it is with a token for some names or types', async (t) => {
    const seenByToken = async (restrictions: object) => {
      const permissions = ['domains:read']
      const made = await admin.post('/api/auth/me/tokens', { name: 'x', permissions, restrictions })
      const headers = { authorization: `Bearer ${made.body.token}` }
      const urls = ['/api/v1/domains', `/api/v1/domains/${domainId}`]
      const answers = await Promise.all(urls.map((url) => call(app, { url, headers })))
      return JSON.stringify(answers.map(({ body }) => body as unknown))
    }
    t.match(await seenByToken({ namePatterns: ['*'] }), /secret-host/)
    t.notMatch(await seenByToken({ namePatterns: ['app'] }), /secret-host/)
    t.notMatch(await seenByToken({ recordTypes: ['TXT'] }), /secret-host/)
  })
})

void t.test('60. of changes at the provider each hears what they see of them', async (t) => {
  zone.fake.heal()
  const [dev, www, all] = [
    await holderOf('dev', '*.dev'),
    await holderOf('www', 'www'),
    await holderOf('all', '*'),
  ]
  const change = (name: string, values: string[]) => ({
    name: `${name}.example.com.`,
    type: 'A',
    ttl: 300,
    changetype: values.length > 0 ? 'REPLACE' : 'DELETE',
    records: values.map((content) => ({ content, disabled: false })),
  })
  const names = Array.from({ length: 12 }, (_, i) => `secret${i}`)
  const syncs = async (...changes: object[]) => {
    zone.fake.patch('example.com', changes)
    for (const who of [admin, dev, www, all]) await who.delete('/api/notifications')
    await admin.put(`/api/domains/${domainId}`, { syncInterval: 60 })
    await sql`update domains set sync_due_at = now() where id = ${domainId}`.execute(zone.database.db)
    await app.work.run('records.sync')
    await app.outbox.drain()
  }
  const told = async (who: Client) => {
    const { body } = await who.get('/api/notifications')
    const heard = body.notifications as { event: string; content: string; metadata: object }[]
    return heard.filter(({ event }) => event === 'domain.drift')
  }
  await syncs()
  await syncs(...['a.dev', 'b.dev', ...names].map((name) => change(name, ['192.0.2.1'])))
  t.match(await told(admin), [{ metadata: { created: 14, updated: 0, deleted: 0, applied: true } }])
  t.match(await told(all), [{ metadata: { created: 14 } }])
  t.match(await told(dev), [{ metadata: { created: 2, updated: 0, deleted: 0 } }])
  t.same(await told(www), [], 'nothing of theirs')

  await syncs(change('a.dev', []), ...names.map((name) => change(name, [])))
  t.match(
    await told(all),
    [{ metadata: { deleted: 13, applied: false } }],
    'so much that a person must say so',
  )
  t.match(await told(dev), [{ metadata: { deleted: 1, applied: false } }])
  t.same(await told(www), [])
})
