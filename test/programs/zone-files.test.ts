import fc from 'fast-check'
import t from 'tap'
import { zones } from '../helpers/generated-zones.ts'
import { call } from '../helpers/app.ts'
import { addDomain, addManual, startZone } from '../helpers/zone.ts'

/* A zone as a file that a repository holds: read, planned and applied by a token. */
const zone = await startZone(t, { largeChange: 100, jobs: true })
const { admin, app } = zone
const made = await admin.post('/api/auth/me/tokens', {
  name: 'pipeline',
  permissions: ['records:read', 'records:write'],
})
const token = made.body.token as string

const send = (method: 'GET' | 'PUT', url: string, payload?: string, headers: Record<string, string> = {}) =>
  call(app, {
    method,
    url,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(payload !== undefined && { payload }),
  })
const zoneOf = (id: string) => `/api/v1/domains/${id}/zone`
const url = zoneOf(zone.domainId)
const YAML = { 'content-type': 'application/yaml' }
const BIND = { 'content-type': 'text/dns' }
const ONE = { bind: 'one 300 IN A 192.0.2.1\n', octodns: 'one: {type: A, value: 192.0.2.1}\n' }
const EMPTY = { creates: [], updates: [], deletes: [], conflicts: [] }

void t.test('a file is planned, applied, and then an empty plan', async (t) => {
  await zone.add('A', 'old', '192.0.2.1')
  await zone.add('NS', '@', 'ns1.example.net')
  const file = 'www 300 IN A 192.0.2.10\n@ 300 IN TXT "v=spf1 -all"\n'
  const before = zone.writes()
  t.match(await send('PUT', url, file, BIND), {
    status: 200,
    body: { plan: { creates: [{}, {}], deletes: [{ before: { name: 'old' } }], applied: false } },
  })
  t.equal(zone.writes(), before, 'nothing is done')
  const applied = await send('PUT', `${url}?apply=true`, file, BIND)
  t.match(applied, { status: 200, body: { plan: { applied: true, conflicts: { length: 0 } } } })
  t.same(await zone.here(), ['@ NS ns1.example.net', '@ TXT v=spf1 -all', 'www A 192.0.2.10'])
  t.match(await send('PUT', `${url}?apply=true`, file, BIND), {
    body: { plan: { ...EMPTY, applied: false } },
  })

  const yaml = await send('GET', url, undefined, { accept: 'application/yaml' })
  t.match(yaml, { status: 200, headers: { 'content-type': /^application\/yaml/ } })
  t.match(yaml.body, /\nwww:\n {2}ttl: 300\n {2}type: A\n {2}value: 192\.0\.2\.10\n/)
  t.match(await send('PUT', url, yaml.body as string, YAML), { body: { plan: EMPTY } })
  t.match(await send('PUT', `${url}?format=octodns`, yaml.body as string), { body: { plan: EMPTY } })
  t.equal((await send('GET', `${url}?format=octodns`)).body, yaml.body, 'the same text each time')
  t.match(await admin.get(`/api/domains/${zone.domainId}/zone`), {
    status: 200,
    headers: { 'content-type': /^text\/dns/ },
    body: (await send('GET', url)).body as string,
  })
})

void t.test('a file without records is planned, and not done', async (t) => {
  const here = await zone.here()
  for (const [file, type] of [
    ['; nothing\n', BIND],
    ['---\n{}\n', YAML],
  ] as const) {
    t.match(await send('PUT', url, file, type), { status: 200, body: { plan: { deletes: [{}, {}] } } })
    t.match(await send('PUT', `${url}?apply=true`, file, type), {
      status: 400,
      body: { errors: [{ path: '/zonefile', code: 'empty' }] },
    })
    const { body } = await send('PUT', `${url}?keep=true`, file, type)
    t.match(body, { plan: { deletes: [{}, {}] } })
    t.notHas(body.plan, { planId: String }, 'nor kept to be applied')
  }
  t.same(await zone.here(), here)
})

void t.test('a zone that changed since is refused', async (t) => {
  const got = await send('GET', url)
  const etag = got.headers['etag'] as string
  t.match(await send('GET', url, undefined, { 'if-none-match': etag }), { status: 304 })
  const put = (ifMatch: string, apply = true) =>
    send('PUT', `${url}?apply=${apply}`, `${got.body as string}more 60 IN A 192.0.2.9\n`, {
      ...BIND,
      'if-match': ifMatch,
    })
  await zone.add('A', 'meanwhile', '192.0.2.2')
  t.match(await put(etag), { status: 412, body: { code: 'precondition_failed' } })
  t.match(await put(etag, false), { status: 412 })
  t.match(await put('"of another time"'), { status: 412 })
  const now = (await send('GET', url)).headers['etag'] as string
  t.not(now, etag)
  t.match(await put(`"x", W/${now}`), { status: 200, body: { plan: { applied: true } } })
  t.match(await put('*'), { status: 200, body: { plan: { applied: false } } })
})

void t.test('what is wrong is told with its line, and nothing is done', async (t) => {
  const before = await zone.here()
  const wrong = "www:\n  type: A\n  value: 192.0.2.999\n  geo: {}\nx: {type: WHAT, value: y}\n'@': {}\n"
  t.match(await send('PUT', `${url}?apply=true`, wrong, YAML), {
    status: 400,
    body: {
      errors: [
        { path: '/zonefile', params: { line: 1 }, message: /"www": "geo" is not supported/ },
        { params: { line: 5 }, message: /"WHAT" is not a record type/ },
        { params: { line: 6 }, message: /'' is the apex/ },
      ],
    },
  })
  for (const [text, message] of [
    ['a: &x {type: A, value: 192.0.2.1}\nb: [*x]\n', /line 2: .*aliases are not read/],
    ['a: !include other.yaml\n', /line 1: Unresolved tag/],
    ['- a\n', /must be a map of names/],
    ['a: {type: A, value: 192.0.2.1}\n---\nb: {type: A, value: 192.0.2.2}\n', /line 2: .*one document/],
    [`${'#'.repeat(20_000)}\na: {type: A, value: 192.0.2.1}\n---\n{}\n`, /line 3: .*one document/],
    ['a: {type: CNAME, value: www}\n', /full name, with a dot/],
    ['a: {type: MX, values: [{preference: 1}]}\n', /MX needs exchange/],
    ['a: {type: A, value: 192.0.2.1, octodns: {ignored: true}}\n', /octodns\.ignored is not supported/],
    ['a: {type: A, ttl: many, value: 192.0.2.1}\n', /ttl must be a number/],
    ['a: {type: A, value: 192.0.2.1\n', /line 2/],
    [`a:\n  type: TXT\n  value: ${'x'.repeat(300_000)}\n`, /too large/],
  ] as const) {
    const answer = await send('PUT', url, text, YAML)
    t.match(answer, { status: 400, body: { errors: [{ message }] } }, text.slice(0, 80))
  }
  t.match(await send('PUT', url, 'a: {type: SPF, value: x}\nb: {type: AFSDB, value: 1 x.}\n', YAML), {
    status: 200,
    body: {
      skipped: [
        { type: 'SPF', line: 1 },
        { type: 'AFSDB', line: 2 },
      ],
    },
  })
  t.match(await send('PUT', url, '{}', { 'content-type': 'application/json' }), {
    status: 415,
    body: { code: 'unsupported_media_type' },
  })
  t.match(await send('PUT', url, 'x'.repeat(5 * 1024 * 1024 + 1), BIND), { status: 413 })
  t.match(await send('PUT', url, 'a IN TXT \0', BIND), { status: 400 })
  t.same(await zone.here(), before)
})

void t.test('what a form can not say stays, and stands in comments', async (t) => {
  const held = await addDomain(admin, await addManual(admin, 'held'), 'held.example')
  const records = `/api/domains/${held.id}/records`
  await admin.post(records, { recordType: 'A', name: 'off', value: '192.0.2.1', enabled: false })
  await admin.post(records, { recordType: 'A', name: 'on', value: '192.0.2.1', comment: 'mine' })
  for (const format of ['bind', 'octodns']) {
    const file = (await send('GET', `${zoneOf(held.id)}?format=${format}`)).body as string
    t.match(file, /Left out, as they are disabled: 1 records\n[;#] off\t/, format)
    const again = await send('PUT', `${zoneOf(held.id)}?apply=true&format=${format}`, file)
    t.match(again, { status: 200, body: { plan: EMPTY } }, format)
  }
  t.match(await admin.get(`${records}?search=on`), { body: { records: [{ comment: 'mine' }] } })
})

void t.test('a large change goes on as an operation', async (t) => {
  const id = (await addDomain(admin, await addManual(admin, 'large'), 'large.example')).id
  const file = Array.from({ length: 101 }, (_, i) => `h${i} IN A 192.0.2.1`).join('\n')
  t.match(await send('PUT', `${zoneOf(id)}?apply=true`, file, BIND), {
    status: 202,
    body: { operation: { kind: 'import', total: 101 } },
  })
})

void t.test('a token that may not write, or sees a part', async (t) => {
  const tokenFor = async (body: object) =>
    (await admin.post('/api/auth/me/tokens', { name: 'n', ...body })).body.token as string
  const reader = await tokenFor({ permissions: ['records:read'] })
  const as = (token: string) => ({ authorization: `Bearer ${token}` })
  t.match(await send('PUT', url, '', { ...BIND, ...as(reader) }), { status: 403 })
  t.match(await send('GET', url, undefined, as(reader)), { status: 200 })
  const narrow = await tokenFor({
    permissions: ['records:read', 'records:write'],
    restrictions: { namePatterns: ['mine'] },
  })
  await zone.add('A', 'mine', '192.0.2.1')
  const part = await send('GET', url, undefined, as(narrow))
  t.notMatch(part.body, /www/)
  t.match(await send('PUT', url, '', { ...BIND, ...as(narrow) }), {
    body: { plan: { deletes: [{ before: { name: 'mine' } }], creates: { length: 0 } } },
  })
  t.match(await send('PUT', `${url}?apply=true`, 'other IN A 192.0.2.1\n', { ...BIND, ...as(narrow) }), {
    status: 403,
  })
})

void t.test('generated zones come back as they went, in both forms', async () => {
  let number = 0
  await fc.assert(
    fc.asyncProperty(zones, async (drawn) => {
      const configId = await addManual(admin, `generated ${number}`)
      const one = await addDomain(admin, configId, `generated${number++}.example`)
      const records = [
        // Sure to be taken, since a file without any record is refused.
        { name: 'kept', recordType: 'A', value: '192.0.2.1', ttl: 300 },
        ...drawn.map(({ name, recordType, value, ttl }) => ({ name, recordType, value, ttl: ttl ?? 300 })),
      ]
      // What can't stand beside others is left out.
      for (let at = 0; at < records.length; at += 100)
        await admin.post(`/api/domains/${one.id}/records/bulk`, { records: records.slice(at, at + 100) })
      for (const format of ['bind', 'octodns'] as const) {
        const target = `${zoneOf(one.id)}?format=${format}`
        const file = (await send('GET', target)).body as string
        t.match(await send('PUT', target, file), { status: 200, body: { plan: EMPTY } }, file)
        t.match(await send('PUT', `${target}&apply=true`, ONE[format]), { status: 200 }, 'all but one goes')
        t.match(await send('PUT', `${target}&apply=true`, file), { status: 200 }, file)
        t.equal((await send('GET', target)).body, file)
      }
    }),
    { numRuns: 4 },
  )
})
