import { readFileSync } from 'node:fs'
import t from 'tap'
import { call, startApp } from '../helpers/app.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  maxLength?: number
  maxItems?: number
  maxProperties?: number
  uniqueItems?: boolean
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

interface Operation {
  security: object[]
  requestBody?: { content: Record<string, { schema: Schema; example?: object }> }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const { app, addUser, signIn } = await startApp(t)
const { paths, components } = (await call(app, { url: '/openapi.json' })).body as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase() as Method,
    // An id of the right form, of nothing that there is.
    url: path.replaceAll(/\{\w+\}/g, '0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'),
    operation,
    body: operation.requestBody?.content['application/json'],
  })),
)
/** No credentials are needed, though some may be looked at. */
const isPublic = ({ operation: { security } }: { operation: Operation }) =>
  security.length === 0 || security.some((schemes) => Object.keys(schemes).length === 0)

void t.test('59. anybody may call the routes that docs/security.md names, and no other', async (t) => {
  const document = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
  const listed = new Set([...document.matchAll(/`([A-Z]+ \/[^`]*)`/g)].map((match) => match[1]))
  const open = operations.filter(isPublic)
  t.ok(open.length >= 10, `${open.length} routes`)
  for (const { name } of open) t.ok(listed.has(name), name)
})

void t.test('59. every other route is 401 without a token, whatever else is sent', async (t) => {
  const guarded = operations.filter((operation) => !isPublic(operation))
  t.ok(guarded.length >= 50, `${guarded.length} routes`)
  for (const { name, method, url, body: taken } of guarded) {
    const answer = await call(app, { method, url, ...(taken?.example && { payload: taken.example }) })
    // dyndns2 has words of its own.
    const body = /^\/(nic|v3)\//.test(url) ? 'badauth\n' : { code: 'unauthenticated' }
    t.match(answer, { status: 401, body }, name)
  }
})

void t.test('59. what is for administrators is 403 for a member, whatever else is sent', async (t) => {
  await addUser('ada')
  const { accessToken } = await signIn('ada')
  const forAdministrators = operations.filter(({ url }) => /^\/api\/(users|invitations|audit)\b/.test(url))
  t.ok(forAdministrators.length >= 12, `${forAdministrators.length} routes`)
  for (const { name, method, url, body } of forAdministrators) {
    const headers = { authorization: `Bearer ${accessToken}` }
    const answer = await call(app, { method, url, headers, ...(body?.example && { payload: body.example }) })
    t.match(answer, { status: 403, body: { code: 'forbidden' } }, name)
  }
})

void t.test('66. 86. every text, list and map in a body has a bound', async (t) => {
  for (const { name, body } of operations) if (body) t.same(unbounded(body.schema), [], name)
})

/** Paths of the fields that may be of any size. */
function unbounded(schema: Schema, path = ''): string[] {
  if (schema.$ref !== undefined) return unbounded(meant(schema), path)
  const parts = schema.anyOf ?? schema.oneOf
  if (parts) return parts.flatMap((part) => unbounded(part, path))
  if (schema.enum || schema.const !== undefined) return []
  const types = new Set([schema.type ?? []].flat())
  const { properties = {}, patternProperties, items } = schema
  const isBounded =
    (!types.has('string') || schema.maxLength !== undefined || isShort(schema)) &&
    (!types.has('array') || schema.maxItems !== undefined || isChoice(schema)) &&
    (patternProperties === undefined || schema.maxProperties !== undefined)
  return [
    ...(isBounded ? [] : [path]),
    ...Object.entries(properties).flatMap(([key, value]) => unbounded(value, `${path}/${key}`)),
    ...Object.values(patternProperties ?? {}).flatMap((value) => unbounded(value, `${path}/*`)),
    ...(items ? unbounded(items, `${path}/0`) : []),
  ]
}

/** The schema, or the component that it refers to. */
const meant = (schema: Schema) => components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema

/** Each of a few values once at most. */
const isChoice = ({ uniqueItems, items = {} }: Schema) =>
  uniqueItems === true && meant(items).enum !== undefined

/** Of a form that has an end of its own. */
const isShort = ({ format, pattern }: Schema) =>
  format === 'uuid' || format === 'date-time' || /^\^[^*+]*\$$/.test(pattern ?? '*')
