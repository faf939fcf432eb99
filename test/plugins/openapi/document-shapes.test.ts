import t, { type Test } from 'tap'
import { ACTIONS } from '../../../modules/audit/actions.ts'
import { PATTERNS } from '../../../modules/channels/catalogue.ts'
import { CHANNELS } from '../../../modules/channels/senders/registry.ts'
import { REASON_CODES, type ReasonCode } from '../../../schemas/codes/reason-codes.ts'
import { ANNOUNCED, CATALOGUE } from '../../../schemas/events/event-catalogue.ts'
import { call, startApp } from '../../helpers/app.ts'
import {
  operationsOf,
  type OpenApiDocument,
  type RequestSchema,
  withoutShared,
} from '../../helpers/openapi.ts'
import { addDomain, addManual } from '../../helpers/zone.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  discriminator?: { propertyName: string; mapping: Record<string, string> }
}

/** All by which Ajv refuses something. */
const KEYWORDS =
  'type enum const not anyOf oneOf format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf required propertyNames minItems maxItems uniqueItems contains minProperties maxProperties additionalProperties dependentRequired dependencies if'.split(
    ' ',
  )

const { app, admin } = await startApp(t)
const document = withoutShared((await call(app, { url: '/openapi.json' })).body as OpenApiDocument)
const schemas = document.components.schemas as Record<string, Schema>

const nameOf = ({ $ref = '' }: Schema = {}) => $ref.split('/').at(-1) ?? ''
const meant = (schema: Schema = {}): Schema => schemas[nameOf(schema)] ?? schema

const bodyOf = (method: string, path: string) =>
  meant(document.paths[path]?.[method]?.requestBody?.content['application/json']?.schema)
const answerOf = (method: string, path: string, status = '200') =>
  meant(document.paths[path]?.[method]?.responses[status]?.content?.['application/json']?.schema)

/** The branches of a union by the values of its discriminator. */
function branchesOf(t: Test, { oneOf = [], discriminator }: Schema, member: string) {
  t.equal(discriminator?.propertyName, member)
  const mapping = Object.entries(discriminator?.mapping ?? {})
  t.same(
    mapping.map(([, target]) => target),
    oneOf.map(({ $ref }) => $ref),
    'each branch is mapped',
  )
  for (const [value, target] of mapping) {
    const branch = meant({ $ref: target })
    t.same(branch.properties?.[member]?.enum, [value], `${target} is known by ${member}`)
    t.ok(branch.required?.includes(member))
  }
  return Object.fromEntries(mapping.map(([value, target]) => [value, meant({ $ref: target })]))
}

const withoutWords = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutWords)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([key, inner]) => !(key === 'description' && typeof inner === 'string') && key !== 'examples',
  )
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutWords(inner)]))
}

void t.test('a shape that is used twice is a component', async (t) => {
  const seen = new Map<string, string[]>()
  const look = (value: unknown, path: string, isComponent = false): void => {
    if (typeof value !== 'object' || value === null) return
    const { properties, enum: values = [], discriminator } = value as Schema
    const isShape =
      Object.keys(properties ?? {}).length > 0 || values.length > 1 || discriminator !== undefined
    if (isShape && !isComponent) {
      const shape = JSON.stringify(withoutWords(value))
      seen.set(shape, [...(seen.get(shape) ?? []), path])
    }
    for (const [key, inner] of Object.entries(value)) {
      if (key !== 'example' && key !== 'examples') look(inner, `${path}/${key}`)
    }
  }
  for (const [path, operations] of Object.entries(document.paths)) {
    // The Open API offers once more what people have.
    if (!path.startsWith('/api/v1/')) look(operations, path)
  }
  for (const [name, schema] of Object.entries(schemas)) look(schema, name, true)
  t.ok(seen.size > 50, `${seen.size} shapes that are used once`)
  t.same(
    [...seen.values()].filter((paths) => paths.length > 1),
    [],
  )
})

void t.test('what may be null is a union with it, where generators would lose it', async (t) => {
  const lists = /"type":\[[^\]]*"null"\]/
  const wrong = [...JSON.stringify([document.paths, schemas]).matchAll(/\{[^{}]*\}/g)].filter(
    ([text]) => lists.test(text) && text.includes('"enum"'),
  )
  t.same(wrong, [])
  t.match(schemas['DnsRecord'], { properties: { priority: { type: ['integer', 'null'] } } })
  t.match(schemas['PlannedChange'], {
    properties: { before: { anyOf: [{ $ref: '#/components/schemas/RecordContent' }, { type: 'null' }] } },
  })
})

void t.test('sign-in answers a session or the second factor, by `outcome`', async (t) => {
  for (const path of ['/api/auth/login', '/api/auth/oauth/exchange-ticket']) {
    const { signed_in: signedIn, second_factor: secondFactor } = branchesOf(
      t,
      answerOf('post', path),
      'outcome',
    )
    t.ok(signedIn?.required?.includes('accessToken') && signedIn.required.includes('user'), path)
    t.match(secondFactor, { required: ['outcome', 'requires2FA', 'tempToken', 'methods'] })
  }
})

void t.test('changes are told apart by `action`, each with what it needs', async (t) => {
  for (const path of ['plan', 'apply']) {
    const { properties } = bodyOf('post', `/api/domains/{id}/records/${path}`)
    const branches = branchesOf(t, meant(properties?.['changes']?.items), 'action')
    t.same(branches['create']?.required, ['action', 'recordType', 'name'])
    t.same(branches['update']?.required, ['action', 'recordId'])
    t.same(branches['delete']?.required, ['action', 'recordId'])
  }
})

void t.test('channels are told apart by `channel`, each with its own configuration', async (t) => {
  const kinds = CHANNELS
  const given = branchesOf(t, bodyOf('post', '/api/notifications'), 'channel')
  const shown = branchesOf(t, answerOf('post', '/api/notifications', '201'), 'channel')
  t.same([Object.keys(given), Object.keys(shown)], [kinds, kinds])
  t.same(given['webhook']?.required, ['name', 'events', 'channel', 'config'], 'enabled has a default')
  const config = (branches: typeof given, kind: string) => nameOf(branches[kind]?.properties?.['config'])
  t.equal(config(given, 'chat_a'), config(given, 'chat_b'))
  t.equal(config(given, 'slack'), config(given, 'teams'))
  for (const kind of kinds) t.equal(config(shown, kind), `Masked${config(given, kind)}`)
  const shapes = new Set(kinds.map((kind) => config(given, kind)))
  const { properties } = bodyOf('put', '/api/notifications/configs/{id}')
  const changes = properties?.['config']?.anyOf ?? []
  t.same(
    changes.map(nameOf),
    [...shapes].map((name) => `${name}Change`),
  )
  for (const change of changes) t.equal(meant(change).required, undefined, 'all may be missing')
})

void t.test('messages are told apart by `event`, each with its own metadata', async (t) => {
  const listed = meant(answerOf('get', '/api/notifications').properties?.['notifications']?.items)
  const branches = branchesOf(t, listed, 'event')
  t.same(Object.keys(branches).sort(), ['connected', ...ANNOUNCED].sort())
  for (const name of ANNOUNCED) {
    const { properties, required } = meant(branches[name]?.properties?.['metadata'])
    t.same(Object.keys(properties ?? {}), Object.keys(CATALOGUE[name].metadata.properties), name)
    // What came to be told later is missing in what was told before.
    t.same(required, CATALOGUE[name].metadata.required, `${name}: what is always there`)
  }
})

void t.test('names of events, sources and statuses are closed lists', async (t) => {
  t.same(schemas['EventName']?.enum, ['connected', ...ANNOUNCED])
  t.same(schemas['EventPattern']?.enum, PATTERNS)
  t.same(schemas['AuditAction']?.enum, ACTIONS)
  t.ok(
    (
      schemas['AccountSecondFactorChangedNotification']?.properties?.['metadata']?.properties?.['change']
        ?.enum ?? []
    ).length > 3,
  )
  t.equal(nameOf(schemas['Delivery']?.properties?.['event']), 'EventName')
  t.match(schemas['ChangeSource'], {
    enum: [
      'single',
      'bulk',
      'apply',
      'import',
      'revert',
      'restore',
      'retry',
      'sync',
      'switch',
      'replace',
      'template',
    ],
  })
  for (const name of ['ChangeStatus', 'ChangeOutcome', 'ConflictKind', 'DeliveryStatus', 'RecordStatus']) {
    t.ok((schemas[name]?.enum ?? []).length >= 3, name)
  }
})

void t.test('problems are typed by status: what a real one says is described', async (t) => {
  const { id } = await addDomain(admin, await addManual(admin), 'example.com')
  const { body: token } = await admin.post('/api/auth/me/tokens', {
    name: 'reader',
    permissions: ['records:read'],
  })
  const record = { recordType: 'A', name: 'www', value: '192.0.2.10' }
  const conflicts = { changes: [{ action: 'create', ...record }] }
  await admin.post(`/api/domains/${id}/records`, record)
  const real = [
    ['post', '/api/domains', await admin.post('/api/domains', {})],
    ['post', '/api/domains/{id}/records', await admin.post(`/api/domains/${id}/records`, record)],
    [
      'post',
      '/api/domains/{id}/records/apply',
      await admin.post(`/api/domains/${id}/records/apply`, conflicts),
    ],
    [
      'get',
      '/api/v1/domains',
      await call(app, { url: '/api/v1/domains', headers: { authorization: `Bearer ${token.token}` } }),
    ],
  ] as const
  const further = real.map(([method, path, { status, body }]) => {
    const { content = {} } = document.paths[path]?.[method]?.responses[status] ?? {}
    const { $ref = '' } = (content['application/problem+json']?.schema ?? {}) as Schema
    const { properties = {}, required = [] } = meant({ $ref })
    t.same(
      Object.keys(body).filter((name) => !(name in properties)),
      [],
      `${method} ${path} ${status}`,
    )
    return [nameOf({ $ref }), ...Object.keys(body).filter((name) => !required.includes(name))]
  })
  t.same(further, [
    ['ValidationProblem', 'errors'],
    ['ConflictProblem', 'reason', 'params', 'record'],
    ['ConflictProblem', 'conflicts'],
    ['ForbiddenProblem', 'permission'],
  ])
})

void t.test('what has a default may be left out of a request', async (t) => {
  let defaults = 0
  const wronglyRequired = ({ properties = {}, required = [], items }: RequestSchema): string[] => [
    ...Object.entries(properties).flatMap(([name, property]) => {
      if (property.default !== undefined) defaults++
      const isWrong = property.default !== undefined && required.includes(name)
      return [...(isWrong ? [name] : []), ...wronglyRequired(property)]
    }),
    ...(items ? wronglyRequired(items) : []),
  ]
  for (const { name, operation } of operationsOf(document)) {
    const withDefault = (operation.parameters ?? []).filter(({ schema }) => schema['default'] !== undefined)
    defaults += withDefault.length
    const parameters = withDefault
      .filter(({ required }) => required === true)
      .map((parameter) => parameter.name)
    const members = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema = {} }) =>
      wronglyRequired(schema),
    )
    t.same([...parameters, ...members], [], name)
  }
  t.ok(defaults > 40, 'there are defaults at all')
  const { schema } =
    document.paths['/api/auth/login']?.['post']?.requestBody?.content['application/json'] ?? {}
  t.same(schema?.['required'], ['username', 'password'], 'what has none is required as before')
})

void t.test('whatever a schema refuses has a code with words in other languages', (t) => {
  const used = new Set<string>()
  const look = (value: unknown, isMembers = false): void => {
    for (const [key, inner] of Object.entries(value ?? {})) {
      if (!isMembers) used.add(key)
      if (typeof inner === 'object' && !/^(examples?|default|enum)$/.test(key))
        look(inner, key === 'properties')
    }
  }
  look(schemas, true)
  for (const path of Object.values(document.paths)) look(path)
  const refusing = KEYWORDS.filter((keyword) => used.has(keyword))
  t.ok(refusing.includes('maxLength'))
  const codes = refusing.map((keyword) => keyword.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  t.same(
    codes.filter((code) => !REASON_CODES.includes(code as ReasonCode)),
    [],
  )
  t.end()
})
