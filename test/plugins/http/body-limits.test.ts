import { getHeapStatistics } from 'node:v8'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { call, startApp } from '../../helpers/app.ts'
import { isProblem } from '../../helpers/problem.ts'

const { app, admin } = await startApp(t, {
  extend(app) {
    const Body = Type.Object({ list: Type.Array(Type.String({ maxLength: 5 })) })
    const config = { access: 'user' } as const
    app.post('/test/list', { config, bodyLimit: 2 ** 20, schema: { body: Body } }, async () => 'ok')
    app.post('/test/wait', { config, bodyLimit: 2 ** 30, schema: { body: Type.Any() } }, () => waiting)
  },
})
const { promise: waiting, resolve: goOn } = Promise.withResolvers<string>()

interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  maxItems?: number
  maxLength?: number
  format?: string
}
interface Operation {
  operationId?: string
  security?: object[]
  requestBody?: { content: { 'application/json'?: { schema: Schema } } }
}
type Description = Record<string, unknown> & { paths: Record<string, Record<string, Operation>> }

const description = app.swagger() as unknown as Description
const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) => {
    const schema = operation.requestBody?.content['application/json']?.schema
    return schema ? [{ ...operation, method, path, schema }] : []
  }),
)

/** Bytes of the largest JSON that the schema allows, with one byte for each character; unknown members apart. */
function largest(schema: Schema): number {
  if (schema.$ref !== undefined) {
    const names = schema.$ref.split('/').slice(1)
    return largest(
      names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], description) as Schema,
    )
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const).length
  if (schema.enum) return Math.max(...schema.enum.map((value) => JSON.stringify(value).length))
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return Math.max(...alternatives.map(largest))
  if (schema.allOf) return schema.allOf.reduce((sum, part) => sum + largest(part), 0)
  const types = new Set([schema.type].flat())
  if (types.has('object')) {
    const members = Object.entries(schema.properties ?? {})
    return members.reduce((sum, [name, member]) => sum + name.length + 4 + largest(member), 2)
  }
  if (types.has('array')) return 2 + (schema.maxItems ?? Infinity) * (1 + largest(schema.items ?? {}))
  if (types.has('string')) return 2 + (schema.maxLength ?? (schema.format === undefined ? Infinity : 40))
  return 24
}

/** A body of that many bytes; nothing in it is known, so it does nothing. */
const padded = (bytes: number) => JSON.stringify({ x: 'x'.repeat(bytes - '{"x":""}'.length) })

const send = (method: string, path: string, payload: string, token?: string) =>
  call(app, {
    method,
    url: path.replace('{type}', 'A').replaceAll(/\{\w+\}/g, '0192f0a0-0000-7000-8000-000000000009'),
    payload,
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  })

const RECORDS =
  /^\/api(\/v1)?\/(domains\/\{id\}\/records(\/\{recordId\}|\/bulk|\/plan|\/apply)?|domains\/\{id\}\/rrsets\/(\{name\}\/\{type\}|batch)|domains\/\{id\}\/change-requests|change-requests\/\{id\})$/

const MANY_DOMAINS = /^\/api(\/v1)?\/(records\/replace|templates(\/\{id\})?)$/

const boundOf = ({ path, security }: (typeof operations)[number]): number => {
  const isPublic = !(security ?? []).some((scheme) =>
    Object.keys(scheme).some((name) => name.endsWith('Token')),
  )
  if (isPublic) return 16 * 1024
  if (path.endsWith('/domains/{id}/records/import')) return 5 * 2 ** 20
  return RECORDS.test(path) || MANY_DOMAINS.test(path) ? 2 ** 20 : 64 * 1024
}

void t.test(
  '86. each route has a bound for its body, in which what its schema allows has room',
  async (t) => {
    t.ok(operations.length > 50)
    for (const operation of operations) {
      const { operationId, method, path, schema } = operation
      const bound = boundOf(operation)
      // Routes of this test have none; after signing out nothing could be sent, nor is this the second step of it.
      if (operationId === undefined || ['logout', 'verifySecondFactor'].includes(operationId)) continue
      const size = largest(schema)
      // A value of a record may be as long as one in DNS; not all of many at once.
      if (!RECORDS.test(path)) t.ok(size <= bound * 1.05, `${operationId}: ${size} bytes in ${bound}`)
      // Routes of this test have none; after signing out nothing could be sent, nor is this the second step of it.
      if (operationId === undefined || ['logout', 'verifySecondFactor'].includes(operationId)) continue
      t.match(await send(method, path, padded(bound + 1), admin.accessToken), { status: 413 }, operationId)
      if (bound > 64 * 1024) continue
      const { status } = await send(method, path, padded(bound), admin.accessToken)
      t.not(status, 413, `${operationId} takes ${bound} bytes`)
    }
  },
)

void t.test('86. values that are cheap to send are counted', async (t) => {
  const answer = await send('post', '/api/auth/refresh', `{"x":[${'{},'.repeat(2000)}{}]}`)
  isProblem(t, answer, 400, 'validation_failed')
  t.match(answer.body.detail, /more than 1024 values/)
})

void t.test('96. of a large body the first error is named', async (t) => {
  const post = (list: unknown[]) => send('post', '/test/list', JSON.stringify({ list }), admin.accessToken)
  const few = await post(Array.from({ length: 30 }, () => 'too long'))
  t.equal(few.body.errors.length, 20, 'of a small one twenty')
  const many = await post(Array.from({ length: 60_000 }, () => 'too long'))
  isProblem(t, many, 400, 'validation_failed')
  t.same(many.body.errors, [
    {
      path: '/list/0',
      message: 'must have at most 5 characters',
      code: 'max_length',
      params: { limit: 5 },
    },
  ])
})

void t.test('86. large bodies are taken as far as there is room for all of them', async (t) => {
  const room = getHeapStatistics().heap_size_limit / 32
  const large = padded(Math.floor(room * 0.6))
  const first = send('post', '/test/wait', large, admin.accessToken)
  // It is taken when its token was looked at, which the next request waits for as well.
  await admin.get('/api/auth/me')
  const second = await send('post', '/test/wait', large, admin.accessToken)
  isProblem(t, second, 503, 'unavailable')
  t.ok(Number(second.headers['retry-after']) > 0)
  t.match(await admin.get('/api/auth/me'), { status: 200 }, 'others are served')
  goOn('done')
  t.match(await first, { status: 200 })
  t.match(
    await send('post', '/test/wait', large, admin.accessToken),
    { status: 200 },
    'and there is room again',
  )
})
