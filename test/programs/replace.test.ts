import t from 'tap'
import { startApp, type Client } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { addDomain, addManual } from '../helpers/zone.ts'

const { admin, addUser, signIn, app, database } = await startApp(t, {})
await addUser('ada')
const ada = await signIn('ada')
const config = await addManual(ada)
const names = ['one.example', 'two.example', 'three.example']
const [one, two, three] = (await Promise.all(names.map((name) => addDomain(ada, config, name)))).map(
  ({ id }) => id,
) as [string, string, string]
const theirs = await addDomain(admin, await addManual(admin), 'theirs.example')

const add = async (domainId: string, recordType: string, name: string, value: string, client = ada) => {
  const { status, body } = await client.post(`/api/domains/${domainId}/records`, { recordType, name, value })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body as { id: string; version: number }
}
const values = async (domainId: string) => {
  const { body } = await ada.get(`/api/domains/${domainId}/records?limit=200`)
  return (body.records as { name: string; recordType: string; value: string }[])
    .map(({ name, recordType, value }) => `${name} ${recordType} ${value}`)
    .sort()
}
const plan = (body: object, client: Client = ada) => client.post('/api/records/replace', body)
const apply = (planId: string, client: Client = ada) => client.post('/api/records/replace/apply', { planId })
const ended = (id: string, client: Client = ada) =>
  until('the operation has ended', async () => {
    const { body } = await client.get(`/api/operations/${id}`)
    return body.outcome !== null && body
  })
const token = async (client: Client, permissions: string[], restrictions: object = {}) => {
  const { status, body } = await client.post('/api/auth/me/tokens', {
    name: 'test',
    password: 'correct horse battery staple',
    permissions,
    restrictions,
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  const headers = { authorization: `Bearer ${body.token}` }
  const as = (method: 'GET' | 'POST', url: string, payload?: object) =>
    app.inject({ method, url, headers, ...(payload && { payload }) }).then((answer) => ({
      status: answer.statusCode,
      body: answer.json(),
    }))
  return {
    id: body.id as string,
    get: (url: string) => as('GET', `/api/v1${url}`),
    post: (url: string, payload: object) => as('POST', `/api/v1${url}`, payload),
  }
}

void t.test('a value over all domains that are seen: planned, applied, undone', async (t) => {
  await add(one, 'A', 'www', '192.0.2.10')
  await add(one, 'A', 'app', '192.0.2.11')
  await add(two, 'A', '@', '192.0.2.10')
  await add(three, 'TXT', '@', '192.0.2.10')
  await add(theirs.id, 'A', 'www', '192.0.2.10', admin)
  const planned = await plan({
    find: { type: 'A', value: '192.0.2.10' },
    replaceWith: { value: '198.51.100.1', ttl: 60 },
  })
  t.match(planned, {
    status: 200,
    body: {
      totals: { domains: 2, changedDomains: 2, creates: 0, updates: 2, deletes: 0, blocked: 0 },
      operationId: null,
      nextCursor: null,
      domains: [
        {
          domainName: 'one.example',
          changes: [{ before: { value: '192.0.2.10' }, after: { value: '198.51.100.1', ttl: 60 } }],
        },
        { domainName: 'two.example', outcome: null, changeId: null },
      ],
    },
  })
  t.same(await values(two), ['@ A 192.0.2.10'], 'nothing is done by planning')

  const { planId } = planned.body
  const begun = await apply(planId)
  t.match(begun, { status: 202, body: { operation: { kind: 'replace', domainId: null, total: 2 } } })
  const operation = await ended(begun.body.operation.id)
  t.match(operation, { outcome: 'succeeded', done: 2, result: { planId, outcomes: { applied: 2 } } })
  t.same(await values(one), ['app A 192.0.2.11', 'www A 198.51.100.1'])
  t.match(await apply(planId), { status: 409 }, 'once')
  t.match(await apply(planId, admin), { status: 404 }, 'and by nobody else')

  const { body } = await ada.get(`/api/records/plans/${planId}?limit=1`)
  t.match(body, { domains: [{ outcome: 'applied' }], nextCursor: String, operationId: operation.id })
  const next = await ada.get(`/api/records/plans/${planId}?limit=1&cursor=${body.nextCursor}`)
  t.match(next.body, { domains: [{ domainName: 'two.example', outcome: 'applied' }], nextCursor: null })
  await ada.post(`/api/domains/${two}/changes/${next.body.domains[0].changeId}/revert`)
  t.same(await values(two), ['@ A 192.0.2.10'], 'each can be undone by itself')
})

void t.test('of records that are named nothing else is touched', async (t) => {
  const chosen = await add(one, 'A', 'chosen', '192.0.2.77')
  await add(one, 'A', 'same', '192.0.2.77')
  const other = await add(two, 'A', 'other', '192.0.2.78')
  const find = { value: '192.0.2.77', recordIds: [chosen.id, other.id] }
  const planned = await plan({ find, replaceWith: { value: '198.51.100.77' } })
  t.match(planned.body, {
    totals: { domains: 1, updates: 1, deletes: 0 },
    domains: [{ changes: [{ recordId: chosen.id, after: { value: '198.51.100.77' } }] }],
  })
})

void t.test('a network, in which each address keeps its place, or all become one', async (t) => {
  await add(three, 'A', 'a', '203.0.113.1')
  await add(three, 'A', 'a', '203.0.113.2')
  await add(three, 'AAAA', 'a', '2001:db8:1::53')
  const find = { cidr: '203.0.113.0/24' }
  const moved = await plan({ find, replaceWith: { value: '198.51.100.0/24' }, scope: { domainIds: [three] } })
  t.same(
    moved.body.domains[0].changes.map((change: { after: { value: string } }) => change.after.value).sort(),
    ['198.51.100.1', '198.51.100.2'],
  )
  const six = await plan({
    find: { cidr: '2001:db8:1::/48' },
    replaceWith: { value: '2001:db8:ffff::/48' },
  })
  t.match(six.body.domains[0].changes, [{ after: { value: '2001:db8:ffff::53' } }])
  const alone = await plan({ find: { cidr: '2001:db8:1::/48' }, replaceWith: { value: '2001:db8::1' } })
  t.match(alone.body.domains[0].changes, [{ after: { value: '2001:db8::1' } }])
  const joined = await plan({ find, replaceWith: { value: '198.51.100.7' } })
  t.match(joined.body.totals, { updates: 1, deletes: 1 }, 'of two that would be equal one goes')
  await ended((await apply(joined.body.planId)).body.operation.id)
  t.same(
    (await values(three)).filter((text) => text.startsWith('a A ')),
    ['a A 198.51.100.7'],
  )
})

void t.test('what stands against it is told, and keeps the rest from nothing', async (t) => {
  await add(one, 'CNAME', 'x', 'old.example.net')
  await add(one, 'MX', '@', '10 old.example.net')
  const told = await plan({ find: { value: 'old.example.net' }, replaceWith: { value: 'not a host' } })
  t.match(told.body, {
    totals: { updates: 0, blocked: 1 },
    domains: [{ blocked: [{ before: { name: 'x' }, wanted: { value: 'not a host' }, kind: 'invalid' }] }],
  })

  const both = await plan({ find: { value: 'old.example.net' }, replaceWith: { value: 'new.example.net' } })
  await add(two, 'CNAME', 'x', 'old.example.net')
  const outdated = await plan({
    find: { value: 'old.example.net' },
    replaceWith: { value: 'new.example.net' },
  })
  await add(one, 'A', 'other', '192.0.2.99')
  const operation = await ended((await apply(outdated.body.planId)).body.operation.id)
  t.match(operation, { outcome: 'partly', done: 1, problem: { outcomes: { applied: 1, outdated: 1 } } })
  const { body } = await ada.get(`/api/records/plans/${outdated.body.planId}`)
  t.match(body.domains, [
    { domainName: 'one.example', outcome: 'outdated', changeId: null, problem: { status: 409 } },
    { domainName: 'two.example', outcome: 'applied' },
  ])
  t.equal(both.body.totals.domains, 1)
})

void t.test('records that are blocked keep it from having succeeded, and are named', async (t) => {
  const zone = (await addDomain(ada, config, 'blocked.example')).id
  const free = (await addDomain(ada, config, 'free.example')).id
  const find = { value: 'blocked.example.net' }
  await add(zone, 'CNAME', 'y', find.value)
  await add(zone, 'MX', '@', `10 ${find.value}`)
  await add(zone, 'TXT', 'z', find.value)
  const client = await token(ada, ['records:read', 'records:write'])
  const ways = [
    {
      read: (url: string) => ada.get(`/api${url}`),
      write: (url: string, body: object) => ada.post(`/api${url}`, body),
    },
    { read: client.get, write: client.post },
  ]
  for (const { read, write } of ways) {
    const failing = await write('/records/replace', {
      find: { ...find, name: 'y' },
      replaceWith: { value: 'not a host' },
    })
    t.match(failing.body, { totals: { updates: 0, blocked: 1 } })
    const { planId } = failing.body
    const begun = await write('/records/replace/apply', { planId })
    t.match(await ended(begun.body.operation.id), {
      outcome: 'failed',
      total: 1,
      problem: { reason: 'records_blocked', outcomes: { blocked: 1 } },
    })
    t.match((await read(`/records/plans/${planId}`)).body.domains, [
      { outcome: 'blocked', problem: { reason: 'records_blocked', detail: /^y CNAME not a host: / } },
    ])
    // Both in one domain: what can be changed is, and the domain is not done as a whole.
    const mixed = await write('/records/replace', { find, replaceWith: { value: 'not a host' } })
    t.match(mixed.body, { totals: { updates: 1, blocked: 1 } })
    const operation = await ended(
      (await write('/records/replace/apply', { planId: mixed.body.planId })).body.operation.id,
    )
    t.match(operation, { outcome: 'partly', done: 1, total: 2, problem: { outcomes: { partly: 1 } } })
    t.match((await read(`/records/plans/${mixed.body.planId}`)).body.domains, [
      { outcome: 'partly', changeId: /./, problem: { reason: 'records_blocked', detail: /^y CNAME / } },
    ])
    const text = (await ada.get(`/api/domains/${zone}/records?type=TXT`)).body.records[0]
    await ada.put(`/api/domains/${zone}/records/${text.id}`, { value: find.value, version: text.version })
  }
  t.same(await values(free), [])
})

void t.test('fields that are wrong are named', async (t) => {
  const value = '192.0.2.1'
  const cases: [object, string][] = [
    [{ find: {}, replaceWith: { value } }, '/find'],
    [{ find: { name: 'www' }, replaceWith: { value } }, '/find/type'],
    [{ find: { cidr: '192.0.2.0/24', type: 'MX' }, replaceWith: { value } }, '/find/type'],
    [{ find: { value, cidr: '192.0.2.0/24' }, replaceWith: { value } }, '/find'],
    [{ find: { value }, replaceWith: {} }, '/replaceWith'],
    [{ find: { cidr: '192.0.2.1/24' }, replaceWith: { value } }, '/find/cidr'],
    [{ find: { cidr: '192.0.2.0/33' }, replaceWith: { value } }, '/find/cidr'],
    [{ find: { cidr: '192.0.2.0/24', type: 'AAAA' }, replaceWith: { value } }, '/find/type'],
    [{ find: { cidr: '192.0.2.0/24' }, replaceWith: { value: '198.51.100.0/25' } }, '/replaceWith/value'],
    [{ find: { cidr: '192.0.2.0/24' }, replaceWith: { value: '2001:db8::1' } }, '/replaceWith/value'],
    [{ find: { type: 'A', value: 'www' }, replaceWith: { value } }, '/find/value'],
    [{ find: { type: 'A', value }, replaceWith: { value: 'www' } }, '/replaceWith/value'],
    [{ find: { value }, replaceWith: { value }, limit: 201 }, '/limit'],
    [{ find: { value }, replaceWith: { value }, scope: { domainIds: [] } }, '/scope/domainIds'],
  ]
  for (const [body, path] of cases) {
    const answer = await plan(body)
    t.match(answer, { status: 400, body: { errors: [{ path }] } }, JSON.stringify(body))
  }
})

void t.test('scopes', async (t) => {
  await ada.put(`/api/domains/${one}`, { groupName: 'shop', tags: ['web'] })
  await add(one, 'A', 's', '192.0.2.77')
  await add(two, 'A', 's', '192.0.2.77')
  const found = async (scope: object) => {
    const { body } = await plan({ find: { value: '192.0.2.77' }, replaceWith: { ttl: 77 }, scope })
    return (body.domains as { domainName: string }[]).map(({ domainName }) => domainName)
  }
  t.same(await found({}), ['one.example', 'two.example'])
  t.same(await found({ group: 'shop' }), ['one.example'])
  t.same(await found({ tag: 'web' }), ['one.example'])
  t.same(await found({ search: 'two' }), ['two.example'])
  t.same(await found({ providerConfigId: config, domainIds: [two] }), ['two.example'])
  t.same(await found({ domainIds: [theirs.id] }), [])
})

void t.test('who has a part of a domain, and tokens, reach what is theirs alone', async (t) => {
  await addUser('bob')
  const bob = await signIn('bob')
  const assign = (pattern: string, permission: string) =>
    ada.post('/api/assignments', {
      userId: bob.userId,
      domainId: three,
      subdomainPattern: pattern,
      permission,
    })
  await assign('*.dev', 'write')
  await assign('seen', 'read')
  await add(three, 'A', 'x.dev', '192.0.2.50')
  await add(three, 'A', 'seen', '192.0.2.50')
  await add(three, 'A', 'secret', '192.0.2.50')
  const body = { find: { value: '192.0.2.50' }, replaceWith: { value: '192.0.2.51' } }
  const planned = await plan(body, bob)
  t.match(planned.body, {
    totals: { updates: 1, blocked: 1 },
    domains: [
      {
        changes: [{ before: { name: 'x.dev' } }],
        blocked: [{ before: { name: 'seen' }, kind: 'forbidden' }],
      },
    ],
  })
  t.notMatch(JSON.stringify(planned.body), /secret/)
  await database.db.deleteFrom('assignments').where('pattern', '=', '*.dev').execute()
  const operation = await ended((await apply(planned.body.planId, bob)).body.operation.id, bob)
  t.match(operation, { outcome: 'failed', done: 0, problem: { outcomes: { refused: 1 } } }, 'rights of then')
  const after = await bob.get(`/api/records/plans/${planned.body.planId}`)
  t.match(
    after.body.domains,
    [{ outcome: 'refused', changes: { length: 0 }, problem: null }],
    'nor is it told any more',
  )

  const [readOnly, narrow, other] = await Promise.all([
    token(ada, ['records:read']),
    token(ada, ['records:read', 'records:write'], {
      domainIds: [three],
      namePatterns: ['x.dev'],
      recordTypes: ['A'],
    }),
    token(ada, ['records:read', 'records:write']),
  ])
  t.match(await readOnly.post('/records/replace', body), {
    status: 403,
    body: { code: 'permission_missing' },
  })
  const few = await narrow.post('/records/replace', body)
  t.match(few, { status: 200, body: { totals: { domains: 1, updates: 1, blocked: 0 } } })
  t.match(few.body.domains, [{ changes: [{ before: { name: 'x.dev' } }] }])
  const { planId } = few.body
  t.match(await other.post('/records/replace/apply', { planId }), { status: 404 }, 'of another token')
  t.match(await other.get(`/records/plans/${planId}`), { status: 404 })
  t.match(await apply(planId), { status: 404 }, 'nor of its user')
  const wide = await plan(body)
  t.match(await narrow.post('/records/replace/apply', { planId: wide.body.planId }), { status: 404 })
  const begun = await narrow.post('/records/replace/apply', { planId })
  t.equal(begun.status, 202)
  t.match(await ended(begun.body.operation.id), { outcome: 'succeeded', done: 1 })

  const revoked = await other.post('/records/replace', { ...body, replaceWith: { ttl: 99 } })
  await ada.delete(`/api/auth/me/tokens/${other.id}`)
  t.match(await ada.get(`/api/records/plans/${revoked.body.planId}`), { status: 404 }, 'gone with its token')
})
