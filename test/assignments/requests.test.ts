import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { addDomain, addManual, idOf } from '../helpers/zone.ts'
import { hear } from '../helpers/events.ts'

const { app, admin, addUser, signIn } = await startApp(t)
for (const name of ['olga', 'anna', 'mallory']) await addUser(name)
const [olga, anna, mallory] = await Promise.all([signIn('olga'), signIn('anna'), signIn('mallory')])
const domain = await addDomain(olga, await addManual(olga), 'example.com')
const REQUESTS = '/api/assignments/requests'

const heard = hear(app, 'assignment.create', 'assignment.request', 'assignment.approve', 'assignment.reject')

const ask = (more: object = {}) =>
  anna.post(REQUESTS, { domain: 'example.com', permission: 'write', reason: 'I run it', ...more })
const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString()

void t.test('asked, approved as it is, and in force', async (t) => {
  await heard()
  const asked = await ask({ domain: 'EXAMPLE.com.', subdomainPattern: '*.dev' })
  t.equal(asked.status, 201)
  t.equal(asked.headers['location'], `${REQUESTS}/${asked.body.id}`)
  t.match(asked.body, {
    userId: anna.userId,
    username: 'anna',
    domainId: domain.id,
    type: 'subdomain',
    host: '*.dev.example.com',
    permission: 'write',
    reason: 'I run it',
    status: 'pending',
    decidedBy: null,
    decidedAt: null,
    assignmentId: null,
  })
  t.equal((await anna.get(`/api/domains/${domain.id}`)).status, 404, 'asking gives nothing')
  const approved = await admin.post(`${REQUESTS}/${asked.body.id}/approve`)
  t.match(approved, {
    status: 200,
    body: { status: 'approved', decidedBy: admin.userId, decisionReason: null },
  })
  t.match((await admin.get(`/api/assignments/${approved.body.assignmentId}`)).body, {
    userId: anna.userId,
    subdomainPattern: '*.dev',
    permission: 'write',
    recordTypes: null,
    expiresAt: null,
    createdBy: admin.userId,
  })
  t.match(await anna.get(`/api/domains/${domain.id}`), { status: 200, body: { access: 'write' } })
  const metadata = {
    type: 'subdomain',
    domainId: domain.id,
    domainName: 'example.com',
    subdomainPattern: '*.dev',
    host: '*.dev.example.com',
    username: 'anna',
  }
  t.match(await heard(), [
    { name: 'assignment.request', payload: { metadata, actorId: anna.userId, userIds: [anna.userId] } },
    { name: 'assignment.approve', payload: { metadata, actorId: admin.userId, userIds: [anna.userId] } },
  ])
  for (const action of ['assignment.requested', 'assignment.approved']) {
    t.equal((await admin.get(`/api/audit?action=${action}`)).body.total, 1, action)
  }
  t.match(await ask({ subdomainPattern: 'x.dev' }), { status: 409 }, 'what they have already')
})

void t.test('rejected with a reason, cancelled by who asked', async (t) => {
  await heard()
  const first = (await ask({ subdomainPattern: 'no' })).body
  t.match(await admin.post(`${REQUESTS}/${first.id}/reject`, { reason: '  ' }), { status: 400 })
  t.match(await admin.post(`${REQUESTS}/${first.id}/reject`, { reason: 'x'.repeat(1001) }), { status: 400 })
  const rejected = await admin.post(`${REQUESTS}/${first.id}/reject`, { reason: 'not yours' })
  t.match(rejected, {
    status: 200,
    body: { status: 'rejected', decisionReason: 'not yours', assignmentId: null },
  })
  t.match((await heard()).at(-1), {
    name: 'assignment.reject',
    payload: { userIds: [anna.userId], actorId: admin.userId },
  })

  const second = (await ask({ subdomainPattern: 'no' })).body
  t.ok(second.id, 'after a decision one may ask again')
  t.equal((await mallory.post(`${REQUESTS}/${second.id}/cancel`)).status, 404)
  t.equal((await admin.post(`${REQUESTS}/${second.id}/cancel`)).status, 403)
  t.match(await anna.post(`${REQUESTS}/${second.id}/cancel`), { status: 200, body: { status: 'cancelled' } })
  for (const id of [first.id, second.id]) {
    t.match(await admin.post(`${REQUESTS}/${id}/approve`), { status: 409 }, 'decided is decided')
    t.match(await admin.post(`${REQUESTS}/${id}/reject`, { reason: 'no' }), { status: 409 })
    t.match(await anna.post(`${REQUESTS}/${id}/cancel`), { status: 409 })
  }
  t.equal((await anna.get('/api/assignments')).body.total, 1, 'nothing came of them')
})

void t.test('one is open for each user, domain and pattern; one decision counts', async (t) => {
  const both = await Promise.all([ask({ subdomainPattern: 'twice' }), ask({ subdomainPattern: 'twice' })])
  t.same(
    both.map(({ status }) => status).sort((a, b) => a - b),
    [201, 409],
  )
  const id = both.find(({ status }) => status === 201)?.body.id as string
  const decided = await Promise.all([
    admin.post(`${REQUESTS}/${id}/approve`),
    admin.post(`${REQUESTS}/${id}/reject`, { reason: 'no' }),
    anna.post(`${REQUESTS}/${id}/cancel`),
    admin.post(`${REQUESTS}/${id}/approve`),
  ])
  t.equal(decided.filter(({ status }) => status === 200).length, 1)
  t.equal(decided.filter(({ status }) => status === 409).length, 3)
  const winner = decided.find(({ status }) => status === 200)?.body
  t.equal((await admin.get(`${REQUESTS}/${id}`)).body.status, winner.status)
})

void t.test('one may ask again and again', async (t) => {
  // More often than the database plans a statement anew for its parameters.
  for (let i = 0; i < 15; i++) {
    const asked = await ask({ subdomainPattern: 'again' })
    t.equal(asked.status, 201)
    t.equal((await anna.post(`${REQUESTS}/${asked.body.id}/cancel`)).status, 200)
  }
})

void t.test('an approval may give less, never more', async (t) => {
  const { body: asked } = await ask({ subdomainPattern: '*.lab', permission: 'read' })
  const approve = (body: object) => admin.post(`${REQUESTS}/${asked.id}/approve`, body)
  for (const [body, path] of [
    [{ subdomainPattern: '*' }, '/subdomainPattern'],
    [{ subdomainPattern: 'lab' }, '/subdomainPattern'],
    [{ subdomainPattern: 'a.other' }, '/subdomainPattern'],
    [{ permission: 'write' }, '/permission'],
    [{ expiresAt: inDays(-1) }, '/expiresAt'],
  ] as const) {
    t.match(await approve(body), { status: 400, body: { errors: [{ path }] } }, JSON.stringify(body))
  }
  t.equal((await admin.get(`${REQUESTS}/${asked.id}`)).body.status, 'pending')
  const given = { subdomainPattern: '*.a.lab', recordTypes: ['TXT'], expiresAt: inDays(3) }
  const { body: approved } = await approve(given)
  t.match((await admin.get(`/api/assignments/${approved.assignmentId}`)).body, {
    ...given,
    permission: 'read',
  })

  const { body: wider } = await ask({ subdomainPattern: '*.a.lab' })
  const { body: raised } = await admin.post(`${REQUESTS}/${wider.id}/approve`, {})
  t.equal(raised.assignmentId, approved.assignmentId, 'it takes the place of what was there')
  t.match((await admin.get(`/api/assignments/${raised.assignmentId}`)).body, {
    permission: 'write',
    recordTypes: null,
    expiresAt: null,
  })
})

void t.test('who decides, who sees', async (t) => {
  const { body: asked } = await ask({ subdomainPattern: 'who' })
  for (const client of [anna, olga, mallory]) {
    t.equal((await client.post(`${REQUESTS}/${asked.id}/approve`)).status, 403)
    t.equal((await client.post(`${REQUESTS}/${asked.id}/reject`, { reason: 'no' })).status, 403)
  }
  t.equal((await mallory.get(`${REQUESTS}/${asked.id}`)).status, 404)
  t.match(await mallory.get(REQUESTS), { status: 200, body: { requests: { length: 0 }, total: 0 } })
  const mine = (await anna.get(`${REQUESTS}?limit=100`)).body
  t.equal(mine.requests[0].id, asked.id, 'newest first')
  t.equal(mine.total, mine.requests.length)
  t.equal((await admin.get(REQUESTS)).body.total, mine.total)
  t.match((await admin.get(`${REQUESTS}?status=pending`)).body, { requests: [{ id: asked.id }], total: 1 })
  t.match(await admin.get(`${REQUESTS}?status=open`), { status: 400 })
  await anna.post(`${REQUESTS}/${asked.id}/cancel`)
})

void t.test('what can not be asked for', async (t) => {
  const body = { domain: domain.id, permission: 'write', reason: 'why not' }
  t.match(await olga.post(REQUESTS, body), { status: 409 }, 'the owner has all')
  t.match(await admin.post(REQUESTS, body), { status: 409 }, 'so have administrators')
  t.match(await ask({ domain: 'nowhere.example' }), { status: 404 })
  t.match(await ask({ domain: anna.userId }), { status: 404 })
  for (const [wrong, path] of [
    [{ domain: 'a b' }, '/domain'],
    [{ subdomainPattern: '*.' }, '/subdomainPattern'],
    [{ reason: '' }, '/reason'],
    [{ permission: 'own' }, '/permission'],
  ] as const) {
    t.match(await ask(wrong), { status: 400, body: { errors: [{ path }] } }, path)
  }
  const twin = await addDomain(admin, await addManual(admin, 'second'), 'example.com')
  t.match(await ask({ subdomainPattern: 'which' }), { status: 409, body: { detail: /id/ } })
  const exact = await ask({ domain: twin.id.toUpperCase(), subdomainPattern: 'which' })
  t.match(exact, { status: 201, body: { domainId: twin.id } })
  t.equal((await admin.delete(`/api/domains/${twin.id}`)).status, 204)
  t.equal((await anna.get(`${REQUESTS}/${exact.body.id}`)).status, 404, 'it went with the domain')
})

void t.test('a request whose user owns the domain by now can not be approved', async (t) => {
  await addUser('new-owner')
  await addUser('late')
  const [newOwner, late] = [await signIn('new-owner'), await signIn('late')]
  const theirs = await addDomain(late, await addManual(late), 'late.example')
  const id = idOf(
    await newOwner.post(REQUESTS, { domain: theirs.id, permission: 'read', reason: 'soon mine' }),
  )
  await admin.delete(`/api/users/${late.userId}?transferTo=${newOwner.userId}`)
  t.match(await admin.post(`${REQUESTS}/${id}/approve`), { status: 409 })
  t.equal((await admin.get(`${REQUESTS}/${id}`)).body.status, 'pending')
})
