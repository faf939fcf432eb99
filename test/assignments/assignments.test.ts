import t from 'tap'
import { deleteLongEnded } from '../../modules/assignments/queries.ts'
import { startApp } from '../helpers/app.ts'
import { addDomain, addManual, idOf } from '../helpers/zone.ts'
import { hear } from '../helpers/events.ts'

const { app, admin, addUser, signIn, database } = await startApp(t)
for (const name of ['olga', 'anna', 'bert', 'mallory']) await addUser(name)
const [olga, anna, bert, mallory] = await Promise.all([
  signIn('olga'),
  signIn('anna'),
  signIn('bert'),
  signIn('mallory'),
])
const config = await addManual(olga)
const domain = await addDomain(olga, config, 'example.com', { notes: 'secret notes' })
const DAY = 24 * 3600 * 1000
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString()

const heard = hear(app, 'assignment.create', 'assignment.delete', 'domain.deleted')

const audited = async (action: string) =>
  (await admin.get(`/api/audit?action=${action}`)).body.entries as {
    actor: { name: string }
    target: { name: string }
    before: object | null
    after: object | null
  }[]

/** As if the time had passed. */
const endNow = (id: string, ago = '1 second') =>
  database.db
    .updateTable('assignments')
    .set({ expires_at: new Date(Date.now() - (ago === '1 second' ? 1000 : 91 * DAY)) })
    .where('id', '=', id)
    .execute()

void t.test('an owner gives, changes and takes back rights', async (t) => {
  await heard()
  const created = await olga.post('/api/assignments', {
    username: 'Anna',
    domainId: domain.id,
    subdomainPattern: '*.DEV',
    permission: 'write',
    recordTypes: ['A', 'TXT'],
    expiresAt: inDays(2),
  })
  t.equal(created.status, 201)
  const { id } = created.body
  t.equal(created.headers['location'], `/api/assignments/${id}`)
  t.match(created.body, {
    userId: anna.userId,
    username: 'anna',
    domainId: domain.id,
    domainName: 'example.com',
    subdomainPattern: '*.dev',
    type: 'subdomain',
    host: '*.dev.example.com',
    permission: 'write',
    recordTypes: ['A', 'TXT'],
    createdBy: olga.userId,
  })
  const metadata = {
    type: 'subdomain',
    domainId: domain.id,
    domainName: 'example.com',
    subdomainPattern: '*.dev',
    host: '*.dev.example.com',
    username: 'anna',
  }
  const told = { metadata, actorId: olga.userId, userIds: [anna.userId] }
  t.match(await heard(), [{ name: 'assignment.create', payload: told }])
  t.match(await audited('assignment.created'), [
    {
      actor: { name: 'olga' },
      target: { name: '*.dev.example.com' },
      after: { username: 'anna', permission: 'write' },
    },
  ])

  t.same((await anna.get(`/api/assignments/${id}`)).body, created.body, 'who has it sees it')
  const changed = await olga.put(`/api/assignments/${id}`, {
    ...created.body,
    permission: 'read',
    recordTypes: null,
    expiresAt: null,
  })
  t.match(changed, { status: 200, body: { id, permission: 'read', recordTypes: null, expiresAt: null } })
  t.match(await audited('assignment.updated'), [
    { before: { permission: 'write' }, after: { permission: 'read' } },
  ])

  await heard()
  t.equal((await olga.delete(`/api/assignments/${id}`)).status, 204)
  t.match(await heard(), [{ name: 'assignment.delete', payload: told }])
  t.equal((await audited('assignment.deleted')).length, 1)
  t.equal((await olga.get(`/api/assignments/${id}`)).status, 404)
  t.equal((await anna.get(`/api/domains/${domain.id}`)).status, 404, 'gone on the next request')
})

void t.test('hosts of the patterns', async (t) => {
  for (const [pattern, type, host] of [
    [undefined, 'domain', 'example.com'],
    ['@', 'subdomain', 'example.com'],
    ['app', 'subdomain', 'app.example.com'],
    ['*.dev', 'subdomain', '*.dev.example.com'],
  ]) {
    const body = { userId: bert.userId, domainId: domain.id, subdomainPattern: pattern, permission: 'read' }
    const { status, body: made } = await admin.post('/api/assignments', body)
    t.equal(status, 201)
    t.match(made, { subdomainPattern: pattern ?? '*', type, host, recordTypes: null, expiresAt: null })
    await admin.delete(`/api/assignments/${made.id}`)
  }
})

void t.test('what is wrong says where', async (t) => {
  const body = { userId: anna.userId, domainId: domain.id, permission: 'read' }
  for (const [wrong, path] of [
    [{ permission: 'admin' }, '/permission'],
    [{ subdomainPattern: 'a.*' }, '/subdomainPattern'],
    [{ subdomainPattern: 'app.example.com' }, '/subdomainPattern'],
    [{ subdomainPattern: '*.example.com' }, '/subdomainPattern'],
    [{ subdomainPattern: 7 }, '/subdomainPattern'],
    [{ expiresAt: inDays(-1) }, '/expiresAt'],
    [{ recordTypes: [] }, '/recordTypes'],
    [{ recordTypes: ['SOA'] }, '/recordTypes/0'],
    [{ userId: domain.id }, '/userId'],
    [{ userId: undefined }, '/userId'],
    [{ userId: undefined, username: 'nobody' }, '/username'],
    [{ username: 'bert' }, '/username'],
  ] as const) {
    const answer = await olga.post('/api/assignments', { ...body, ...wrong })
    t.match(answer, { status: 400, body: { errors: [{ path }] } }, JSON.stringify(wrong))
  }
  t.match(
    await olga.post('/api/assignments', { ...body, userId: olga.userId }),
    { status: 409 },
    'the owner has all',
  )
  t.match(await olga.post('/api/assignments', { ...body, domainId: anna.userId }), { status: 404 })
})

void t.test('one for each user, domain and pattern; one that ended is no hindrance', async (t) => {
  const body = { userId: anna.userId, domainId: domain.id, subdomainPattern: 'once', permission: 'read' }
  const answers = await Promise.all([
    olga.post('/api/assignments', body),
    admin.post('/api/assignments', body),
  ])
  t.same(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [201, 409],
  )
  const id = answers.find(({ status }) => status === 201)?.body.id as string
  await endNow(id)
  t.match(await olga.get(`/api/assignments/${id}`), { status: 200 }, 'still to be seen')
  const again = await olga.post('/api/assignments', body)
  t.equal(again.status, 201)
  t.equal((await olga.get(`/api/assignments/${id}`)).status, 404)

  await endNow(again.body.id)
  const past = (await olga.get(`/api/assignments/${again.body.id}`)).body
  const put = await olga.put(`/api/assignments/${again.body.id}`, { ...past, permission: 'write' })
  t.match(
    put,
    { status: 200, body: { permission: 'write', expiresAt: past.expiresAt } },
    'its past end stays',
  )
  await deleteLongEnded(database.db)
  t.equal((await olga.get(`/api/assignments/${again.body.id}`)).status, 200)
  await endNow(again.body.id, 'long')
  await deleteLongEnded(database.db)
  t.equal((await olga.get(`/api/assignments/${again.body.id}`)).status, 404)
})

void t.test('who, which domain and what part of it stay for life', async (t) => {
  const body = { userId: anna.userId, domainId: domain.id, subdomainPattern: 'fixed', permission: 'read' }
  const id = idOf(await olga.post('/api/assignments', body))
  for (const [field, value] of [
    ['userId', bert.userId],
    ['domainId', bert.userId],
    ['subdomainPattern', '*'],
  ] as const) {
    const answer = await olga.put(`/api/assignments/${id}`, { ...body, [field]: value })
    t.match(answer, { status: 400, body: { errors: [{ path: `/${field}` }] } })
  }
  t.match(await olga.put(`/api/assignments/${id}`, { expiresAt: inDays(-1) }), { status: 400 })
  t.match(await olga.put(`/api/assignments/${id}`, { nothing: 1 }), { status: 400 })
  await olga.delete(`/api/assignments/${id}`)
})

void t.test('others neither see nor give rights on it', async (t) => {
  const body = { userId: mallory.userId, domainId: domain.id, permission: 'write' }
  t.equal((await mallory.post('/api/assignments', body)).status, 404, 'a domain that they do not see')
  const id = idOf(await olga.post('/api/assignments', { ...body, userId: anna.userId }))
  t.equal((await anna.post('/api/assignments', body)).status, 403, 'who was assigned it can not pass it on')
  t.equal((await anna.put(`/api/assignments/${id}`, { permission: 'write' })).status, 403)
  for (const answer of [
    await mallory.get(`/api/assignments/${id}`),
    await mallory.put(`/api/assignments/${id}`, { permission: 'write' }),
    await mallory.delete(`/api/assignments/${id}`),
  ]) {
    t.match(answer, { status: 404, body: { code: 'not_found' } })
    t.notMatch(JSON.stringify(answer.body), /example\.com|anna/)
  }
  const other = await addDomain(admin, await addManual(admin), 'other.example')
  const foreign = idOf(
    await admin.post('/api/assignments', { ...body, domainId: other.id, userId: anna.userId }),
  )
  const idsFor = async (client: typeof anna, query = '') => {
    const { body: page } = await client.get(`/api/assignments?limit=100${query}`)
    t.equal(page.total, page.assignments.length)
    return (page.assignments as { id: string }[]).map((row) => row.id)
  }
  t.same(await idsFor(anna), [foreign, id], 'newest first')
  t.same(await idsFor(olga), [id])
  t.same(await idsFor(mallory), [])
  t.same(await idsFor(admin), [foreign, id])
  t.same(await idsFor(admin, `&domainId=${domain.id}`), [id])
  t.same(await idsFor(admin, `&userId=${bert.userId}`), [])
  t.match((await admin.get('/api/assignments?limit=1&page=2')).body, {
    assignments: [{ id }],
    total: 2,
    page: 2,
  })
  await Promise.all([olga.delete(`/api/assignments/${id}`), admin.delete(`/api/assignments/${foreign}`)])
})

void t.test('who has a part sees the domain without notes, and counts of that part', async (t) => {
  const records = `/api/domains/${domain.id}/records`
  for (const name of ['@', 'app', 'a.dev', 'dev']) {
    await olga.post(records, { recordType: 'A', name, value: '192.0.2.1' })
  }
  const give = async (more: object) =>
    idOf(
      await olga.post('/api/assignments', {
        userId: anna.userId,
        domainId: domain.id,
        permission: 'read',
        ...more,
      }),
    )
  const part = await give({ subdomainPattern: '*.dev' })
  const seen = async () => {
    const [{ body: one }, { body: list }] = await Promise.all([
      anna.get(`/api/domains/${domain.id}`),
      anna.get('/api/domains'),
    ])
    t.equal(list.total, 1)
    t.equal(list.domains[0].recordCount, one.recordCount)
    return { access: one.access, notes: one.notes, recordCount: one.recordCount }
  }
  t.same(await seen(), { access: 'read', notes: '', recordCount: 1 })
  const more = await give({ subdomainPattern: 'app', permission: 'write' })
  t.same(await seen(), { access: 'write', notes: '', recordCount: 2 })
  const whole = await give({})
  t.same(await seen(), { access: 'write', notes: 'secret notes', recordCount: 4 })
  t.match(await olga.get(`/api/domains/${domain.id}`), { body: { access: 'owner', recordCount: 4 } })
  t.match(await admin.get(`/api/domains/${domain.id}`), { body: { access: 'admin', recordCount: 4 } })
  for (const id of [part, more, whole]) await olga.delete(`/api/assignments/${id}`)
})

void t.test('lists, totals, groups and tags have what is assigned, in order', async (t) => {
  const own = await addManual(bert)
  for (const name of ['b.example', 'd.example']) await addDomain(bert, own, name, { groupName: 'mine' })
  const given: string[] = []
  for (const name of ['a.example', 'c.example', 'e.example']) {
    const { id } = await addDomain(olga, config, name, { groupName: 'given', tags: ['web'] })
    given.push(id)
  }
  const list = async (query = '') => {
    const { body } = await bert.get(`/api/domains?${query}`)
    return [body.total, ...(body.domains as { name: string }[]).map(({ name }) => name)]
  }
  t.same(await list(), [2, 'b.example', 'd.example'])
  t.same(await list('search=example&limit=1'), [2, 'b.example'], 'remembers a total')
  const ids: string[] = []
  for (const domainId of given) {
    const body = { userId: bert.userId, domainId, permission: 'read', subdomainPattern: 'app' }
    ids.push(idOf(await olga.post('/api/assignments', body)))
  }
  t.same(await list(), [5, 'a.example', 'b.example', 'c.example', 'd.example', 'e.example'])
  t.same(await list('limit=2&page=2'), [5, 'c.example', 'd.example'])
  t.same(await list('order=desc&limit=2'), [5, 'e.example', 'd.example'])
  t.same(await list('sort=recordCount&limit=1&page=5'), [5, 'e.example'])
  t.same(await list('search=example&limit=1'), [5, 'a.example'], 'a remembered total is not taken for right')
  t.same(await list('group=given&limit=2'), [3, 'a.example', 'c.example'])
  t.same(await list('tag=web&status=active&limit=2'), [3, 'a.example', 'c.example'])
  t.same((await bert.get('/api/domains/groups')).body.groups, [
    { name: 'given', count: 3 },
    { name: 'mine', count: 2 },
  ])
  t.same((await bert.get('/api/domains/tags')).body.tags, [{ name: 'web', count: 3 }])

  await olga.put(`/api/domains/${given[0]}`, { groupName: 'mine' })
  t.same(await list('group=given&limit=1'), [2, 'c.example'], 'changed by its owner')
  t.same(await list('group=mine&limit=1'), [3, 'a.example'])
  await endNow(ids[1] as string)
  t.same(await list(), [4, 'a.example', 'b.example', 'd.example', 'e.example'])
  await olga.delete(`/api/assignments/${ids[2]}`)
  t.same(await list(), [3, 'a.example', 'b.example', 'd.example'])
  t.same(await list('search=example&limit=1'), [3, 'a.example'])

  await heard()
  await olga.delete(`/api/domains/${given[0]}`)
  t.same(await list(), [2, 'b.example', 'd.example'])
  t.same(await list('search=example&limit=1'), [2, 'b.example'])
  const [deleted] = await heard()
  t.match(deleted, { name: 'domain.deleted', payload: { actorId: olga.userId } })
  const { userIds = [] } = deleted?.payload ?? {}
  t.same(userIds.toSorted(), [bert.userId, olga.userId].toSorted(), 'owner and assignees hear of it')
})

void t.test('a total that was remembered ends with the assignment', async (t) => {
  const short = await addDomain(olga, config, 'short.example')
  const body = { userId: anna.userId, domainId: short.id, permission: 'read' }
  const id = idOf(await olga.post('/api/assignments', body))
  const soon = new Date(Date.now() + 700)
  await olga.put(`/api/assignments/${id}`, { expiresAt: soon.toISOString() })
  const total = async () => (await anna.get('/api/domains?search=short&page=9')).body.total
  t.equal(await total(), 1)
  await new Promise((resolve) => setTimeout(resolve, soon.getTime() - Date.now() + 50))
  t.equal(await total(), 0)
})

void t.test(
  'a user who goes takes along what they had, and their domains keep their assignees',
  async (t) => {
    await addUser('gone')
    const gone = await signIn('gone')
    const theirs = await addDomain(gone, await addManual(gone), 'theirs.example')
    const give = (domainId: string, userId: string) =>
      admin.post('/api/assignments', { userId, domainId, permission: 'read' })
    const [lost, kept] = [idOf(await give(domain.id, gone.userId)), idOf(await give(theirs.id, anna.userId))]
    const total = async () => (await anna.get('/api/domains?search=theirs&limit=1')).body.total
    t.equal(await total(), 1)
    t.equal((await admin.delete(`/api/users/${gone.userId}?transferTo=${olga.userId}`)).status, 204)
    t.equal((await admin.get(`/api/assignments/${lost}`)).status, 404)
    t.match(await admin.get(`/api/assignments/${kept}`), { status: 200 })
    t.equal(await total(), 1)
    t.equal((await olga.get('/api/domains?search=theirs&limit=1')).body.total, 1)
  },
)
