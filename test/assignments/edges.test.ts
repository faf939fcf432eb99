import { sql } from 'kysely'
import t from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { call, type Client } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { idOf, startZone } from '../helpers/zone.ts'

const zone = await startZone(t)
const { app, admin, addUser, signIn, domainId, url, database } = zone
const base = `/api/domains/${domainId}`

let users = 0

/** A new user with these assignments of the domain. */
async function holderOf(
  ...grants: { pattern?: string; permission?: string; types?: string[] }[]
): Promise<Client> {
  const name = `user${users++}`
  await addUser(name)
  const user = await signIn(name)
  for (const { pattern = '*', permission = 'write', types = null } of grants) {
    idOf(
      await admin.post('/api/assignments', {
        userId: user.userId,
        domainId,
        subdomainPattern: pattern,
        permission,
        recordTypes: types,
      }),
    )
  }
  return user
}

const names = (rows: { name: string }[]) => rows.map(({ name }) => name).toSorted()

void t.test(
  'several assignments add up: seen is what any gives, changed what one for writing gives',
  async (t) => {
    const user = await holderOf(
      { permission: 'read' },
      { pattern: 'sum' },
      { pattern: '*.sum', types: ['TXT'] },
    )
    const records = { sum: 'A', 'a.sum': 'A', foreign: 'A' }
    for (const [name, type] of Object.entries(records)) await zone.add(type, name, '192.0.2.1')
    t.same(names((await user.get(url)).body.records), ['a.sum', 'foreign', 'sum'])
    const write = (name: string, recordType: string, value: string) =>
      user.post(url, { name, recordType, value })
    t.equal((await write('sum', 'AAAA', '2001:db8::1')).status, 201)
    t.equal((await write('a.sum', 'TXT', 'x')).status, 201)
    t.equal((await write('a.sum', 'A', '192.0.2.2')).status, 403)
    t.equal((await write('foreign', 'TXT', 'x')).status, 403)
    t.equal((await user.post(`${base}/sync?dryRun=true`)).status, 200, 'sees the whole zone')
    t.equal((await user.post(`${base}/sync`)).status, 403, 'and may not change the whole')
  },
)

void t.test('an underscore in a pattern stands for itself', async (t) => {
  const user = await holderOf({ pattern: '*._dk' })
  for (const name of ['sel._dk', 'sel.adk', '_dk']) await zone.add('TXT', name, 'key')
  t.same(names((await user.get(url)).body.records), ['sel._dk'])
  t.same(names((await user.get('/api/records/search?q=key')).body.records), ['sel._dk'])
  t.equal((await user.get(`${url}?limit=1`)).body.total, 1)
  t.equal((await user.get(base)).body.recordCount, 1)
  t.equal((await user.get('/api/domains')).body.domains[0].recordCount, 1)
  t.same((await user.get(`${base}/records/export`)).body.match(/^[a-z_.]+/gm), ['sel._dk'])
})

void t.test('a sync needs the whole zone with all types', async (t) => {
  const all = await holderOf({})
  t.equal((await all.post(`${base}/sync`)).status, 200)
  const some = await holderOf({ types: ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'TXT', 'SRV', 'CAA'] })
  t.equal((await some.post(`${base}/sync`)).status, 403)
})

void t.test('a record that the owner moves in or out shows only the side that is theirs', async (t) => {
  const user = await holderOf({ pattern: 'mine' })
  const { id } = await zone.add('A', 'elsewhere', '192.0.2.7')
  const before = new Date().toISOString()
  await admin.put(`${url}/${id}`, { name: 'mine' })
  const [into] = (await user.get(`${base}/changes`)).body.changes
  t.match(into, { itemCount: 1, items: [{ action: 'update', before: null, after: { name: 'mine' } }] })
  await admin.put(`${url}/${id}`, { name: 'elsewhere' })
  const [out] = (await user.get(`${base}/changes`)).body.changes
  t.match(out.items, [{ before: { name: 'mine' }, after: null }])
  for (const answer of [
    await user.post(`${base}/changes/${into.id}/revert`),
    await user.post(`${base}/changes/${out.id}/revert`),
  ]) {
    t.match(answer, { status: 403, body: { code: 'forbidden' } })
    t.notMatch(JSON.stringify(answer.body), /elsewhere/)
  }
  await admin.put(`${url}/${id}`, { name: 'mine' })
  const restore = await user.post(`${base}/restore`, { at: before, apply: true })
  t.match(restore, { status: 403, body: { code: 'forbidden' } })
  t.notMatch(JSON.stringify(restore.body), /elsewhere/)
  t.same(zone.there('mine', 'A'), ['192.0.2.7'])
  t.match(await user.get(`${base}/changes/${uuidv7()}`), { status: 404 })
})

void t.test('warnings do not tell which other names there are', async (t) => {
  const user = await holderOf({ pattern: '*.warn' })
  const point = (client: Client, name: string, value: string) =>
    client.post(url, { recordType: 'CNAME', name, value })
  t.match(await point(admin, 'a.warn', 'missing.example.com'), { body: { warnings: [/does not exist/] } })
  for (const [name, target] of [
    ['b.warn', 'missing.example.com'],
    ['c.warn', 'a.warn.example.com'],
  ] as const) {
    const { status, body } = await point(user, name, target)
    t.equal(status, 201)
    t.same(body.warnings, [])
  }
  t.match(await point(user, 'b.warn', 'x.example.net'), { status: 409, body: { record: { name: 'b.warn' } } })
})

void t.test('a change of hidden names under way keeps nobody waiting, nor tells of itself', async (t) => {
  const user = await holderOf({ pattern: 'free' })
  const { id } = await zone.add('A', 'busy', '192.0.2.8')
  const [change] = (await admin.get(`${base}/changes?limit=1`)).body.changes
  const lock = { domain_id: domainId, name: 'busy', change_id: change.id }
  await database.db.insertInto('name_locks').values(lock).execute()
  const began = Date.now()
  t.equal((await user.put(`${url}/${id}`, { ttl: 60 })).status, 404)
  t.equal((await user.post(url, { recordType: 'A', name: 'busy', value: '192.0.2.9' })).status, 403)
  t.ok(Date.now() - began < 5_000, 'it did not wait for the lock')
  await database.db.deleteFrom('name_locks').where('name', '=', 'busy').execute()
})

void t.test('who waited for the domain has the rights of after the wait', async (t) => {
  const user = await holderOf({ pattern: 'waits' })
  const { id } = await zone.add('A', 'waits', '192.0.2.8')
  const calls = zone.writes()
  const answers = await database.db.transaction().execute(async (trx) => {
    await trx.selectFrom('domains').select('id').where('id', '=', domainId).forNoKeyUpdate().execute()
    const waiting = [user.put(`${url}/${id}`, { ttl: 77 }), user.delete(`${url}/${id}`)]
    await new Promise((resolve) => setTimeout(resolve, 300))
    await trx.deleteFrom('assignments').where('user_id', '=', user.userId).execute()
    return waiting
  })
  for (const answer of await Promise.all(answers)) t.equal(answer.status, 404)
  t.equal(zone.writes(), calls, 'nothing went to the provider')
})

void t.test('a personal token narrows what was assigned, and never widens it', async (t) => {
  const user = await holderOf({ pattern: '*.tok' }, { pattern: 'tok' })
  for (const name of ['tok', 'a.tok', 'b.tok', 'nottok']) await zone.add('A', name, '192.0.2.1')
  await zone.add('TXT', 'a.tok', 'text')
  const program = async (restrictions: object) => {
    const permissions = ['records:read', 'records:write', 'domains:read']
    const { token } = (await user.post('/api/auth/me/tokens', { name: 'x', permissions, restrictions })).body
    const headers = { authorization: `Bearer ${token}` }
    const api = `/api/v1/domains/${domainId}/records`
    return {
      list: async () => names((await call(app, { url: api, headers })).body.records ?? []),
      total: async () => (await call(app, { url: `${api}?limit=1`, headers })).body.total as number,
      create: async (name: string, recordType: string, value: string) =>
        (await call(app, { method: 'POST', url: api, headers, payload: { name, recordType, value } })).status,
    }
  }
  const all = await program({ namePatterns: ['*'] })
  t.same(await all.list(), ['a.tok', 'a.tok', 'b.tok', 'tok'])
  t.equal(await all.total(), 4)
  t.equal(await all.create('nottok', 'A', '192.0.2.5'), 403)
  const some = await program({ namePatterns: ['a.tok', 'nottok'], recordTypes: ['A'] })
  t.same(await some.list(), ['a.tok'])
  t.equal(await some.total(), 1)
  t.equal(await some.create('nottok', 'A', '192.0.2.5'), 403)
  t.equal(await some.create('b.tok', 'A', '192.0.2.5'), 403)
  t.equal(await some.create('a.tok', 'TXT', 'no'), 403)
  t.equal(await some.create('a.tok', 'A', '192.0.2.5'), 201)
  const other = await program({ domainIds: [uuidv7()] })
  t.same(await other.list(), [])
})

void t.test('administrators have all rights, whatever they were assigned', async (t) => {
  await addUser('second-admin', 'admin')
  const second = await signIn('second-admin')
  const given = { userId: second.userId, domainId, subdomainPattern: 'app', permission: 'read' }
  t.equal((await admin.post('/api/assignments', given)).status, 201)
  const whole = (await admin.get(url)).body.total
  t.equal((await second.get(url)).body.total, whole)
  t.match(await second.get(base), { body: { access: 'admin', recordCount: whole } })
  t.equal((await second.post(url, { recordType: 'A', name: 'adm', value: '192.0.2.1' })).status, 201)
  t.equal((await second.get('/api/domains')).body.total, 1)
})

void t.test('who is deleted in that moment is assigned nothing, and told so', async (t) => {
  const user = await holderOf()
  const given = { userId: user.userId, domainId, permission: 'read' }
  const answer = await database.db.transaction().execute(async (trx) => {
    await trx.deleteFrom('users').where('id', '=', user.userId).execute()
    const pending = admin.post('/api/assignments', given)
    await until('the assignment waits for the deletion', async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(trx)
      return rows.length > 0
    })
    return { pending }
  })
  t.match(await answer.pending, { status: 409, body: { code: 'conflict' } })
})
