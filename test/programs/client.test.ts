import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { createClient, every, ZonekeeperError, type DnsRecord } from '../../clients/typescript/index.ts'
import { API_TYPES, apiTypes, type ApiDescription } from '../../scripts/api-types.ts'
import { call, startApp } from '../helpers/app.ts'
import { addDomain, addManual } from '../helpers/zone.ts'

/* The typed client, against the service, and against one that is busy. */
const { app, admin } = await startApp(t)
const url = await app.listen({ port: 0, host: '127.0.0.1' })
const { token } = (
  await admin.post('/api/auth/me/tokens', {
    name: 'client',
    permissions: ['domains:read', 'records:read', 'records:write'],
  })
).body as { token: string }
const { id } = await addDomain(admin, await addManual(admin), 'example.com')
const dns = createClient({ url: `${url}/`, token })

void t.test('the types are those of the description', async (t) => {
  const description = (await call(app, { url: '/openapi.json' })).body as ApiDescription
  t.ok(readFileSync(API_TYPES, 'utf8') === apiTypes(description), 'if not: npm run api:types')
})

void t.test('calls and their answers are typed', async (t) => {
  const created = await dns.POST('/api/v1/domains/{id}/records', {
    path: { id },
    body: { recordType: 'A', name: 'www', value: '192.0.2.1' },
  })
  t.match(created, { name: 'www', ttl: 3600 })
  if (!('id' in created)) return t.fail('it was scheduled')
  const changes = [{ action: 'update' as const, recordId: created.id, ttl: 300 }]
  const { planId } = await dns.POST('/api/v1/domains/{id}/records/plan', {
    path: { id },
    body: { changes, keep: true },
  })
  t.match(
    await dns.POST('/api/v1/domains/{id}/records/apply', {
      path: { id },
      body: { planId: planId as string },
    }),
    { applied: true },
  )
  t.match(
    await dns.GET('/api/v1/domains/{id}/records/export', { path: { id } }),
    /^www\t300\tIN\tA\t192\.0\.2\.1$/m,
  )
  t.equal(
    await dns.DELETE('/api/v1/domains/{id}/records/{recordId}', { path: { id, recordId: created.id } }),
    undefined,
  )
})

void t.test('`every` goes through all pages', async (t) => {
  const records = Array.from({ length: 5 }, (_, index) => ({
    recordType: 'A',
    name: `host${index}`,
    value: '192.0.2.1',
  }))
  await dns.POST('/api/v1/domains/{id}/records/bulk', { path: { id }, body: { records } })
  const byCursor: DnsRecord[] = []
  for await (const record of every('records', (page) =>
    dns.GET('/api/v1/domains/{id}/records', { path: { id }, query: { limit: 2, ...page } }),
  ))
    byCursor.push(record)
  t.same(
    byCursor.map(({ name }) => name),
    records.map(({ name }) => name),
  )
  const byNumber: string[] = []
  for await (const { name } of every('records', (page) =>
    dns.GET('/api/v1/records/search', { query: { q: 'host', limit: 2, ...page } }),
  ))
    byNumber.push(name)
  t.same(
    byNumber.sort(),
    records.map(({ name }) => name),
  )
})

void t.test('an error carries the problem', async (t) => {
  const error = await refusal(
    dns.POST('/api/v1/domains/{id}/records', {
      path: { id },
      body: { recordType: 'A', name: 'www', value: '192.0.2.256' },
    }),
  )
  t.match(error, { status: 400, code: 'validation_failed', errors: [{ path: '/value' }], retryAfter: null })
  t.match(error.message, /192\.0\.2\.256/)
  t.match(await refusal(dns.DELETE('/api/v1/domains/{id}', { path: { id } })), {
    status: 403,
    code: 'permission_missing',
  })
  const stranger = createClient({ url, token: 'zk_wrong' })
  t.match(await refusal(stranger.GET('/api/v1/domains')), { status: 401, code: 'unauthenticated' })
})

void t.test('a busy service is asked again when it says so', async (t) => {
  const busy = await startBusy(t)
  const waits: number[] = []
  const patient = createClient({
    url: busy.url,
    token,
    retries: 2,
    longestWait: 5,
    onWait: (seconds) => waits.push(seconds),
  })

  busy.answers.push(
    { status: 429, retryAfter: '0' },
    { status: 503, retryAfter: new Date().toUTCString() },
    { status: 200 },
  )
  t.same(await patient.POST('/api/v1/domains/{id}/records/plan', { path: { id }, body: { changes: [] } }), {
    ok: true,
  })
  t.equal(busy.keys.length, 3)
  t.same(waits, [0, 0], 'and it is told')
  t.match(busy.keys[0], /^[0-9a-f-]{36}$/)
  t.equal(new Set(busy.keys).size, 1, 'with the same Idempotency-Key')

  busy.answers.push(...Array.from({ length: 3 }, () => ({ status: 429, retryAfter: '0' })))
  t.match(await refusal(patient.GET('/api/v1/domains')), { status: 429, retryAfter: 0 }, 'not for ever')
  t.equal(busy.answers.length, 0)

  busy.answers.push({ status: 429, retryAfter: '6' })
  t.match(await refusal(patient.GET('/api/v1/domains')), { status: 429, retryAfter: 6 }, 'nor for long')

  busy.answers.push({ status: 503, retryAfter: '4' })
  const signal = AbortSignal.timeout(20)
  await t.rejects(
    patient.GET('/api/v1/domains', { signal }),
    { name: 'TimeoutError' },
    'the wait can be given up',
  )

  busy.answers.push({ status: 500 })
  t.match(await refusal(patient.GET('/api/v1/domains')), { status: 500 }, 'a fault is not repeated')
  busy.answers.push({ status: 200, type: 'text/html' })
  t.match((await refusal(patient.GET('/api/v1/domains'))).message, /web page/)
  busy.answers.push({ status: 301, location: '/elsewhere' })
  await t.rejects(patient.GET('/api/v1/domains'), TypeError, 'nor does it follow to other places')
})

/** What a call is refused with. */
async function refusal(promise: Promise<unknown>): Promise<ZonekeeperError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof ZonekeeperError) return error
  throw new Error('It was not refused', { cause: error })
}

interface Planned {
  status: number
  retryAfter?: string
  type?: string
  location?: string
}

/** A service that answers what the test says, and notes the Idempotency-Keys that come. */
async function startBusy(t: { teardown(end: () => unknown): void }) {
  const answers: Planned[] = []
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    const { status, retryAfter, type = 'application/json', location } = answers.shift() as Planned
    if (request.method === 'POST') keys.push(request.headers['idempotency-key'])
    response.writeHead(status, {
      'content-type': type,
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
      ...(location !== undefined && { location }),
    })
    response.end(JSON.stringify({ ok: status === 200 }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answers, keys }
}
