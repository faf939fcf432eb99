import { sql } from 'kysely'
import t from 'tap'
import type { Answer, Client } from '../../../helpers/app.ts'
import { until } from '../../../helpers/until.ts'
import { addDomain, addManual, startZone } from '../../../helpers/zone.ts'

const zone = await startZone(t)
const { admin, database, domainId, url } = zone
const { db } = database
const manual = await addManual(admin)
await Promise.all([zone.addUser('ada'), zone.addUser('bob')])
const [ada, bob] = await Promise.all([zone.signIn('ada'), zone.signIn('bob')])

let keys = 0
const newKey = () => `recovery-${keys++}`

const post = (who: Client, path: string, key: string, body: unknown) =>
  who.post(path, body, { headers: { 'idempotency-key': key } })

/** As the death of an instance leaves the key: the work is committed, and its answer was never stored. */
const loseAnswer = (key: string) =>
  sql`
    update idempotency_keys set status = null, headers = null, body = null, lease_until = now() - interval '1 second'
    where key = ${key}
  `.execute(db)

const auditRows = async () =>
  (
    await db
      .selectFrom('audit')
      .select(sql<number>`count(*)::int`.as('n'))
      .executeTakeFirstOrThrow()
  ).n

const unfinished = async () =>
  (await db.selectFrom('operations').select('id').where('state', '<>', 'finished').execute()).length

const shown = ({ status, body, headers }: Answer) => ({ status, body, location: headers['location'] })

interface Case {
  who?: Client
  path: string
  body?: unknown
  status: number
}

/** Each of what POST can change, with what is needed before. */
const CASES: Record<string, () => Promise<Case> | Case> = {
  'a user': () => ({
    path: '/api/users',
    body: { username: 'carol', password: 'a long password', role: 'member' },
    status: 201,
  }),
  'an identity provider': () => ({
    path: '/api/oauth/providers',
    body: { providerId: 'codehost_a', clientId: 'id', clientSecret: 'secret' },
    status: 201,
  }),
  'a provider connection': () => ({
    path: '/api/provider-configs',
    body: { providerId: '0192f0a0-0000-7000-8000-000000000001', name: 'second' },
    status: 201,
  }),
  'a domain': () => ({
    path: '/api/domains',
    body: { name: 'once.example', providerConfigId: manual },
    status: 201,
  }),
  'several domains': () => ({
    path: '/api/domains/import',
    body: { providerConfigId: manual, zones: ['one.example', 'two.example'] },
    status: 200,
  }),
  'a record': () => ({
    path: url,
    body: { recordType: 'A', name: 'www', value: '192.0.2.1' },
    status: 201,
  }),
  'several records': () => ({
    path: `${url}/bulk`,
    body: {
      records: [
        { recordType: 'A', name: 'bulk', value: '192.0.2.1' },
        { recordType: 'A', name: 'bulk', value: 'none' },
        { recordType: 'CNAME', name: 'bulk', value: 'elsewhere.example.' },
        { recordType: 'A', name: 'bulk2', value: '192.0.2.2' },
      ],
    },
    status: 200,
  }),
  changes: () => ({
    path: `${url}/apply`,
    body: { changes: [{ action: 'create', recordType: 'A', name: 'applied', value: '192.0.2.1' }] },
    status: 200,
  }),
  'a kept plan': async () => {
    const changes = [{ action: 'create', recordType: 'A', name: 'kept', value: '192.0.2.1' }]
    const { body } = await admin.post(`${url}/plan`, { changes, keep: true })
    return { path: `${url}/apply`, body: { planId: body.planId }, status: 200 }
  },
  'a zone file': () => ({
    path: `${url}/import`,
    body: { zonefile: 'file 300 IN A 192.0.2.1\n', mode: 'merge' },
    status: 200,
  }),
  'a revert': async () => {
    const changes = [{ action: 'create', recordType: 'A', name: 'reverted', value: '192.0.2.1' }]
    const { body } = await admin.post(`${url}/apply`, { changes })
    return { path: `/api/domains/${domainId}/changes/${body.changeId}/revert`, status: 200 }
  },
  'a restore': async () => {
    const { rows } = await sql<{ at: Date }>`select now() as at`.execute(db)
    await zone.add('A', 'restored', '192.0.2.1')
    const at = (rows[0] as { at: Date }).at.toISOString()
    return { path: `/api/domains/${domainId}/restore`, body: { at, apply: true }, status: 200 }
  },
  'a large change': async () => {
    const changes = [{ action: 'create', recordType: 'A', name: 'before', value: '203.0.113.9' }]
    await admin.post(`${url}/apply`, { changes })
    const find = { type: 'A', value: '203.0.113.9' }
    const replacement = { find, replaceWith: { value: '203.0.113.10' } }
    const { body, status } = await admin.post('/api/records/replace', replacement)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return { path: '/api/records/replace/apply', body: { planId: body.planId }, status: 202 }
  },
  'a template': () => ({
    path: '/api/templates',
    body: { name: 'mine', records: [{ recordType: 'A', name: '@', value: '192.0.2.1' }] },
    status: 201,
  }),
  'an assignment': () => ({
    path: '/api/assignments',
    body: { userId: ada.userId, domainId, permission: 'read', subdomainPattern: 'ada' },
    status: 201,
  }),
  'a request': () => ({
    who: bob,
    path: '/api/assignments/requests',
    body: { domain: domainId, permission: 'read', reason: 'work' },
    status: 201,
  }),
  'an approval': async () => ({
    path: `/api/assignments/requests/${await asked('approved')}/approve`,
    body: {},
    status: 200,
  }),
  'a refusal': async () => ({
    path: `/api/assignments/requests/${await asked('refused')}/reject`,
    body: { reason: 'no' },
    status: 200,
  }),
  'a withdrawal': async () => ({
    who: bob,
    path: `/api/assignments/requests/${await asked('withdrawn')}/cancel`,
    status: 200,
  }),
  'a channel': () => ({
    path: '/api/notifications',
    body: { channel: 'webhook', name: 'hook', config: { url: 'http://127.0.0.1:9/' }, events: [] },
    status: 201,
  }),
  'a transfer': async () => {
    const given = await addDomain(admin, manual, 'given.example')
    return { path: `/api/domains/${given.id}/transfer`, body: { userId: ada.userId }, status: 204 }
  },
  'an offered transfer': async () => {
    const given = await addDomain(bob, await addManual(bob), 'offered.example')
    return { who: bob, path: `/api/domains/${given.id}/transfer`, body: { userId: ada.userId }, status: 202 }
  },
  'a switch': async () => {
    const { id } = await addDomain(admin, manual, 'moved.example')
    const to = await addManual(admin, 'other')
    return { path: `/api/domains/${id}/switch`, body: { providerConfigId: to }, status: 200 }
  },
}

async function asked(subdomainPattern: string): Promise<string> {
  const body = { domain: domainId, permission: 'read', reason: 'work', subdomainPattern }
  return (await bob.post('/api/assignments/requests', body)).body.id
}

for (const [name, prepare] of Object.entries(CASES)) {
  void t.test(
    `${name}: a repeat after a lost answer gets the first result, and nothing is done again`,
    async (t) => {
      const { who = admin, path, body, status } = await prepare()
      const key = newKey()
      const first = await post(who, path, key, body)
      t.equal(first.status, status, JSON.stringify(first.body))
      await until('no operation runs', async () => (await unfinished()) === 0)
      const [audited, writes] = [await auditRows(), zone.writes()]
      await loseAnswer(key)
      const repeat = await post(who, path, key, body)
      t.same(shown(repeat), shown(first))
      t.equal(repeat.headers['idempotency-replayed'], 'true')
      t.same(shown(await post(who, path, key, body)), shown(first), 'and so does another')
      t.equal(await auditRows(), audited, 'nothing is done again')
      t.equal(zone.writes(), writes)
    },
  )
}

/** From now on until `heal` no answer of a key can be stored. */
async function breakAnswers() {
  await sql`create function refuse_answers() returns trigger language plpgsql as
    'begin raise exception using errcode = ''57P01'', message = ''terminating''; end'`.execute(db)
  await sql`create trigger refuse_answers before update on idempotency_keys for each row
    when (new.status is not null) execute function refuse_answers()`.execute(db)
  return () => sql`drop function if exists refuse_answers cascade`.execute(db)
}

void t.test('an answer that can not be stored is given all the same', async (t) => {
  const heal = await breakAnswers()
  t.teardown(heal)
  const key = newKey()
  const body = { name: 'unstored', channel: 'webhook', config: { url: 'http://127.0.0.1:9/' }, events: [] }
  const first = await post(admin, '/api/notifications', key, body)
  t.equal(first.status, 201)
  const refused = await post(admin, '/api/notifications', newKey(), { ...body, name: '' })
  t.match(refused, { status: 400, body: { code: 'validation_failed' } })
  await heal()
  await loseAnswer(key)
  t.same(shown(await post(admin, '/api/notifications', key, body)), shown(first))
})

void t.test('while the outcome of the change is not known, a repeat waits for it', async (t) => {
  const key = newKey()
  const body = { recordType: 'A', name: 'pending', value: '192.0.2.1' }
  const first = await post(admin, url, key, body)
  const change = () => db.updateTable('changes').where('id', '=', changeId)
  const { body: history } = await admin.get(`/api/domains/${domainId}/changes?limit=1`)
  const changeId = history.changes[0].id as string
  await loseAnswer(key)
  await change().set({ status: 'pending' }).execute()
  t.match(await post(admin, url, key, body), {
    status: 409,
    body: { reason: 'first_request_under_way', changeId },
    headers: { 'retry-after': String },
  })
  await change().set({ status: 'partial' }).execute()
  t.match(await post(admin, url, key, body), { status: 409, body: { reason: 'partly_done', changeId } })
  await change().set({ status: 'applied' }).execute()
  t.same(shown(await post(admin, url, key, body)), shown(first))
})

void t.test('a change that did nothing is done by the repeat', async (t) => {
  const key = newKey()
  const body = { recordType: 'A', name: 'refused', value: '192.0.2.1' }
  zone.fake.fail({ on: 'write', kind: 'answer', answer: { status: 422, body: '{"error":"no"}' } })
  t.equal((await post(admin, url, key, body)).status, 502)
  zone.fake.heal()
  const again = await post(admin, url, key, body)
  t.equal(again.status, 201)
  t.notOk('idempotency-replayed' in again.headers)
  await loseAnswer(key)
  t.same(shown(await post(admin, url, key, body)), shown(again))
  t.same(zone.there('refused', 'A'), ['192.0.2.1'])
})

void t.test('who has lost the key to a repeat does nothing', async (t) => {
  const key = newKey()
  let go = () => {}
  zone.fake.fail({ on: 'read', kind: 'late', until: () => new Promise<void>((resolve) => (go = resolve)) })
  zone.fake.createZone('slow.example')
  const body = { name: 'slow.example', providerConfigId: zone.configId }
  const slow = post(admin, '/api/domains', key, body)
  await until('it asks the provider', () => zone.fake.requests.at(-1)?.target.includes('slow.example'))
  zone.fake.heal()
  await loseAnswer(key)
  const repeat = await post(admin, '/api/domains', key, body)
  t.equal(repeat.status, 201)
  go()
  t.match(await slow, { status: 409 }, 'the domain is there by now')
  const { body: list } = await admin.get('/api/domains?search=slow.example')
  t.equal(list.total, 1)
  t.same(shown(await post(admin, '/api/domains', key, body)), shown(repeat))
})

void t.test('nothing is repeated to who may no longer see it', async (t) => {
  const grace = await zone.addUser('grace').then(() => zone.signIn('grace'))
  const give = (subdomainPattern: string) =>
    admin.post('/api/assignments', { userId: grace.userId, domainId, permission: 'write', subdomainPattern })
  const { body: assignment } = await give('*.grace')
  const body = { recordType: 'A', name: 'a.grace', value: '192.0.2.1' }
  const [stored, lost] = [newKey(), newKey()]
  const first = await post(grace, url, stored, body)
  await post(grace, url, lost, { ...body, name: 'b.grace' })
  await loseAnswer(lost)
  t.same(shown(await post(grace, url, stored, body)), shown(first))

  await admin.put(`/api/assignments/${assignment.id}`, { permission: 'read' })
  t.equal((await post(grace, url, stored, body)).status, 403, 'who may only read by now')
  t.equal((await post(grace, url, lost, { ...body, name: 'b.grace' })).status, 403)
  await give('other')
  await admin.delete(`/api/assignments/${assignment.id}`)
  t.equal((await post(grace, url, stored, body)).status, 403, 'who sees other names by now')
  const { body: more } = await give('*.grace')
  t.equal((await post(grace, url, stored, body)).status, 403, 'of which not all were seen then')
  await admin.delete(`/api/assignments/${more.id}`)
  const { body: all } = await give('*')
  t.same(shown(await post(grace, url, stored, body)), shown(first), 'who sees everything sees it again')
  t.equal((await post(grace, url, lost, { ...body, name: 'b.grace' })).status, 201)
  await admin.delete(`/api/assignments/${all.id}`)
  await sql`delete from assignments where user_id = ${grace.userId}`.execute(db)
  t.equal((await post(grace, url, stored, body)).status, 404, 'who does not see the domain')
})
