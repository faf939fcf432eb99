import fc from 'fast-check'
import t from 'tap'
import { readOctodns } from '../../clients/cli/octodns/reader.ts'
import { writeOctodns } from '../../clients/cli/octodns/writer.ts'
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
const BIND = { 'content-type': 'text/dns' }
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

  t.match(await send('PUT', `${url}?format=bind`, file), { body: { plan: EMPTY } })
  t.match(await admin.get(`/api/domains/${zone.domainId}/zone`), {
    status: 200,
    headers: { 'content-type': /^text\/dns/ },
    body: (await send('GET', url)).body as string,
  })
})

void t.test('a file without records is planned, and not done', async (t) => {
  const here = await zone.here()
  const file = '; nothing\n'
  t.match(await send('PUT', url, file, BIND), { status: 200, body: { plan: { deletes: [{}, {}] } } })
  t.match(await send('PUT', `${url}?apply=true`, file, BIND), {
    status: 400,
    body: { errors: [{ path: '/zonefile', code: 'empty' }] },
  })
  const { body } = await send('PUT', `${url}?keep=true`, file, BIND)
  t.match(body, { plan: { deletes: [{}, {}] } })
  t.notHas(body.plan, { planId: String }, 'nor kept to be applied')
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
  t.match(await put(`"x", ${now}`), { status: 200, body: { plan: { applied: true } } })
  t.match(await put('*'), { status: 200, body: { plan: { applied: false } } })
})

void t.test('octoDNS YAML is refused with the command that converts it', async (t) => {
  const refused = { status: 415, body: { code: 'unsupported_media_type', detail: /zonekeeper import/ } }
  const yaml = { accept: 'application/yaml' }
  t.match(await send('GET', url, undefined, yaml), refused)
  t.match(await send('GET', `${url}?format=octodns`), refused)
  t.match(await send('PUT', url, 'a: {}', { 'content-type': 'application/yaml' }), refused)
  t.match(await send('PUT', `${url}?format=octodns`, 'a: {}', BIND), refused)
  t.match(await send('GET', url, undefined, { accept: 'application/yaml, */*' }), { status: 200 })
})

void t.test('a file with errors or of another type is refused', async (t) => {
  const before = await zone.here()
  t.match(await send('PUT', `${url}?apply=true`, 'www 300 IN A 192.0.2.999\nx WHAT y\n', BIND), {
    status: 400,
    body: {
      errors: [
        { path: '/zonefile', params: { line: 1 } },
        { path: '/zonefile', params: { line: 2, rule: 'line_type' } },
      ],
    },
  })
  t.match(await send('PUT', url, 'b IN HIP 1 x.\n', BIND), {
    status: 200,
    body: { skipped: [{ type: 'HIP', line: 1 }] },
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
  const file = (await send('GET', zoneOf(held.id))).body as string
  t.match(file, /Left out, as they are disabled: 1 records\n; off\t/)
  const again = await send('PUT', `${zoneOf(held.id)}?apply=true`, file, BIND)
  t.match(again, { status: 200, body: { plan: EMPTY } })
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

void t.test('generated zones come back as they went, also as octoDNS YAML', async () => {
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
      for (const isYaml of [false, true]) {
        const target = zoneOf(one.id)
        const file = (await send('GET', target)).body as string
        const sent = isYaml ? readOctodns(writeOctodns(file, one.name), one.name).zonefile : file
        t.match(await send('PUT', target, sent, BIND), { status: 200, body: { plan: EMPTY } }, sent)
        const rest = 'one 300 IN A 192.0.2.1\n'
        t.match(await send('PUT', `${target}?apply=true`, rest, BIND), { status: 200 }, 'all but one goes')
        t.match(await send('PUT', `${target}?apply=true`, sent, BIND), { status: 200 }, sent)
        t.equal((await send('GET', target)).body, file)
      }
    }),
    { numRuns: 4 },
  )
})
