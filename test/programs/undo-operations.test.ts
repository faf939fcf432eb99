import t from 'tap'
import { call, startApp, type Client } from '../helpers/app.ts'
import { isProblem } from '../helpers/problem.ts'
import { until } from '../helpers/until.ts'
import { addDomain, addManual, addPowerDns, startFake } from '../helpers/zone.ts'

/* One undo for all that an operation changed, over all of its domains. */
const service = await startApp(t)
const { app, admin, addUser, signIn, database } = service
await addUser('ada')
await addUser('bob')
const [ada, bob] = [await signIn('ada'), await signIn('bob')]
const config = await addManual(ada)

async function makeDomains(...names: string[]) {
  const made = []
  for (const name of names) made.push((await addDomain(ada, config, name)).id)
  return made as [string, string, string]
}
interface Planned {
  domainName: string
  blocked: { code: string }[]
}
const add = async (domainId: string, name: string, value: string, ttl = 300) => {
  const { body, status } = await ada.post(`/api/domains/${domainId}/records`, {
    recordType: 'A',
    name,
    value,
    ttl,
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body as { id: string }
}
const values = async (domainId: string) => {
  const { body } = await ada.get(`/api/domains/${domainId}/records?limit=200`)
  const records = body.records as { name: string; value: string; ttl: number }[]
  return records.map(({ name, value, ttl }) => `${name} ${ttl} ${value}`).sort()
}
const ended = (id: string, client: Client = ada) =>
  until('the operation has ended', async () => {
    const { body } = await client.get(`/api/operations/${id}`)
    return body.outcome !== null && body
  })

/** Replaces an address, and answers the operation when it has ended. */
async function replace(from: string, to: string, client: Client = ada) {
  const plan = await client.post('/api/records/replace', {
    find: { type: 'A', value: from },
    replaceWith: { value: to, ttl: 60 },
  })
  const begun = await client.post('/api/records/replace/apply', { planId: plan.body.planId })
  return (await ended(begun.body.operation.id, client)).id as string
}
const undo = (
  id: string,
  { query = '', body = {}, client = ada }: { query?: string; body?: object; client?: Client } = {},
) => client.post(`/api/operations/${id}/revert${query}`, body)

void t.test('planned, applied just so, and undone itself', async (t) => {
  const [one, two, three] = await makeDomains('a1.example', 'a2.example', 'a3.example')
  for (const id of [one, two]) await add(id, 'www', '192.0.2.1')
  await add(three, 'www', '192.0.2.9')
  const operation = await replace('192.0.2.1', '198.51.100.1')
  t.same(await values(one), ['www 60 198.51.100.1'])

  const planned = await undo(operation, { query: '?dryRun=true' })
  const totals = { domains: 2, changedDomains: 2, creates: 0, updates: 2, deletes: 0, blocked: 0 }
  t.match(planned, { status: 200, body: { kind: 'revert', totals, operationId: null } })
  t.match(planned.body.domains[0], {
    domainName: 'a1.example',
    changes: [{ before: { value: '198.51.100.1', ttl: 60 }, after: { value: '192.0.2.1', ttl: 300 } }],
  })
  t.same(await values(one), ['www 60 198.51.100.1'], 'nothing is done yet')

  const other = await replace('192.0.2.9', '198.51.100.9')
  isProblem(t, await undo(other, { body: { planId: planned.body.planId } }), 404, 'not_found')
  const begun = await undo(operation, { body: { planId: planned.body.planId } })
  t.match(begun, { status: 202, body: { operation: { kind: 'revert', domainId: null } } })
  t.match(begun.headers.location, /^\/api\/operations\//)
  const end = await ended(begun.body.operation.id)
  t.match(end, { outcome: 'succeeded', done: 2, total: 2, problem: null })
  for (const id of [one, two]) t.same(await values(id), ['www 300 192.0.2.1'])
  t.same(await values(three), ['www 60 198.51.100.9'], 'what another operation did stays')
  const [change] = (await ada.get(`/api/domains/${one}/changes?limit=1`)).body.changes
  t.match(change, { source: 'revert', operationId: end.id })
  isProblem(t, await undo(operation, { body: { planId: planned.body.planId } }), 409, 'conflict')

  const again = await undo(end.id)
  t.equal(again.status, 202, 'at once')
  t.match(await ended(again.body.operation.id), { outcome: 'succeeded', done: 2 })
  for (const id of [one, two]) t.same(await values(id), ['www 60 198.51.100.1'])
})

void t.test(
  'partly where something was changed since, and nothing where it was undone already',
  async (t) => {
    const [one, two, three] = await makeDomains('b1.example', 'b2.example', 'b3.example')
    for (const id of [one, two, three]) {
      await add(id, 'www', '192.0.2.2')
      await add(id, 'app', '192.0.2.2')
    }
    const operation = await replace('192.0.2.2', '198.51.100.2')
    const [{ id: recordId }] = (await ada.get(`/api/domains/${two}/records?search=www`)).body.records
    await ada.put(`/api/domains/${two}/records/${recordId}`, { value: '203.0.113.1' })
    const [{ id: changeId }] = (await ada.get(`/api/domains/${three}/changes?limit=1`)).body.changes
    await ada.post(`/api/domains/${three}/changes/${changeId}/revert`)

    const planned = await undo(operation, { query: '?dryRun=true' })
    t.match(planned.body.totals, { changedDomains: 2, updates: 3, blocked: 1 })
    t.match(
      planned.body.domains.map(({ domainName, blocked }: Planned) => [domainName, blocked[0]?.code]),
      [
        ['b1.example', undefined],
        ['b2.example', 'changed_since'],
      ],
    )
    const begun = await undo(operation)
    t.match(await ended(begun.body.operation.id), {
      outcome: 'partly',
      done: 3,
      problem: { reason: 'records_blocked', outcomes: { applied: 1, partly: 1 } },
    })
    t.same(await values(one), ['app 300 192.0.2.2', 'www 300 192.0.2.2'])
    t.same(await values(two), ['app 300 192.0.2.2', 'www 60 203.0.113.1'], 'what was changed since stays')
    t.same(await values(three), ['app 300 192.0.2.2', 'www 300 192.0.2.2'])
    const again = await undo(operation)
    t.match(
      await ended(again.body.operation.id),
      { outcome: 'failed', done: 0 },
      'the rest is still in the way',
    )
  },
)

void t.test('not in RRsets that others changed since, whatever became of its own records', async (t) => {
  const [joined, moved, crowded] = await makeDomains('g1.example', 'g2.example', 'g3.example')
  for (const id of [joined, moved, crowded]) await add(id, 'www', '192.0.2.7')
  const operation = await replace('192.0.2.7', '198.51.100.7')
  await add(joined, 'www', '203.0.113.7', 60)
  await add(joined, 'other', '203.0.113.7')
  const recordOf = async (id: string) =>
    (await ada.get(`/api/domains/${id}/records?search=www`)).body.records[0].id as string
  await ada.put(`/api/domains/${moved}/records/${await recordOf(moved)}`, { name: 'www2' })
  // Gone and there again is no difference.
  await ada.delete(`/api/domains/${crowded}/records/${(await add(crowded, 'www', '203.0.113.9', 60)).id}`)
  const planned = await undo(operation, { query: '?dryRun=true' })
  t.match(planned.body.totals, { changedDomains: 1, updates: 1, blocked: 2 })
  const begun = await undo(operation, { body: { planId: planned.body.planId } })
  t.match(await ended(begun.body.operation.id), {
    outcome: 'partly',
    problem: { reason: 'records_blocked', outcomes: { applied: 1, blocked: 2 } },
  })
  t.same(await values(joined), ['other 300 203.0.113.7', 'www 60 198.51.100.7', 'www 60 203.0.113.7'])
  t.same(await values(moved), ['www2 60 198.51.100.7'])
  t.same(await values(crowded), ['www 300 192.0.2.7'])
})

void t.test('a CNAME and what it took the place of come and go together', async (t) => {
  const [id] = await makeDomains('h1.example', 'h2.example', 'h3.example')
  for (const name of ['www', 'app']) await add(id, name, '192.0.2.8')
  const lines = Array.from({ length: 1_001 }, (_, i) => `n${i} 300 IN A 192.0.2.4`)
  const zonefile = [...lines, ...['www', 'app'].map((name) => `${name} 300 IN CNAME host.example.net.`)].join(
    '\n',
  )
  const begun = await ada.post(`/api/domains/${id}/records/import`, { zonefile, mode: 'replace' })
  const operation = await ended(begun.body.operation.id)
  t.match(operation, { outcome: 'succeeded' })
  const [app] = (await ada.get(`/api/domains/${id}/records?search=app`)).body.records
  await ada.put(`/api/domains/${id}/records/${app.id}`, { value: 'other.example.net' })
  const planned = await undo(operation.id, { query: '?dryRun=true' })
  t.match(planned.body.totals, { creates: 1, deletes: 1_002, blocked: 2 })
  t.match(await ended((await undo(operation.id)).body.operation.id), { outcome: 'partly' })
  t.same(await values(id), ['app 300 other.example.net', 'www 300 192.0.2.8'])
})

void t.test('what a template made goes, and what it deleted comes back as it was', async (t) => {
  const domains = await makeDomains('c1.example', 'c2.example', 'c3.example')
  // A TTL that nobody may say here: a zone file had it.
  const zonefile = 'made 7 IN A 192.0.2.33\nalias 300 IN CNAME old.example.net.\n'
  await ada.post(`/api/domains/${domains[0]}/records/import`, { zonefile, mode: 'merge' })
  const before = await values(domains[0])
  t.same(before, ['alias 300 old.example.net', 'made 7 192.0.2.33'])
  const made = ['alias 300 new.example.net', 'made 300 192.0.2.3']
  const { body: template } = await ada.post('/api/templates', {
    name: 'web',
    records: [
      { recordType: 'A', name: 'made', value: '192.0.2.3', ttl: 300 },
      { recordType: 'CNAME', name: 'alias', value: 'new.example.net', ttl: 300 },
    ],
  })
  const plan = await ada.post(`/api/templates/${template.id}/plan`, {
    domainIds: domains,
    mode: 'replaceSets',
  })
  const begun = await ada.post(`/api/templates/${template.id}/apply`, { planId: plan.body.planId })
  const operation = await ended(begun.body.operation.id)
  for (const id of domains)
    t.same(await values(id), [...made, ...(id === domains[0] ? ['made 300 192.0.2.33'] : [])])
  const back = await ended((await undo(operation.id)).body.operation.id)
  t.match(back, { outcome: 'succeeded', done: 8 })
  for (const id of domains) t.same(await values(id), id === domains[0] ? before : [])
  const forth = await ended((await undo(back.id)).body.operation.id)
  t.match(forth, { outcome: 'succeeded', done: 8 })
  for (const id of domains)
    t.same(await values(id), [...made, ...(id === domains[0] ? ['made 300 192.0.2.33'] : [])])
  isProblem(t, await undo(back.id), 409, 'conflict')
  const nothing = await undo(back.id, { query: '?dryRun=true' })
  t.match(nothing.body.totals, { changedDomains: 0, blocked: 0 })
  t.match(await undo(back.id, { body: { planId: nothing.body.planId } }), {
    status: 409,
    body: { reason: 'nothing_to_undo' },
  })
  // It was undone, and that was undone: what is there was made by another change.
  t.match((await undo(operation.id, { query: '?dryRun=true' })).body.totals, { changedDomains: 0 })
})

void t.test('an import of one domain, too', async (t) => {
  const fake = await startFake(t)
  fake.createZone('d.example')
  const own = await addPowerDns(ada, fake)
  const { id } = await addDomain(ada, own, 'd.example')
  const lines = Array.from({ length: 1_001 }, (_, i) => `n${i} 300 IN A 192.0.2.4`).join('\n')
  const begun = await ada.post(`/api/domains/${id}/records/import`, { zonefile: lines, mode: 'merge' })
  t.equal(begun.status, 202, JSON.stringify(begun.body))
  const { id: operation } = await ended(begun.body.operation.id)
  const back = await ended((await undo(operation)).body.operation.id)
  t.match(back, { outcome: 'succeeded', done: 1_001 })
  t.same(await values(id), [])
})

void t.test('by those who asked for it and administrators, with the rights that they have', async (t) => {
  const [one, two] = await makeDomains('e1.example', 'e2.example', 'e3.example')
  for (const id of [one, two]) await add(id, 'www', '192.0.2.5')
  const { body: token } = await ada.post('/api/auth/me/tokens', {
    name: 'stolen',
    permissions: ['records:read', 'records:write', 'domains:read'],
  })
  const by = (bearer: string, url: string, payload: object = {}) =>
    call(app, {
      method: 'POST',
      url: `/api/v1${url}`,
      headers: { authorization: `Bearer ${bearer}` },
      payload,
    })
  const plan = await by(token.token, '/records/replace', {
    find: { type: 'A', value: '192.0.2.5' },
    replaceWith: { value: '203.0.113.66' },
  })
  const begun = await by(token.token, '/records/replace/apply', { planId: plan.body.planId })
  const { id: operation } = await ended(begun.body.operation.id)
  await ada.delete(`/api/auth/me/tokens/${token.id}`)

  isProblem(t, await undo(operation, { client: bob }), 404, 'not_found')
  const make = (permissions: string[], restrictions: object | null = null) =>
    ada.post('/api/auth/me/tokens', { name: 'x', permissions, restrictions })
  const reader = (await make(['records:read'])).body.token
  isProblem(t, await by(reader, `/operations/${operation}/revert`), 403, 'permission_missing')
  const narrowed = (await make(['records:write'], { domainIds: [one] })).body.token
  isProblem(t, await by(narrowed, `/operations/${operation}/revert`), 404, 'not_found')

  // The domain of another by now: left as it is, and said.
  const given = await admin.post(`/api/domains/${two}/transfer`, { userId: bob.userId })
  t.equal(given.status, 204)
  const writer = (await make(['records:write', 'records:read'])).body.token
  const planned = await by(writer, `/operations/${operation}/revert?dryRun=true`)
  t.match(planned, { status: 200, body: { totals: { changedDomains: 1, hidden: 1 } } })
  t.notMatch(JSON.stringify(planned.body), /e2\.example/)
  const applied = await by(writer, `/operations/${operation}/revert`, { planId: planned.body.planId })
  t.match(await ended(applied.body.operation.id), {
    outcome: 'partly',
    done: 1,
    problem: { outcomes: { applied: 1, hidden: 1 } },
  })
  t.same(await values(one), ['www 300 192.0.2.5'])
  const rest = await undo(operation, { client: admin })
  t.match(await ended(rest.body.operation.id, admin), { outcome: 'succeeded', done: 1 })
  const { body: theirs } = await admin.get(`/api/domains/${two}/records`)
  t.match(theirs.records, [{ value: '192.0.2.5' }])
  const [seen] = (await bob.get(`/api/domains/${two}/changes?limit=1`)).body.changes
  t.match(seen, { source: 'revert', actor: { id: admin.userId } })
})

void t.test('not before it has ended, and not what it did not do', async (t) => {
  const [one] = await makeDomains('f1.example', 'f2.example', 'f3.example')
  await add(one, 'www', '192.0.2.6')
  const operation = await replace('192.0.2.6', '198.51.100.6')
  // Of a kind that no instance does: it stays as it is.
  const running = { state: 'running', outcome: null, kind: 'none' }
  const set = (to: object) =>
    database.db.updateTable('operations').set(to).where('id', '=', operation).execute()
  await set(running)
  t.match(await undo(operation), { status: 409, body: { reason: 'change_unsettled' } })
  await set({ state: 'finished', outcome: 'succeeded', kind: 'replace' })
  isProblem(t, await undo(one), 404, 'not_found')
  isProblem(t, await undo(operation, { query: '?dryrun=true' }), 400, 'validation_failed')
  isProblem(t, await undo(operation, { body: { planid: one } }), 400, 'validation_failed')
  isProblem(
    t,
    await undo(operation, { query: '?dryRun=true', body: { planId: one } }),
    400,
    'validation_failed',
  )
  t.same(await values(one), ['www 60 198.51.100.6'])
})

void t.test(
  'records that somebody may not change any more, or not see, stay, and are said by their number',
  async (t) => {
    const [one] = await makeDomains('i1.example', 'i2.example', 'i3.example')
    for (const name of ['www', 'app', 'secret']) await add(one, name, '192.0.2.11')
    const give = async (permission: string, subdomainPattern: string) => {
      const assignment = { username: 'bob', domainId: one, subdomainPattern, permission }
      const { body, status } = await ada.post('/api/assignments', assignment)
      t.equal(status, 201)
      return `/api/assignments/${body.id}`
    }
    await give('write', 'www')
    const given = [await give('write', 'app'), await give('write', 'secret')]
    const operation = await replace('192.0.2.11', '198.51.100.11', bob)
    for (const assignment of given) await ada.delete(assignment)
    await give('read', 'app')
    const planned = await undo(operation, { query: '?dryRun=true', client: bob })
    t.match(planned.body.totals, { updates: 1, blocked: 2, hidden: 0 })
    const codes = planned.body.domains[0].blocked.map(({ code }: { code: string }) => code)
    t.same(codes.sort(), ['may_not_write', 'records_hidden'])
    t.notMatch(JSON.stringify(planned.body), /secret/)
    const begun = await undo(operation, { body: { planId: planned.body.planId }, client: bob })
    t.match(await ended(begun.body.operation.id, bob), { outcome: 'partly', done: 1 })
    t.same(await values(one), ['app 60 198.51.100.11', 'secret 60 198.51.100.11', 'www 300 192.0.2.11'])
  },
)
