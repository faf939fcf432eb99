import { AjvCompiler } from '@fastify/ajv-compiler'
import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { ERROR_CODES } from '../../../schemas/problem.ts'
import { call, startApp } from '../../helpers/app.ts'
import { operationsOf, type Media, type OpenApiDocument } from '../../helpers/openapi.ts'

const { app, database } = await startApp(t, { environment: { SITE_URL: 'https://dns.example.com' } })
const answer = await call(app, { url: '/openapi.json' })
const document = answer.body as OpenApiDocument

const operations = operationsOf(document)

void t.test('is OpenAPI 3.1 and validates', async (t) => {
  t.equal(answer.status, 200)
  t.match(answer.headers['content-type'], /^application\/json/)
  t.equal(document.openapi, '3.1.0')
  const validator = new Validator()
  const result = await validator.validate({ ...structuredClone(document) })
  t.ok(result.valid, JSON.stringify(result))
  t.equal(validator.version, '3.1')
  t.match(document.info, { title: 'Zonekeeper', version: /^\d+\.\d+\.\d+/, license: { name: 'MIT' } })
  t.same(document.servers, [{ url: 'https://dns.example.com' }])
})

void t.test('covers every route', async (t) => {
  const routes = routesOf(app.printRoutes({ commonPrefix: false })).flatMap(({ methods, url }) =>
    methods
      .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
      .map((method) => ({ url, name: `${method} ${url.replace(/:(\w+)/g, '{$1}')}` })),
  )
  t.ok(routes.length >= 40, 'there are routes at all')
  const described = new Set(operations.map(({ name }) => name))
  for (const { url, name } of routes) if (!isPage(url)) t.ok(described.has(name), name)
  const there = new Set(routes.map(({ name }) => name))
  for (const { name } of operations) t.ok(there.has(name), `${name} exists`)
})

/** Pages for people are not described, nor what describes itself in a protocol of its own. */
const isPage = (url: string) =>
  url === '/' ||
  url === '/mcp' ||
  // PowerDNS documents these.
  /^\/api(\/v1(\/servers.*)?)?$/.test(url) ||
  /^\/(openapi\.json|api\/v1\/openapi\.json|docs|guide|confirm-email|reset-password|register)/.test(url)

/** The routes of Fastify's own listing: a tree, in which each line continues the path of the one above it. */
function routesOf(tree: string): { methods: string[]; url: string }[] {
  const parents: string[] = []
  return tree.split('\n').flatMap((line) => {
    const match = /^((?:│ {3}| {4})*)(?:├──|└──) (\S*?)(?: \(([A-Z, ]+)\))?$/.exec(line)
    if (!match) return []
    const [, indent = '', part = '', methods] = match
    const depth = indent.length / 4
    parents.length = depth
    const url = parents.join('') + part
    parents.push(part)
    return methods === undefined ? [] : [{ methods: methods.split(', '), url }]
  })
}

void t.test('every operation', async (t) => {
  const tags = new Set(document.tags.map(({ name }) => name))
  const ids = operations.map(({ operation }) => operation.operationId)
  t.equal(new Set(ids).size, ids.length, 'operationIds are unique')
  for (const { name, path, operation } of operations) {
    await t.test(name, async (t) => {
      t.match(operation.operationId, /^[a-z][A-Za-z0-9]+$/, 'has an operationId that can be a function')
      t.match(operation.summary, /^[A-Z].{5,}[^.]$/, 'has a summary')
      t.match(operation.description, /^\S[^]{20,}\.$/, 'has a description')
      t.not(
        operation.description?.startsWith(operation.summary ?? ''),
        true,
        'which does not repeat the summary',
      )
      t.equal(operation.tags?.length, 1, 'has one tag')
      for (const tag of operation.tags ?? []) t.ok(tags.has(tag), `tag ${tag} is described`)
      t.ok(Array.isArray(operation.security), 'says who may call it')
      for (const scheme of (operation.security ?? []).flatMap((entry) => Object.keys(entry))) {
        t.ok(scheme in document.components.securitySchemes, `${scheme} is described`)
      }
      const statuses = Object.keys(operation.responses)
      t.ok(
        statuses.some((status) => /^[23]/.test(status)),
        'has an answer that is no error',
      )
      if (operation.security?.length) t.ok(statuses.includes('401'), 'may be 401')
      if (operation.requestBody)
        t.ok(statuses.includes('400') && statuses.includes('415'), 'may be 400 and 415')
      t.ok(statuses.includes('500'))
      const bare = Object.entries(operation.responses).filter(
        ([, { description = '' }]) => !/^(?!Default Response)./.test(description),
      )
      t.same(bare, [], 'all answers are described')
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
      const described = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      t.same(
        new Set(described.map((parameter) => parameter.name)),
        new Set(inPath),
        'has its path parameters',
      )
    })
  }
})

/** Makes the references of the document those of an Ajv that knows each component by its name. */
const named = <S>(schema: S): S =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"')) as S

const components = Object.entries(document.components.schemas).map(([name, schema]) => [
  name,
  { $id: name, ...named(schema) },
])
const compile = AjvCompiler()(Object.fromEntries(components), {
  customOptions: { strict: false, allErrors: true, coerceTypes: false, useDefaults: false },
})

/** By their schemas: the errors of all operations look alike. */
const validators = new Map<string, ReturnType<typeof compile>>()

/** What is wrong with a value, seen by a schema of the document. */
function faults(schema: object, value: unknown): unknown {
  const key = JSON.stringify(schema)
  const validate =
    validators.get(key) ?? compile({ schema: named(schema), method: 'GET', url: '/', httpPart: 'body' })
  validators.set(key, validate)
  return validate(value) ? null : (validate as { errors?: unknown }).errors
}

void t.test('a value that does not fit is found', async (t) => {
  t.not(faults({ type: 'integer' }, '1'), null)
  t.not(faults({ $ref: '#/components/schemas/Problem' }, { status: 'x' }), null)
})

void t.test('every body has an example that fits its schema', async (t) => {
  for (const { name, operation } of operations) {
    const bodies: [what: string, content: Record<string, Media> | undefined][] = [
      ['request', operation.requestBody?.content],
      ...Object.entries(operation.responses).map(
        ([status, { content }]) => [status, content] as [string, typeof content],
      ),
    ]
    const wrong = bodies.flatMap(([what, content]) =>
      Object.entries(content ?? {}).flatMap(([type, { schema, example }]): object[] => {
        if (!schema || example === undefined) return [{ what, type, lacks: 'schema or example' }]
        const found = faults(schema, example)
        return found === null ? [] : [{ what, type, example, found }]
      }),
    )
    t.same(wrong, [], name)
  }
})

void t.test('every parameter that has an example has one that fits', async (t) => {
  for (const { name, operation } of operations) {
    for (const { name: parameter, schema } of operation.parameters ?? []) {
      const examples = (schema['examples'] as unknown[] | undefined) ?? []
      const wrong = examples.map((example) => faults(schema, example)).filter((found) => found !== null)
      if (wrong.length > 0) t.same(wrong, [], `${name} ${parameter}`)
    }
  }
})

void t.test('an answer without a body has none', async (t) => {
  for (const { name, operation } of operations) {
    const { 204: none } = operation.responses as Record<number, { content?: object }>
    if (none) t.equal(none.content, undefined, name)
  }
})

void t.test('the codes of errors are a closed list', async (t) => {
  t.match(document.components.schemas['Problem'], {
    properties: { code: { $ref: '#/components/schemas/ErrorCode' } },
  })
  t.match(document.components.schemas['ErrorCode'], { type: 'string', enum: ERROR_CODES })
})

void t.test('errors are problem documents with a known code', async (t) => {
  for (const { name, operation } of operations) {
    const wrong = Object.entries(operation.responses).filter(([status, { content }]) => {
      if (Number(status) < 400) return false
      const { schema, example } = content?.['application/problem+json'] ?? {}
      const { status: shown, code } = (example ?? {}) as { status?: number; code?: string }
      const isProblem = /^#\/components\/schemas\/[A-Z]\w*Problem$|\/Problem$/.test(String(schema?.['$ref']))
      return !isProblem || shown !== Number(status) || !ERROR_CODES.some((known) => known === code)
    })
    t.same(wrong, [], name)
  }
})

void t.test('no example contradicts itself', async (t) => {
  const bodies = operations.flatMap(({ name, operation }) =>
    Object.entries(operation.responses).flatMap(([status, { content }]) =>
      Object.values(content ?? {}).map(({ example }) => ({ name, status, example })),
    ),
  )
  for (const { name, status, example } of bodies) {
    for (const value of objectsIn(example)) {
      const place = `${name} ${status}`
      if (value['recordType'] === 'A')
        t.notOk('strings' in value || value['priority'], `${place}: an A record`)
      if (value['success'] === true) t.notOk(value['error'], `${place}: what is done has no error`)
      if ('params' in value) t.equal(typeof value['params'], 'object', `${place}: params`)
    }
  }
  t.match(document.components.schemas['ToldProblem'], { examples: [{ status: Number, code: String }] })
})

/** All objects in a value, itself among them. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inside : [value as Record<string, unknown>, ...inside]
}

void t.test('failures and parameters that operations share are components', async (t) => {
  const written = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const failures = written
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status]) => +status >= 400)
  const whole = failures
    .filter(([, answer]) => !('$ref' in answer))
    .map(([, answer]) => JSON.stringify(answer))
  t.equal(new Set(whole).size, whole.length, 'none is written twice')
  t.ok(failures.length > 1_000, `${failures.length} failures`)
  t.match(document.components.responses, { BadRequest: { content: {} }, NotFound: { content: {} } })
  t.match(document.components.parameters, { IfMatch: { in: 'header' }, PathId: { in: 'path' } })
})

void t.test('the permission that a personal token needs is beside its scheme', async (t) => {
  t.same(document.paths['/api/v1/domains']?.['get']?.security, [
    { personalToken: ['domains:read'] },
    { accessToken: [] },
  ])
})

void t.test('created resources say where they are', async (t) => {
  for (const { name, operation } of operations) {
    const created = operation.responses['201']
    if (created) t.match(created.headers, { location: Object }, name)
  }
})

void t.test('a body that may be missing is not required', async (t) => {
  t.not(document.paths['/api/auth/refresh']?.['post']?.requestBody?.required, true)
  t.equal(document.paths['/api/auth/login']?.['post']?.requestBody?.required, true)
})

void t.test('where Idempotency-Key is heeded it is a parameter', async (t) => {
  const posts = new Map(
    operations.flatMap(({ path, method, operation }) => (method === 'post' ? [[path, operation]] : [])),
  )
  const takesKey = (path: string) =>
    posts.get(path)?.parameters?.some(({ name }) => name === 'Idempotency-Key') === true
  t.ok(takesKey('/api/domains'))
  t.notOk(takesKey('/api/auth/login'))
  t.notOk(takesKey('/api/auth/me/tokens'), 'not where the answer shows a secret')
  for (const [path, { responses }] of posts) {
    if (takesKey(path)) t.match(responses, { 400: {}, 409: {} }, `${path} says how a key is refused`)
  }
})

void t.test('what is masked is held to no pattern', async (t) => {
  const masked = Object.entries(document.components.schemas).filter(([name]) => name.startsWith('Masked'))
  t.ok(masked.length > 5)
  for (const [name, { properties = {} }] of masked as [string, { properties?: Record<string, object> }][])
    for (const [property, schema] of Object.entries(properties))
      t.notOk('pattern' in schema, `${name}.${property}`)
})

void t.test('public routes say so, others name their credentials', async (t) => {
  t.same(document.paths['/api/auth/login']?.['post']?.security, [])
  t.same(document.paths['/api/auth/me']?.['get']?.security, [{ accessToken: [] }])
  t.same(document.paths['/api/auth/refresh']?.['post']?.security, [{ refreshCookie: [] }, {}])
  t.same(document.paths['/api/auth/logout']?.['post']?.security, [
    { refreshCookie: [] },
    { accessToken: [] },
    {},
  ])
  t.match(document.components.securitySchemes['refreshCookie'], {
    type: 'apiKey',
    in: 'cookie',
    name: 'refresh_token',
  })
})

void t.test('components have names for people, and each reference leads to one', async (t) => {
  const names = Object.keys(document.components.schemas)
  t.ok(names.includes('Problem') && names.includes('Domain') && names.includes('DnsRecord'))
  for (const name of names) t.match(name, /^[A-Z][A-Za-z]+$/)
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(
    ([, target]) => target ?? '',
  )
  const targets = new Set(
    Object.entries(document.components).flatMap(([kind, all]) =>
      Object.keys(all).map((name) => `#/components/${kind}/${name}`),
    ),
  )
  for (const target of new Set(references)) t.ok(targets.has(target), target)
  t.notMatch(JSON.stringify(document), /"\$id"|def-\d/)
})

void t.test('holds nothing of this installation but its address', async (t) => {
  t.notMatch(JSON.stringify(document), /\/(?:work|tmp|home|root)\//)
})

void t.test('/docs is a page for people', async (t) => {
  const page = await call(app, { url: '/docs/' })
  t.equal(page.status, 200)
  t.match(page.headers['content-type'], /^text\/html/)
  const html = String(page.body)
  const directly = await call(app, { url: '/docs' })
  t.ok(
    directly.status === 200 ||
      directly.headers.location === '../../docs/' ||
      directly.headers.location === '/docs/',
    'also without the slash',
  )

  await t.test('works under its own Content-Security-Policy', async (t) => {
    const policy = String(page.headers['content-security-policy'])
    t.match(policy, /default-src 'none'/)
    t.match(policy, /script-src 'self'(;|$)/)
    t.match(policy, /style-src 'self'( 'sha256-[^']+')?(;|$)/)
    for (const rule of ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"])
      t.ok(policy.includes(rule), rule)
    t.notMatch(policy, /unsafe|https?:/)
    t.notMatch(html, /<script(?![^>]*\bsrc=)[^>]*>/, 'no script inline')
    t.notMatch(html, /\son\w+=/, 'no handlers inline')
    const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, asset]) => asset ?? '')
    t.ok(assets.length >= 4)
    for (const asset of assets) {
      t.notMatch(asset, /^(?:https?:)?\/\//, 'from nowhere else')
      const url = new URL(asset, 'http://localhost/docs/').pathname
      t.equal((await call(app, { url })).status, 200, url)
    }
    t.match((await call(app, { url: '/docs/json' })).body, { openapi: '3.1.0' }, 'shows the document')
  })
  await t.test('also over plain http, where the site is so', async (t) => {
    const plain = await startApp(t, { database, environment: { SITE_URL: 'http://10.0.0.5:3000' } })
    for (const url of ['/docs/', '/healthz']) {
      const { headers } = await call(plain.app, { url })
      t.notMatch(headers['content-security-policy'], /upgrade-insecure-requests/, `${url} asks for no https`)
    }
  })
})
