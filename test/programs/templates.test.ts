import t from 'tap'
import { PASSWORD, startApp, type Client } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { addDomain, addManual } from '../helpers/zone.ts'

const { admin, addUser, signIn, app } = await startApp(t, {})
await Promise.all([addUser('ada'), addUser('bob')])
const [ada, bob] = [await signIn('ada'), await signIn('bob')]
const config = await addManual(ada)
let count = 0
const domain = async (more: object = {}) => addDomain(ada, config, `d${++count}.example`, more)

const add = (id: string, recordType: string, name: string, value: string) =>
  ada.post(`/api/domains/${id}/records`, { recordType, name, value })
const values = async (id: string) => {
  const { body } = await ada.get(`/api/domains/${id}/records?limit=200`)
  return (body.records as { name: string; recordType: string; value: string }[])
    .map(({ name, recordType, value }) => `${name} ${recordType} ${value}`)
    .sort()
}
const plan = (id: string, body: object, client: Client = ada) =>
  client.post(`/api/templates/${id}/plan`, body)
const apply = async (id: string, planId: string) => {
  const { status, body } = await ada.post(`/api/templates/${id}/apply`, { planId })
  t.equal(status, 202)
  return until('the operation has ended', async () => {
    const answer = await ada.get(`/api/operations/${body.operation.id}`)
    return answer.body.outcome !== null && answer.body
  })
}

void t.test('the built-in ones are there for everybody, and are what they were', async (t) => {
  const { body } = await bob.get('/api/templates')
  const ids = (body.templates as { id: string; builtIn: boolean }[]).filter((one) => one.builtIn)
  const keys = ['google-workspace', 'microsoft-365', 'fastmail', 'feishu', 'alibaba-mail', 'parked']
  t.same(
    ids.map(({ id }) => id),
    keys,
  )
  const { id, name } = await domain()
  for (const key of keys) {
    const planned = await plan(key, { domainIds: [id] })
    t.match(planned, { status: 200, body: { totals: { changedDomains: 1, blocked: 0 } } }, key)
    t.same(planned.body.domains[0].warnings, [], key)
  }
  const microsoft = await plan('microsoft-365', { domainIds: [id], variables: { dmarc: 'none' } })
  const after = (microsoft.body.domains[0].changes as { after: { value: string } }[]).map(
    (one) => one.after.value,
  )
  t.ok(after.some((value) => value === `0 ${name.replaceAll('.', '-')}.mail.protection.outlook.com`))
  t.match(after.join(), /v=DMARC1; p=none/)
  t.match(
    await ada.put('/api/templates/parked', {
      name: 'x',
      records: [{ recordType: 'A', name: '@', value: '192.0.2.1' }],
    }),
    { status: 403 },
  )
  t.match(await admin.delete('/api/templates/parked'), { status: 403 })
})

void t.test('over several domains: what is there stays, and can be applied again', async (t) => {
  const [one, two] = [await domain(), await domain()]
  await add(two.id, 'TXT', '@', 'v=spf1 -all')
  await add(two.id, 'TXT', '@', 'some-verification=1')
  const planned = await plan('parked', { domainIds: [one.id, two.id] })
  t.match(planned.body.totals, { domains: 2, creates: 5, updates: 0, blocked: 0 })
  t.match(await apply('parked', planned.body.planId), { outcome: 'succeeded', done: 5 })
  t.same(await values(two.id), [
    '@ MX 0 .',
    '@ TXT some-verification=1',
    '@ TXT v=spf1 -all',
    '_dmarc TXT v=DMARC1; p=reject',
  ])
  const again = await plan('parked', { domainIds: [one.id, two.id] })
  t.match(again.body.totals, { changedDomains: 0, creates: 0 })
  t.same(again.body.domains, [])
  const { body } = await ada.get(`/api/domains/${two.id}/changes?limit=1`)
  t.match(body.changes[0], { source: 'template' })
})

void t.test('there is one SPF record in the end', async (t) => {
  const { id } = await domain()
  await add(id, 'TXT', '@', 'v=spf1 mx include:other.example -all')
  const planned = await plan('fastmail', { domainIds: [id] })
  t.match(planned.body.domains[0].warnings[0], { code: 'spf_merged' })
  await apply('fastmail', planned.body.planId)
  const texts = (await values(id)).filter((text) => text.includes('spf1'))
  t.same(texts, ['@ TXT v=spf1 mx include:other.example include:spf.messagingengine.com -all'])
  const again = await plan('fastmail', { domainIds: [id] })
  t.same(again.body.domains, [], 'merged once there is nothing to say')

  const parked = await plan('parked', { domainIds: [id] })
  t.match(parked.body, { totals: { changedDomains: 0 }, domains: [{ changes: { length: 0 } }] })
  const codes = (parked.body.domains[0].blocked as { code: string }[]).map(({ code }) => code)
  t.same(codes.sort(), ['spf_differs', 'template_differs'], 'mail servers of others and their SPF are told')
  const replaced = await plan('parked', { domainIds: [id], mode: 'replaceSets' })
  await apply('parked', replaced.body.planId)
  t.same(
    (await values(id)).filter((text) => !text.includes('_domainkey')),
    ['@ MX 0 .', '@ TXT v=spf1 -all', '_dmarc TXT v=DMARC1; p=reject'],
  )
})

void t.test('in each domain all or nothing', async (t) => {
  const [one, two] = [await domain(), await domain()]
  await add(one.id, 'A', 'autodiscover', '192.0.2.1')
  const planned = await plan('microsoft-365', { domainIds: [one.id, two.id] })
  t.match(planned.body, {
    totals: { domains: 2, changedDomains: 1, creates: 3 },
    domains: [
      {
        changes: { length: 0 },
        blocked: [{ code: 'cname_alone', wanted: { name: 'autodiscover', recordType: 'CNAME' } }],
      },
      { blocked: { length: 0 } },
    ],
  })
  t.match(await apply('microsoft-365', planned.body.planId), {
    outcome: 'partly',
    done: 3,
    total: 4,
    problem: { reason: 'records_blocked', outcomes: { applied: 1, blocked: 1 } },
  })
  t.same(await values(one.id), ['autodiscover A 192.0.2.1'])
  const { body } = await ada.get(`/api/records/plans/${planned.body.planId}`)
  t.match(body.domains, [
    {
      outcome: 'blocked',
      changeId: null,
      problem: { status: 409, reason: 'records_blocked', detail: /^autodiscover CNAME / },
    },
    { outcome: 'applied', problem: null },
  ])
})

void t.test('blocked in all domains, nothing has succeeded', async (t) => {
  const { id } = await domain()
  await add(id, 'A', 'autodiscover', '192.0.2.1')
  const { body } = await plan('microsoft-365', { domainIds: [id] })
  t.match(await apply('microsoft-365', body.planId), {
    outcome: 'failed',
    done: 0,
    total: 1,
    problem: { reason: 'records_blocked', outcomes: { blocked: 1, applied: undefined } },
  })
})

const OWN = {
  name: 'Web',
  variables: [
    { name: 'address', label: 'Address', required: true, pattern: '[0-9.]+' },
    { name: 'note', label: 'Note' },
  ],
  records: [
    { recordType: 'A', name: '@', value: '{{address}}', ttl: 300 },
    { recordType: 'CNAME', name: 'www', value: '{{domain}}' },
    { recordType: 'TXT', name: '_note', value: '{{note}} of {{domain}}' },
  ],
}

void t.test('own ones, and those for all', async (t) => {
  const made = await ada.post('/api/templates', OWN)
  t.match(made, { status: 201, body: { ...OWN, builtIn: false, shared: false, ownerId: ada.userId } })
  const { id } = made.body
  for (const answer of [await bob.get(`/api/templates/${id}`), await plan(id, { domainIds: [] }, bob)])
    t.ok(answer.status === 404 || answer.status === 400)
  t.match(await bob.put(`/api/templates/${id}`, OWN), { status: 404 })
  t.match(await ada.post('/api/templates', { ...OWN, shared: true }), { status: 403 })
  const shared = await admin.post('/api/templates', { ...OWN, name: 'For all', shared: true })
  t.match(await bob.get(`/api/templates/${shared.body.id}`), { status: 200 })
  t.match(await bob.delete(`/api/templates/${shared.body.id}`), { status: 403 })
  t.match(await ada.put(`/api/templates/${id}`, { ...OWN, name: 'Renamed' }), { body: { name: 'Renamed' } })

  const target = await domain()
  const one = { domainIds: [target.id] }
  const faults: [object, string][] = [
    [{}, '/variables/address'],
    [{ variables: { address: 'x' } }, '/variables/address'],
    [{ variables: { address: '192.0.2.1', other: 'x' } }, '/variables/other'],
    [{ variables: { address: '192.0.2.1', note: 'a\nb' } }, '/variables/note'],
  ]
  for (const [more, path] of faults)
    t.match(await plan(id, { ...one, ...more }), { status: 400, body: { errors: [{ path }] } }, path)
  const without = await plan(id, { ...one, variables: { address: '192.0.2.1' } })
  t.match(without.body.totals, { creates: 2 }, 'what lacks a value is left out')
  const planned = await plan(id, { ...one, variables: { address: '192.0.2.1', note: '{{address}}' } })
  await apply(id, planned.body.planId)
  t.same(await values(target.id), [
    '@ A 192.0.2.1',
    '_note TXT {{address}} of d8.example',
    'www CNAME d8.example',
  ])
  t.match(await ada.delete(`/api/templates/${id}`), { status: 204 })
  t.match(await ada.get(`/api/templates/${id}`), { status: 404 })
})

void t.test('templates that can not be', async (t) => {
  const [first] = OWN.records
  const cases: [object, string][] = [
    [{ records: [] }, '/records'],
    [{ records: Array.from({ length: 101 }, () => first) }, '/records'],
    [{ records: [{ ...first, value: '{{nobody}}' }] }, '/records/0/value'],
    [{ variables: [...OWN.variables, OWN.variables[0]] }, '/variables/2/name'],
    [{ variables: [...OWN.variables, { name: 'domain', label: 'x' }] }, '/variables/2/name'],
    [
      { variables: [...OWN.variables, { name: 'p', label: 'x', pattern: '(a{2}){3}' }] },
      '/variables/2/pattern',
    ],
    [{ variables: [...OWN.variables, { name: 'p', label: 'x', pattern: '(?=a)a' }] }, '/variables/2/pattern'],
    [{ variables: [...OWN.variables, { name: 'p', label: 'x', pattern: '[' }] }, '/variables/2/pattern'],
    [{ variables: [...OWN.variables, { name: 'p', label: 'x', pattern: '(a)\\1' }] }, '/variables/2/pattern'],
    [
      { variables: [...OWN.variables, { name: 'p', label: 'x', pattern: 'a{1001}' }] },
      '/variables/2/pattern',
    ],
    [
      { variables: ['p', 'q', 'r', 's'].map((name) => ({ name, label: 'x', pattern: 'a{900}' })) },
      '/variables/3/pattern',
    ],
  ]
  for (const [more, path] of cases)
    t.match(
      await ada.post('/api/templates', { ...OWN, ...more }),
      { status: 400, body: { errors: [{ path }] } },
      path,
    )
})

void t.test('no pattern of a member keeps the others waiting', async (t) => {
  const { id } = await domain()
  const pattern = '[a]{0,3}'.repeat(22)
  const variables = [{ name: 'p', label: 'x', pattern: `${pattern}b` }]
  const records = [{ recordType: 'TXT', name: '@', value: '{{p}}' }]
  const { body: template } = await ada.post('/api/templates', { name: 'slow', variables, records })
  const planned = await plan(template.id, { domainIds: [id], variables: { p: 'a'.repeat(1000) } })
  t.match(planned, { status: 400, body: { errors: [{ path: '/variables/p', code: 'pattern' }] } })
  t.match(await plan(template.id, { domainIds: [id], variables: { p: `${'a'.repeat(60)}b` } }), {
    status: 200,
  })
})

void t.test('a pattern may have groups, and matches the whole value', async (t) => {
  const { id } = await domain()
  const variables = [{ name: 'p', label: 'x', pattern: '(none|no|[a-z]+-(x|y))' }]
  const records = [{ recordType: 'TXT', name: '@', value: '{{p}}' }]
  const { body: template } = await ada.post('/api/templates', { name: 'groups', variables, records })
  for (const [value, status] of Object.entries({
    none: 200,
    no: 200,
    'ab-y': 200,
    non: 400,
    'none ': 200,
    xno: 400,
  })) {
    t.match(await plan(template.id, { domainIds: [id], variables: { p: value } }), { status }, value)
  }
})

void t.test('rights: foreign domains, those that are only seen, and tokens', async (t) => {
  const target = await domain()
  t.match(await plan('parked', { domainIds: [target.id] }, bob), { status: 404 })
  const { id: readOnly } = await domain()
  await ada.post('/api/assignments', { userId: bob.userId, domainId: readOnly, permission: 'read' })
  const seen = await plan('parked', { domainIds: [readOnly] }, bob)
  t.match(seen.body, {
    totals: { changedDomains: 0 },
    domains: [{ blocked: [{ kind: 'forbidden' }, {}, {}] }],
  })

  const token = async (permissions: string[], restrictions: object = {}) => {
    const { body } = await ada.post('/api/auth/me/tokens', {
      name: 'x',
      password: PASSWORD,
      permissions,
      restrictions,
    })
    const headers = { authorization: `Bearer ${body.token}` }
    return async (method: 'GET' | 'POST', url: string, payload?: object) => {
      const answer = await app.inject({ method, url: `/api/v1${url}`, headers, ...(payload && { payload }) })
      return { status: answer.statusCode, body: answer.json() }
    }
  }
  const [reads, manages, writes, few] = await Promise.all([
    token(['templates:read']),
    token(['templates:write', 'domains:write']),
    token(['records:write', 'records:read']),
    token(['records:write'], { domainIds: [target.id], recordTypes: ['TXT'] }),
  ])
  const body = { domainIds: [target.id] }
  t.match(await reads('GET', '/templates/parked'), { status: 200 })
  t.match(await reads('POST', '/templates', OWN), { status: 403 })
  t.match(await reads('POST', '/templates/parked/plan', body), { status: 403 })
  t.match(await manages('POST', '/templates', OWN), { status: 201 })
  const fresh = { name: 'new.example', providerConfigId: config, template: { id: 'parked' } }
  t.match(await manages('POST', '/domains', fresh), { status: 403 }, 'it may not write records')
  t.match(await writes('POST', '/templates/parked/plan', body), {
    status: 200,
    body: { totals: { creates: 3 } },
  })
  const partly = await few('POST', '/templates/parked/plan', body)
  t.match(partly.body, { totals: { changedDomains: 0 }, domains: [{ blocked: [{ kind: 'forbidden' }] }] })
  t.match(await few('POST', '/templates/parked/plan', { domainIds: [readOnly] }), { status: 404 })
  const planned = await writes('POST', '/templates/parked/plan', body)
  t.match(await few('POST', '/templates/parked/apply', { planId: planned.body.planId }), { status: 404 })
  t.match(await ada.post('/api/records/replace/apply', { planId: planned.body.planId }), { status: 404 })
})

void t.test('a new domain can begin with one', async (t) => {
  const template = { id: 'parked' }
  const { status, body } = await ada.post('/api/domains', {
    name: 'fresh.example',
    providerConfigId: config,
    template,
  })
  t.match({ status, body }, { status: 201, body: { recordCount: 3, warnings: { length: 0 } } })
  t.equal((await values(body.id)).length, 3)
  const unknown = { name: 'never.example', providerConfigId: config, template: { id: 'nothing' } }
  t.match(await ada.post('/api/domains', unknown), { status: 404 })
  t.match(await ada.get('/api/domains?search=never'), { body: { total: 0 } }, 'nothing is registered then')
  const bad = await ada.post('/api/templates', {
    name: 'Bad',
    records: [{ recordType: 'A', name: '@', value: 'x' }],
  })
  const failed = await ada.post('/api/domains', { ...unknown, template: { id: bad.body.id } })
  t.match(failed, {
    status: 201,
    body: { recordCount: 0, warnings: [/^The template Bad was not applied: value/] },
  })
})
