import { Validator } from '@seriousme/openapi-schema-validator'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { plainOperationId } from '../../plugins/openapi/audience.ts'
import { PERMISSIONS } from '../../schemas/people/permission.ts'
import { call, startApp } from '../helpers/app.ts'
import { operationsOf, type OpenApiDocument } from '../helpers/openapi.ts'

const { app } = await startApp(t)
const all = (await call(app, { url: '/openapi.json' })).body as OpenApiDocument
const document = (await call(app, { url: '/api/v1/openapi.json' })).body as OpenApiDocument
const operations = operationsOf(document)

void t.test('the Open API has a document of its own, which validates', async (t) => {
  const result = await new Validator().validate({ ...structuredClone(document) })
  t.ok(result.valid, JSON.stringify(result))
  const whole = operationsOf(all).filter(({ path }) => path.startsWith('/api/v1/'))
  t.same(
    operations.map(({ name }) => name),
    whole.map(({ name }) => name),
    'with all operations of programs, and no other',
  )
})

void t.test('its operations have the names and sections that those of people have', async (t) => {
  const ofPeople = new Map(operationsOf(all).map(({ name, operation }) => [name, operation]))
  for (const { name, operation } of operations) {
    const twin = ofPeople.get(name.replace('/api/v1/', '/api/'))
    if (!twin) continue
    t.equal(operation.operationId, twin.operationId, name)
    t.same(operation.tags, twin.tags, name)
  }
  const ids = operations.map(({ operation }) => operation.operationId)
  t.equal(new Set(ids).size, ids.length, 'each its own')
})

void t.test('it speaks of what it has', async (t) => {
  const text = JSON.stringify(document)
  const named = [...text.matchAll(/`(?:GET|POST|PUT|DELETE) (\/api\/[^`?]*)/g)].map(([, path]) => path ?? '')
  t.ok(named.length > 0)
  t.same(
    named.filter((path) => !(path in document.paths)),
    [],
  )
  const { schemas, securitySchemes } = document.components
  const unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`))
  t.same(unused, [])
  t.same(Object.keys(securitySchemes).sort(), ['accessToken', 'basicToken', 'personalToken'])
  const sections = new Set(operations.flatMap(({ operation }) => operation.tags ?? []))
  t.same(new Set(document.tags.map(({ name }) => name)), sections)
})

void t.test('the table of permissions in docs/tokens.md names the operations of each', async (t) => {
  const table = readFileSync(new URL('../../docs/tokens.md', import.meta.url), 'utf8')
  const ticked = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? '').toSorted()
  const rows = [...table.matchAll(/^\| `([a-z]+:[a-z]+)` +\|[^|]*\|([^|]*)\|$/gm)]
  const opened = Map.groupBy(operationsOf(all), ({ operation }) => {
    const words = operation.description ?? ''
    return /need the permission `([a-z:]+)`/.exec(words)?.[1]
  })
  t.same(new Set(rows.map(([, permission]) => permission)), new Set(PERMISSIONS))
  for (const [, permission, names] of rows) {
    const operations = opened.get(permission) ?? []
    const expected = operations.map(({ operation }) => plainOperationId(operation.operationId ?? ''))
    t.same(ticked(names), expected.toSorted(), String(permission))
  }
})
