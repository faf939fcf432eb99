import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import t from 'tap'
import { AppError } from '../../../../plugins/http/errors.ts'
import { call, startApp, type Client } from '../../../helpers/app.ts'
import { withoutShared } from '../../../helpers/openapi.ts'

/** How often each route of the test did its work. */
const done: Record<string, number> = {}
const count = (route: string) => (done[route] = (done[route] ?? 0) + 1)
let release = () => {}
let failing = true

const { app, addUser, signIn, admin, database } = await startApp(t, {
  extend(app) {
    const config = { access: 'user' } as const
    app.post('/test/create', { config }, (_request, reply) =>
      reply
        .code(201)
        .header('location', '/test/1')
        .send({ number: count('create') }),
    )
    app.post('/test/refuse', { config }, () => {
      throw new AppError(409, 'conflict', `Refused ${count('refuse')}`)
    })
    app.post('/test/fail', { config }, () => {
      count('fail')
      if (failing) throw new AppError(502, 'provider_error', 'Not now')
      return { fine: true }
    })
    app.post('/test/slow', { config }, async () => {
      await new Promise<void>((resolve) => (release = resolve))
      return { number: count('slow') }
    })
    app.post('/test/empty', { config }, (_request, reply) => {
      count('empty')
      return reply.code(204).send()
    })
    app.post('/test/secret', { config: { ...config, secretAnswer: true } }, () => ({
      number: count('secret'),
    }))
    app.put('/test/put', { config }, () => ({ number: count('put') }))
  },
})

let keys = 0
const newKey = () => `key-${keys++}`

const post = (who: Client, url: string, key: string, body: unknown = { a: 1 }) =>
  who.post(url, body, { headers: { 'idempotency-key': key } })

void t.test('a repeat gets the first answer and does nothing again', async (t) => {
  const key = newKey()
  const first = await post(admin, '/test/create', key)
  const repeat = await post(admin, '/test/create', key)
  t.match(first, { status: 201, body: { number: 1 }, headers: { location: '/test/1' } })
  t.notOk('idempotency-replayed' in first.headers)
  t.same({ status: repeat.status, body: repeat.body }, { status: first.status, body: first.body })
  t.match(repeat.headers, {
    location: '/test/1',
    'content-type': first.headers['content-type'],
    'idempotency-replayed': 'true',
    'cache-control': 'no-store',
  })
  t.equal(done['create'], 1)
})

void t.test('without a key, or with another, it is done again', async (t) => {
  const before = done['create'] ?? 0
  await admin.post('/test/create', { a: 1 })
  await admin.post('/test/create', { a: 1 })
  await post(admin, '/test/create', newKey())
  await post(admin, '/test/create', newKey())
  t.equal(done['create'], before + 4)
})

void t.test('the key with another request is 409', async (t) => {
  const key = newKey()
  await post(admin, '/test/create', key, { a: 1 })
  const before = { ...done }
  t.match(await post(admin, '/test/create', key, { a: 2 }), { status: 409, body: { code: 'conflict' } })
  t.match(await post(admin, '/test/refuse', key, { a: 1 }), {
    status: 409,
    body: { detail: /different request/ },
  })
  t.same(done, before)
})

void t.test('a key belongs to its user', async (t) => {
  await addUser('other')
  const other = await signIn('other')
  const key = newKey()
  const first = await post(admin, '/test/create', key)
  const theirs = await post(other, '/test/create', key)
  t.equal(theirs.status, 201)
  t.not(theirs.body.number, first.body.number)
})

void t.test('a parallel repeat is told to wait; afterwards it gets the answer', async (t) => {
  const key = newKey()
  const [first, ...others] = Array.from({ length: 5 }, () => post(admin, '/test/slow', key))
  const early = await Promise.race(others)
  t.match(early, { status: 409, body: { code: 'conflict' }, headers: { 'retry-after': /^\d+$/ } })
  // Whichever came first does the work; one that comes after it is done gets the same answer.
  const all = Promise.all([first, ...others])
  while ((done['slow'] ?? 0) === 0) {
    release()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const answers = await all
  t.ok(answers.some((answer) => answer?.status === 200))
  for (const answer of answers) {
    if (answer?.status === 200) t.equal(answer.body.number, 1)
    else t.equal(answer?.status, 409)
  }
  t.equal(done['slow'], 1)
  t.match(await post(admin, '/test/slow', key), { status: 200, body: { number: 1 } })
})

void t.test('a refusal (4xx) is kept', async (t) => {
  const key = newKey()
  const first = await post(admin, '/test/refuse', key)
  const repeat = await post(admin, '/test/refuse', key)
  t.match(first, { status: 409, body: { detail: /^Refused/ } })
  t.same(repeat.body, first.body)
  t.match(repeat.headers['content-type'], /^application\/problem\+json/)
})

void t.test('a failure (5xx) is not: that is what clients repeat for', async (t) => {
  const key = newKey()
  t.equal((await post(admin, '/test/fail', key)).status, 502)
  failing = false
  t.match(await post(admin, '/test/fail', key), { status: 200, body: { fine: true } })
  t.equal(done['fail'], 2)
})

void t.test('nor is a body that was refused before the work', async (t) => {
  const key = newKey()
  t.equal((await post(admin, '/api/domains', key, { name: 5 })).status, 400)
  const { status, body } = await post(admin, '/api/domains', key, { name: 'x' })
  t.equal(status, 400)
  t.notMatch(body.detail, /Idempotency-Key/)
})

void t.test('an answer without a body is kept too', async (t) => {
  const key = newKey()
  t.equal((await post(admin, '/test/empty', key)).status, 204)
  t.equal((await post(admin, '/test/empty', key)).status, 204)
  t.equal(done['empty'], 1)
})

void t.test('an answer that shows a secret is never stored', async (t) => {
  const key = newKey()
  await post(admin, '/test/secret', key)
  await post(admin, '/test/secret', key)
  t.equal(done['secret'], 2)
  const token = await post(admin, '/api/auth/me/tokens', newKey(), {
    name: 'x',
    permissions: ['records:read'],
  })
  t.equal(token.status, 201)
  const { rows } = await sql<{
    row: string
  }>`select idempotency_keys::text as row from idempotency_keys`.execute(database.db)
  for (const { row } of rows) t.notOk(row.includes(token.body.token))
})

void t.test('76. of a request that holds a password only a keyed digest is stored', async (t) => {
  const body = { username: 'keyed', password: 'a password to be guessed', role: 'member' }
  const key = newKey()
  t.equal((await post(admin, '/api/users', key, body)).status, 201)
  const row = await database.db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  const plain = createHash('sha256')
    .update(`/api/users\n${JSON.stringify(body)}`)
    .digest()
  t.notSame(row.request_hash, plain)
  t.equal(row.request_hash.length, 32)
  t.notMatch(row.body, body.password)
})

void t.test('76. no answer that is stored has a secret, over all routes', async (t) => {
  const document = withoutShared((await call(app, { url: '/openapi.json' })).body)
  const schemas = document.components.schemas as Record<string, Schema>
  const heeding: [string, Operation][] = Object.entries(
    document.paths as Record<string, { post?: Operation }>,
  )
    .flatMap(([path, { post: operation }]) => (operation ? [[path, operation] as [string, Operation]] : []))
    .filter(([, { parameters }]) => parameters?.some(({ name }) => name === 'Idempotency-Key'))
  t.ok(heeding.length > 20)
  for (const [path, { responses }] of heeding) {
    const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
    const found = answers.flatMap(([, { content }]) =>
      Object.values(content ?? {}).flatMap(({ schema }) => secretsIn(schema, schemas)),
    )
    t.same(found, [], path)
  }
  const shows = (path: string) => {
    const answer = document.paths[path]?.['post']?.responses['201']?.content?.['application/json']
    return secretsIn(answer?.schema as Schema, schemas)
  }
  t.same(shows('/api/auth/me/tokens'), ['token'], 'and it is seen where there is one')
  t.notOk(heeding.some(([path]) => path === '/api/auth/me/tokens'))
})

interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

interface Operation {
  parameters?: { name: string }[]
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/** Names of texts that would be secrets; what is masked is none. */
const SECRET = /^(token|.*Token|.*[sS]ecret|password|.*Password|ticket|recoveryCodes|otpauthUrl|challenge)$/

/** A `token` with a name and an end is the mark of one, not the token. */
const isText = ({ type, anyOf = [] }: Schema): boolean =>
  type === undefined ? anyOf.some(isText) : [type].flat().includes('string')

function secretsIn(schema: Schema, all: Record<string, Schema>, above: readonly Schema[] = []): string[] {
  const resolved = schema.$ref === undefined ? schema : all[schema.$ref.split('/').at(-1) as string]
  const isMasked = schema.$ref?.includes('/Masked') === true
  if (resolved === undefined || isMasked || above.includes(resolved)) return []
  const look = (inner: Schema) => secretsIn(inner, all, [...above, resolved])
  const { properties = {}, items, anyOf = [], oneOf = [] } = resolved
  const named = Object.entries(properties).filter(([name, value]) => SECRET.test(name) && isText(value))
  return [
    ...named.map(([name]) => name),
    ...[...Object.values(properties), ...(items ? [items] : []), ...anyOf, ...oneOf].flatMap(look),
  ]
}

void t.test('other methods do not heed it', async (t) => {
  const headers = { 'idempotency-key': newKey() }
  await admin.put('/test/put', { a: 1 }, { headers })
  await admin.put('/test/put', { a: 1 }, { headers })
  t.equal(done['put'], 2)
})

void t.test('a key that is none is refused', async (t) => {
  for (const key of ['', ' ', 'a b', 'ü', 'x'.repeat(201)]) {
    const answer = await post(admin, '/test/create', key)
    t.match(answer, { status: 400, body: { errors: [{ path: '/Idempotency-Key' }] } }, encodeURI(key))
  }
  t.equal((await post(admin, '/test/create', 'x'.repeat(200))).status, 201)
})

void t.test('a key whose first request died counts again when its lease ends', async (t) => {
  const key = newKey()
  await sql`insert into idempotency_keys (user_id, key, request_hash, lease_until)
    values (${admin.userId}, ${key}, '\\x00', now() + interval '60 seconds')`.execute(database.db)
  t.equal((await post(admin, '/test/create', key)).status, 409)
  await sql`update idempotency_keys set lease_until = now() where key = ${key}`.execute(database.db)
  t.equal((await post(admin, '/test/create', key)).status, 201)
})
