import { createHmac } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import type { Api, Call, FinishedRequest } from '../../../modules/providers/client/client.ts'
import { failure, json, ok, start } from './setup.ts'

/* What is sent to a provider, and what is taken as its answer. */

const sign = (method: string, target: string, headers: NodeJS.Dict<unknown>, body: Uint8Array) =>
  createHmac('sha256', 'key')
    .update(`${method}\n${target}\n${String(headers['host'])}\n${String(headers['content-type'])}\n`)
    .update(body)
    .digest('hex')

void t.test('who signs sees the request to the byte', async (t) => {
  const authenticate = ({ method, url, headers, body }: FinishedRequest) => ({
    Authorization: sign(method, url.pathname + url.search, headers, body),
  })
  const { client, server } = await start(t, [ok()], { authenticate })
  const calls: Call[] = [
    { method: 'GET', query: { name: "ä b+*'", empty: undefined, type: ['A', 'TXT'], page: 2 } },
    { json: { value: '"ä" \\ 💧' } },
    { form: { Action: 'Add', Value: 'a+b & ä=*', TTL: 600, none: undefined } },
    { text: '<x>ä</x>', contentType: 'application/xml' },
    { bytes: Uint8Array.of(0, 255, 128, 10), method: 'PUT' },
    { method: 'DELETE' },
  ]
  for (const call of calls) await client.write('/records', call)
  for (const { method, target, headers, bytes } of server.requests) {
    t.equal(headers.authorization, sign(method, target, headers, bytes), `${method} ${target}`)
  }
  t.match(
    server.requests.map(({ method, headers, body }) => [method, headers['content-type'], body]),
    [
      ['GET', undefined, ''],
      ['POST', 'application/json', '{"value":"\\"ä\\" \\\\ 💧"}'],
      ['POST', 'application/x-www-form-urlencoded', 'Action=Add&Value=a%2Bb+%26+%C3%A4%3D*&TTL=600'],
      ['POST', 'application/xml', '<x>ä</x>'],
      ['PUT', 'application/octet-stream', String],
      ['DELETE', undefined, ''],
    ],
  )
  t.same(server.requests[4]?.bytes, Buffer.from([0, 255, 128, 10]))
  t.equal(server.requests[0]?.target, '/v1/records?name=%C3%A4%20b%2B%2A%27&type=A&type=TXT&page=2')
})

void t.test('each try is signed anew', async (t) => {
  const times: number[] = []
  const { client, clock } = await start(t, [json(502, {}), ok()], {
    authenticate: () => {
      times.push(clock.now())
      return { 'x-date': String(clock.now()) }
    },
  })
  await client.read('/')
  t.ok((times[1] ?? 0) > (times[0] ?? 0))
})

void t.test('a complete address is called only where the account is', async (t) => {
  const { client, server } = await start(t, [ok()])
  await client.read(`${server.url}/v1/zones?cursor=2`)
  t.match(server.requests, [{ path: '/v1/zones' }])
  for (const address of ['http://127.0.0.1:1/v1/zones', 'https://evil.example/', 'http://']) {
    t.match(await failure(client.read(address)), { kind: 'unavailable', outcome: 'not_applied' })
  }
  t.equal(server.requests.length, 1)
})

void t.test('answers: JSON of a form, text, bytes, none', async (t) => {
  const schema = Type.Object({ zones: Type.Array(Type.Object({ id: Type.Number() })) })
  const zones = await start(t, [ok({ zones: [{ id: 1 }] })])
  t.same((await zones.client.read('/', { schema })).body.zones, [{ id: 1 }])
  const other = await start(t, [ok({ zones: [{ id: '1' }] })])
  t.match(await failure(other.client.read('/', { schema })), {
    kind: 'unavailable',
    message: "The answer is not in Example's format",
  })
  t.match(await failure(other.client.write('/', { schema })), { outcome: 'unknown' })
  const page = await start(t, [{ status: 200, body: '<html>' }], { isOwnAddress: true })
  t.match(await failure(page.client.read('/')), { kind: 'unavailable', message: /check apiUrl/ })
  t.equal((await page.client.read('/', { as: 'text' })).body, '<html>')
  await page.client.write('/', { as: 'none' })
  t.match(await failure(page.client.write('/', { as: 'none', status: 204 })), {
    kind: 'unavailable',
    outcome: 'unknown',
  })
  t.match(await failure(page.client.write('/', { as: 'empty' })), {
    kind: 'unavailable',
    outcome: 'unknown',
  })
  const bytes = await start(t, [{ status: 200, body: Uint8Array.of(0, 255, 128) }])
  t.same((await bytes.client.read('/', { as: 'bytes' })).body, Buffer.from([0, 255, 128]))
  const empty = await start(t, [{ status: 204 }])
  t.equal((await empty.client.write('/', { method: 'DELETE' })).body, undefined)
  t.equal((await empty.client.write('/', { as: 'empty' })).body, null)
})

void t.test('a large answer is bounded by what a zone may have', async (t) => {
  const list = (count: number) => ok(Array.from({ length: count }, (_, i) => ({ id: i })))
  const sized = await start(t, [list(1_000)], {}, { maxZoneRecords: 10 })
  t.equal(((await sized.client.read('/')).body as unknown[]).length, 1_000)
  t.match(await failure(sized.client.read('/', { large: true })), { kind: 'too_large' })
  const valued = await start(t, [ok(Array.from({ length: 1_000 }, () => 1))], {}, { maxZoneRecords: 10 })
  t.match(
    await failure(valued.client.read('/', { large: true })),
    { kind: 'too_large' },
    'in bytes and in values',
  )
  const huge = await start(t, [ok('x'.repeat(1024 * 1024))])
  t.match(await failure(huge.client.read('/')), { kind: 'too_large', message: /1 MiB/ })
  await huge.client.read('/', { large: true })
})

void t.test('73. no text shows a secret', async (t) => {
  const secret = 'a+b/"c" key=='
  const token = 'short-lived-token-5519'
  const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64'), token]
  const logged: unknown[] = []
  const log = { debug: (...words: unknown[]) => void logged.push(words), info: () => {}, warn: () => {} }
  const api: Partial<Api> = {
    secrets: [secret],
    authenticate: () => ({ authorization: `Bearer ${token}` }),
    explain: ({ body }) => ({ reason: (body as { message: string }).message }),
  }
  const answer = json(400, { message: `${forms.join(' ')} <\u0000\u001b[1m \n${'x'.repeat(500)}` })
  const { client } = await start(t, [answer], api, { log })
  const { message, stack } = await failure(client.read(`/${token}`))
  for (const form of forms) t.notOk(`${message}${stack}${JSON.stringify(logged)}`.includes(form), form)
  t.match(message, /^Example refuses this: \*\*\* \*\*\* \*\*\* \*\*\* < \[1m x+…$/)
  t.ok(message.length < 350)
  t.match(logged, [[{ provider: 'Example', method: 'GET', path: '/v1/***', status: 400 }, String]])
})
