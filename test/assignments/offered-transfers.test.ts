import t from 'tap'
import { call, startApp, type Client } from '../helpers/app.ts'
import { addDomain, addManual } from '../helpers/zone.ts'

/** A domain comes to nobody who has not accepted it. */
const { app, admin, addUser, signIn, database } = await startApp(t)
for (const name of ['ada', 'bob', 'eve']) await addUser(name)
const [ada, bob, eve] = await Promise.all([signIn('ada'), signIn('bob'), signIn('eve')])
const config = await addManual(ada)
let made = 0
const newDomain = async () => addDomain(ada, config, `d${++made}.example`)
const offer = async (id: string, to = 'bob') => {
  const answer = await ada.post(`/api/domains/${id}/transfer`, { username: to })
  return { ...answer, id: answer.body?.id as string }
}
const ownerOf = async (id: string) => (await admin.get(`/api/domains/${id}`)).body.ownerId as string
const act = (who: Client, id: string, what: 'accept' | 'decline' | 'withdraw') =>
  who.post(`/api/domains/transfers/${id}/${what}`)
const pendingOf = async (who: Client) => (await who.get('/api/domains/transfers?status=pending')).body

async function told(who: Client, domainId: string) {
  await app.outbox.drain()
  const { body } = await who.get('/api/notifications?limit=200')
  const all = body.notifications as { event: string; metadata: { domainId: string } }[]
  return all.filter(({ metadata }) => metadata.domainId === domainId).map(({ event }) => event)
}

void t.test('an offer changes nothing; the receiver accepts it, once', async (t) => {
  const domain = await newDomain()
  const answer = await offer(domain.id)
  const offered = {
    domainId: domain.id,
    domainName: domain.name,
    fromUserId: ada.userId,
    fromUsername: 'ada',
    toUserId: bob.userId,
    toUsername: 'bob',
    status: 'pending',
    endedAt: null,
  }
  t.match(answer, {
    status: 202,
    body: offered,
    headers: { location: `/api/domains/transfers/${answer.id}` },
  })
  const days = (Date.parse(answer.body.expiresAt) - Date.parse(answer.body.createdAt)) / 86_400_000
  t.equal(Math.round(days), 7)
  t.equal(await ownerOf(domain.id), ada.userId)
  t.equal((await bob.get(`/api/domains/${domain.id}`)).status, 404)
  for (const who of [ada, bob, admin]) t.match(await pendingOf(who), { total: 1, transfers: [offered] })
  t.match(await pendingOf(eve), { total: 0 })
  t.equal((await eve.get(`/api/domains/transfers/${answer.id}`)).status, 404)

  for (const [who, status] of [
    [eve, 404],
    [ada, 403],
    [admin, 403],
  ] as const)
    for (const what of ['accept', 'decline'] as const)
      t.equal((await act(who, answer.id, what)).status, status)
  t.equal((await act(bob, answer.id, 'withdraw')).status, 403)
  const answers = await Promise.all([act(bob, answer.id, 'accept'), act(bob, answer.id, 'accept')])
  t.same(answers.map(({ status }) => String(status)).toSorted(), ['200', '409'])
  t.match(answers.find(({ status }) => status === 200)?.body, {
    id: answer.id,
    status: 'accepted',
    endedAt: String,
  })
  t.match(answers.find(({ status }) => status === 409)?.body, { reason: 'transfer_ended' })
  t.equal(await ownerOf(domain.id), bob.userId)
  t.equal((await ada.get(`/api/domains/${domain.id}`)).status, 404)
  t.match(await bob.get('/api/domains'), { body: { total: 1 } })
  for (const who of [ada, bob]) {
    const events = await told(who, domain.id)
    t.ok(events.includes('domain.transfer_offered'))
    t.equal(events.filter((event) => event === 'domain.transferred').length, 1)
  }
  const { body } = await admin.get(`/api/audit?target=${domain.id}`)
  const trail = (body.entries as { action: string; actor: { name: string } }[]).map(
    ({ action, actor }) => `${action} ${actor.name}`,
  )
  t.same(trail.toReversed(), ['domain.created ada', 'domain.transfer_offered ada', 'domain.transferred bob'])
})

void t.test('it is declined or withdrawn, both are told, and it can be offered again', async (t) => {
  const domain = await newDomain()
  const first = await offer(domain.id)
  t.match(await offer(domain.id, 'eve'), { status: 409, body: { reason: 'transfer_pending' } })
  t.match(await act(bob, first.id, 'decline'), { status: 200, body: { status: 'declined' } })
  t.match(await act(bob, first.id, 'accept'), { status: 409, body: { reason: 'transfer_ended' } })
  const second = await offer(domain.id)
  t.match(await act(ada, second.id, 'withdraw'), { status: 200, body: { status: 'withdrawn' } })
  t.match(await act(bob, second.id, 'accept'), { status: 409 })
  t.match(
    await act(admin, (await offer(domain.id)).id, 'withdraw'),
    { status: 200 },
    'an administrator may, too',
  )
  t.equal(await ownerOf(domain.id), ada.userId)
  for (const who of [ada, bob]) {
    const events = await told(who, domain.id)
    t.ok(events.includes('domain.transfer_declined'))
    t.equal(events.filter((event) => event === 'domain.transfer_withdrawn').length, 2)
  }
})

void t.test('of accepting and withdrawing at the same time one happens', async (t) => {
  for (let round = 0; round < 6; round++) {
    const domain = await newDomain()
    const { id } = await offer(domain.id)
    const [accepted, withdrawn] = await Promise.all([act(bob, id, 'accept'), act(ada, id, 'withdraw')])
    t.same([accepted.status, withdrawn.status].map(String).toSorted(), ['200', '409'])
    t.equal(await ownerOf(domain.id), accepted.status === 200 ? bob.userId : ada.userId)
  }
})

void t.test('two offers at the same time are one', async (t) => {
  const domain = await newDomain()
  const answers = await Promise.all([offer(domain.id), offer(domain.id, 'eve')])
  t.same(answers.map(({ status }) => String(status)).toSorted(), ['202', '409'])
})

void t.test('after its time it is over, and both are told', async (t) => {
  const domain = await newDomain()
  const { id } = await offer(domain.id)
  const pass = () =>
    database.db
      .updateTable('domain_transfers')
      .set({ expires_at: new Date(1) })
      .where('status', '=', 'pending')
      .execute()
  await pass()
  t.match(await ada.get(`/api/domains/transfers/${id}`), { body: { status: 'expired' } })
  t.match(await pendingOf(bob), { total: 0 })
  t.match(await act(bob, id, 'accept'), { status: 409, body: { reason: 'transfer_ended' } })
  await Promise.all([app.work.run('transfers.expire'), app.work.run('transfers.expire')])
  for (const who of [ada, bob]) {
    const events = await told(who, domain.id)
    t.equal(events.filter((event) => event === 'domain.transfer_expired').length, 1)
  }
  t.match(await ada.get('/api/domains/transfers?status=expired'), { body: { transfers: [{}] } })
  await offer(domain.id)
  await pass()
  t.equal((await offer(domain.id)).status, 202, 'one whose end nobody has noted yet stands in no way')
})

void t.test('an administrator transfers at once, which ends what is offered', async (t) => {
  const domain = await newDomain()
  const { id } = await offer(domain.id)
  t.equal((await admin.post(`/api/domains/${domain.id}/transfer`, { username: 'eve' })).status, 204)
  t.equal(await ownerOf(domain.id), eve.userId)
  t.match(await act(bob, id, 'accept'), { status: 409 })
  t.match(await bob.get(`/api/domains/transfers/${id}`), { body: { status: 'withdrawn' } })
  t.equal((await told(bob, domain.id))[0], 'domain.transfer_withdrawn')
})

void t.test('a giver who is deleted gives nothing any more', async (t) => {
  await addUser('leaver')
  const leaver = await signIn('leaver')
  const { id: domainId } = await addDomain(leaver, await addManual(leaver), 'leaver.example')
  const { body } = await leaver.post(`/api/domains/${domainId}/transfer`, { username: 'bob' })
  const url = `/api/users/${leaver.userId}?transferTo=${ada.userId}`
  t.equal((await admin.delete(url)).status, 204)
  t.equal((await act(bob, body.id as string, 'accept')).status, 404)
  t.equal(await ownerOf(domainId), ada.userId)
})

void t.test('by token, with the same result for a repeat', async (t) => {
  const domain = await newDomain()
  const token = async (who: Client, restrictions: object | null = null) => {
    const permissions = ['domains:read', 'domains:write']
    const { body } = await who.post('/api/auth/me/tokens', { name: 'x', permissions, restrictions })
    return { authorization: `Bearer ${body.token}` }
  }
  const url = `/api/v1/domains/${domain.id}/transfer`
  const headers = { ...(await token(ada)), 'idempotency-key': 'one' }
  const send = () => call(app, { method: 'POST', url, headers, payload: { userId: bob.userId } })
  const first = await send()
  t.match(first, { status: 202, headers: { location: `/api/v1/domains/transfers/${first.body.id}` } })
  t.match(await send(), { status: 202, body: { id: first.body.id } })
  const accept = { method: 'POST' as const, url: `/api/v1/domains/transfers/${first.body.id}/accept` }
  const narrow = await token(bob, { domainIds: [domain.id] })
  t.equal((await call(app, { ...accept, headers: narrow })).status, 403)
  t.equal((await call(app, { ...accept, headers: await token(bob) })).status, 200)
})
