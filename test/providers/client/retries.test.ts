import t from 'tap'
import type { ProviderErrorKind } from '../../../modules/providers/contract.ts'
import type { Answer, Failure } from '../../../modules/providers/client/client.ts'
import { failure, json, ok, start } from './setup.ts'

/* Which calls are made again, when, and what their failures are. */

const html = (status: number, headers = {}) => ({ status, headers, body: '<html>stack trace</html>' })

void t.test('what passes is tried again, with growing pauses, but no write of unknown outcome', async (t) => {
  const passing = await start(t, [html(502), html(503), ok({ id: 1 })])
  t.same((await passing.client.read('/')).body, { id: 1 })
  t.equal(passing.server.requests.length, 3)
  const [first = 0, second = 0] = passing.clock.waits
  t.ok(first >= 125 && first <= 375 && second >= 250 && second <= 750, passing.clock.waits.join())
  t.same(passing.turns, ['read', 'read', 'read'], 'each try counts')

  const lasting = await start(t, [html(502)])
  const error = await failure(lasting.client.read('/'))
  t.match(error, { kind: 'unavailable', message: /Example, or a proxy before it, fails with status 502/ })
  t.equal(lasting.server.requests.length, 3)

  const write = await start(t, [html(502)])
  t.match(await failure(write.client.write('/', { json: {} })), { kind: 'unavailable', outcome: 'unknown' })
  t.equal(write.server.requests.length, 1)
})

void t.test('a connection that breaks', async (t) => {
  const { client, server, clock } = await start(t, [ok()])
  server.fail({ kind: 'cut' })
  await client.read('/')
  t.equal(server.requests.length, 2)
  server.fail({ kind: 'cut' })
  t.match(await failure(client.write('/', { json: {} })), { kind: 'unavailable', outcome: 'unknown' })
  t.equal(server.requests.length, 3)
  await server.close()
  clock.waits.length = 0
  t.match(await failure(client.write('/', { json: {} })), { kind: 'unavailable', outcome: 'not_applied' })
  t.equal(clock.waits.length, 2, 'what was never sent is sent again')
})

void t.test('Retry-After is waited for, by all of the account, where there is time', async (t) => {
  const soon = await start(t, [html(429, { 'retry-after': '7' }), ok()])
  await soon.client.write('/', { json: {} })
  t.same(soon.clock.waits, [7_000])
  t.same(soon.pauses, [7_000])
  const late = await start(t, [html(429, { 'retry-after': '60' })])
  const error = await failure(late.client.write('/', { json: {} }))
  t.match(error, {
    kind: 'rate_limited',
    outcome: 'not_applied',
    retryAfter: 60,
    message: /too many requests/,
  })
  t.same(late.clock.waits, [])
  t.same(late.pauses, [60_000])
  const unsaid = await start(t, [html(429)])
  t.match(await failure(unsaid.client.read('/')), { kind: 'rate_limited', retryAfter: undefined })
  t.same(unsaid.pauses, [1_000, 2_000, 4_000])
  const busy = await start(t, [html(503, { 'retry-after': '2' }), ok()])
  await busy.client.read('/')
  t.same(busy.clock.waits, [2_000])
})

void t.test('the end of the request ends the tries', async (t) => {
  const signal = AbortSignal.abort()
  const { client, server } = await start(t, [ok()], {}, { signal })
  t.match(await failure(client.read('/')), { kind: 'timeout', outcome: 'not_applied' })
  t.equal(server.requests.length, 0)
  const ended = new AbortController()
  const during = await start(t, () => (ended.abort(), html(502)), {}, { signal: ended.signal })
  t.match(await failure(during.client.read('/')), { kind: /unavailable|timeout/ })
  t.equal(during.server.requests.length, 1)
})

const STATUSES: [number, ProviderErrorKind, ('not_applied' | 'unknown')?][] = [
  [301, 'unavailable'],
  [400, 'rejected'],
  [401, 'auth'],
  [402, 'quota'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [405, 'unavailable'],
  [409, 'conflict'],
  [413, 'rejected'],
  [422, 'rejected'],
  [423, 'locked'],
  [429, 'rate_limited'],
  [500, 'unavailable', 'unknown'],
  [504, 'unavailable', 'unknown'],
]

void t.test('what a status means where the provider has no other meaning for it', async (t) => {
  for (const [status, kind, outcome = 'not_applied'] of STATUSES) {
    const { client } = await start(t, [json(status, { why: 1 })], {}, { maxTries: 1 })
    t.match(await failure(client.write('/', { json: {} })), { kind, outcome, status }, `${status}`)
  }
  const elsewhere = await start(t, [html(404)], { isOwnAddress: true })
  t.match(await failure(elsewhere.client.read('/')), {
    kind: 'unavailable',
    message: 'No Example API at this address (status 404): check apiUrl',
  })
})

void t.test('what an answer means is the adapter’s to say', async (t) => {
  const CODES: Record<string, Failure> = {
    Throttling: { kind: 'rate_limited' },
    InUse: { kind: 'locked' },
    Duplicate: { kind: 'conflict' },
    Broken: { kind: 'unavailable' },
    Half: { kind: 'rejected', outcome: 'unknown' },
  }
  const explain = ({ body }: Answer): Failure | 'applied' | undefined => {
    const { code, text } = body as { code?: string; text?: string }
    if (code === 'Unchanged') return 'applied'
    return code === undefined ? undefined : { ...CODES[code], code, reason: text }
  }
  const call = async (status: number, body: object) => {
    const { client } = await start(t, [json(status, body)], { explain }, { maxTries: 1 })
    return client.write('/', { json: {} })
  }
  const cases: [number, object, object][] = [
    [400, { code: 'Throttling' }, { kind: 'rate_limited', outcome: 'not_applied' }],
    [
      200,
      { code: 'Duplicate', text: 'is there' },
      { kind: 'conflict', message: /is there$/, code: 'Duplicate' },
    ],
    [200, { code: 'Duplicate' }, { outcome: 'not_applied' }],
    [200, { code: 'Broken' }, { kind: 'unavailable', outcome: 'unknown' }],
    [200, { code: 'Half' }, { kind: 'rejected', outcome: 'unknown' }],
    [400, { code: 'InUse' }, { kind: 'locked', outcome: 'not_applied' }],
  ]
  for (const [status, body, expected] of cases) {
    t.match(await failure(call(status, body)), expected, JSON.stringify([status, body]))
  }
  t.match(await call(400, { code: 'Unchanged' }), { status: 400 }, 'done, whatever the status says')
  await t.resolves(call(200, {}))
})
