import { readFileSync } from 'node:fs'
import t from 'tap'
import {
  DECIDED_BREAKS,
  incompatibilities,
  type Description,
  type Schema,
} from '../../scripts/openapi-compatibility.ts'
import { call, startApp } from '../helpers/app.ts'

/** An operation that takes and answers things. */
const base = {
  paths: {
    '/things/{id}': {
      put: {
        operationId: 'updateThing',
        security: [{ token: ['things:write'] }, { session: [] }] as Record<string, string[]>[],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } as Schema },
          { name: 'place', in: 'query', schema: { type: 'string', pattern: '^[0-9]{1,6}$' } as Schema },
          { name: 'sort', in: 'query', schema: { type: 'string', enum: ['name', 'age'] } as Schema },
          { $ref: '#/components/parameters/Limit' } as never,
        ],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Wish' } } } },
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
          404: { $ref: '#/components/responses/NotFound' },
        },
      },
    },
  },
  components: {
    responses: {
      NotFound: { content: { 'application/problem+json': { schema: { type: 'object' } as Schema } } },
    },
    parameters: { Limit: { name: 'limit', in: 'query', schema: { type: 'integer', default: 20 } as Schema } },
    schemas: {
      Wish: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', maxLength: 100 },
          ttl: { type: ['integer', 'null'] },
          quiet: { type: 'boolean', default: false },
          kind: { type: 'string', enum: ['a', 'b'] },
          type: { type: 'string', pattern: '^(?:A|TXT)$' },
          change: { oneOf: [{ $ref: '#/components/schemas/Add' }, { $ref: '#/components/schemas/Drop' }] },
        },
      } as Schema,
      Thing: {
        type: 'object',
        required: ['id', 'size', 'kind'],
        properties: {
          id: { type: 'string' },
          size: { type: 'integer' },
          kind: { type: 'string', enum: ['a', 'b'] },
          parent: { anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] },
          list: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
        },
      } as Schema,
      Add: { type: 'object', required: ['add'], properties: { add: { type: 'string' } } } as Schema,
      Drop: { type: 'object', required: ['drop'], properties: { drop: { type: 'string' } } } as Schema,
    },
  },
}

type Base = typeof base

/** What the check says of a change of the document. */
function saidOf(change: (document: Base) => void): string[] {
  const changed = structuredClone(base)
  change(changed)
  return incompatibilities(base, changed)
}

const operation = (document: Base) => document.paths['/things/{id}'].put
const thing = (document: Base) => document.components.schemas.Thing
const wish = (document: Base) => document.components.schemas.Wish
const membersOf = (schema: Schema) => schema.properties as Record<string, Schema>

const PLACE = 'PUT /things/{id}'

const BROKEN: [what: string, change: (document: Base) => void, said: string][] = [
  ['a path', (d) => Reflect.deleteProperty(d.paths, '/things/{id}'), `${PLACE}: is gone`],
  ['a name', (d) => (operation(d).operationId = 'changeThing'), `${PLACE}: is now called changeThing`],
  ['a parameter', (d) => operation(d).parameters.pop(), `${PLACE} limit: is gone`],
  [
    'a new required parameter',
    (d) =>
      operation(d).parameters.push({ name: 'x', in: 'query', required: true, schema: { type: 'string' } }),
    `${PLACE} x: is required`,
  ],
  [
    'a parameter that is required now',
    (d) => Object.assign(operation(d).parameters[2] ?? {}, { required: true }),
    `${PLACE} sort: is required`,
  ],
  [
    'a value of a parameter',
    (d) => operation(d).parameters[2]?.schema.enum?.pop(),
    `${PLACE} sort: the value age is gone`,
  ],
  [
    'a body that is required now',
    (d) => Object.assign(operation(d).requestBody, { required: true }),
    `${PLACE}: needs a body`,
  ],
  [
    'a status',
    (d) => Reflect.deleteProperty(operation(d).responses, '404'),
    `${PLACE}: no longer answers 404`,
  ],
  [
    'a media type',
    (d) => (operation(d).responses[200].content = {} as never),
    `${PLACE} 200: application/json is gone`,
  ],
  [
    'what a shared answer is sent as',
    (d) =>
      delete (d.components.responses.NotFound.content as Partial<object> & Record<string, unknown>)[
        'application/problem+json'
      ],
    `${PLACE} 404: application/problem+json is gone`,
  ],
  [
    'the default of a shared parameter',
    (d) => (d.components.parameters.Limit.schema.default = 10),
    `${PLACE} limit: its default was 20, and is 10`,
  ],
  [
    'a default that is gone',
    (d) => delete membersOf(wish(d))['quiet']?.default,
    `${PLACE} body/quiet: its default was false, and is none`,
  ],
  [
    'another permission',
    (d) => (operation(d).security = [{ token: ['things:manage'] }, { session: [] }]),
    `${PLACE}: token with things:write is no longer enough`,
  ],
  [
    'a credential that is not taken now',
    (d) => operation(d).security.pop(),
    `${PLACE}: session is no longer enough`,
  ],
  ['a member of an answer', (d) => delete membersOf(thing(d))['size'], `${PLACE} 200/size: is gone`],
  [
    'a member deep in an answer',
    (d) => delete membersOf(membersOf(thing(d))['list']?.items as Schema)['name'],
    `${PLACE} 200/list[]/name: is gone`,
  ],
  [
    'a member of an answer that may be missing now',
    (d) => thing(d).required?.pop(),
    `${PLACE} 200/kind: may be missing`,
  ],
  [
    'the type of a member of an answer',
    (d) => (membersOf(thing(d))['size'] = { type: 'string' }),
    `${PLACE} 200/size: its type was integer, and is string`,
  ],
  [
    'null where there was none',
    (d) => (membersOf(thing(d))['size'] = { type: ['integer', 'null'] }),
    `${PLACE} 200/size: its type was integer, and is integer or null`,
  ],
  [
    'a value of an answer',
    (d) => membersOf(thing(d))['kind']?.enum?.pop(),
    `${PLACE} 200/kind: the value b is gone`,
  ],
  ['a member of a body', (d) => delete membersOf(wish(d))['ttl'], `${PLACE} body/ttl: is gone`],
  ['a new required member', (d) => wish(d).required?.push('ttl'), `${PLACE} body/ttl: is required`],
  [
    'a value of a body',
    (d) => membersOf(wish(d))['kind']?.enum?.pop(),
    `${PLACE} body/kind: the value b is gone`,
  ],
  [
    'null that is not taken now',
    (d) => (membersOf(wish(d))['ttl'] = { type: 'integer' }),
    `${PLACE} body/ttl: its type was integer or null, and is integer`,
  ],
  [
    'a bound of a body',
    (d) => (membersOf(wish(d))['name'] = { type: 'string', maxLength: 50 }),
    `${PLACE} body/name: maxLength is narrower: 50`,
  ],
  [
    'a length in place of a pattern of more',
    (d) => Object.assign(operation(d).parameters[1] ?? {}, { schema: { type: 'string', maxLength: 5 } }),
    `${PLACE} place: maxLength is narrower: 5`,
  ],
  [
    'an alternative of a pattern',
    (d) => (membersOf(wish(d))['type'] = { type: 'string', pattern: '^(?:A|MX)$' }),
    `${PLACE} body/type: pattern is narrower: ^(?:A|MX)$`,
  ],
  [
    'a form of a body',
    (d) => membersOf(wish(d))['change']?.oneOf?.pop(),
    `${PLACE} body/change: Drop is gone`,
  ],
  [
    'a member within a form of a body',
    (d) => d.components.schemas.Add.required?.push('more'),
    `${PLACE} body/change/more: is required`,
  ],
]

void t.test('finds what would break a client', async (t) => {
  for (const [what, change, said] of BROKEN) t.same(saidOf(change), [said], what)
})

const FINE: [what: string, change: (document: Base) => void][] = [
  ['nothing', () => {}],
  ['a further credential', (d) => operation(d).security.push({ cookie: [] })],
  ['a permission that is not needed now', (d) => (operation(d).security = [{ token: [] }, { session: [] }])],
  ['a further credential', (d) => operation(d).security.push({ cookie: [] })],
  ['a permission that is not needed now', (d) => (operation(d).security = [{ token: [] }, { session: [] }])],
  ['a path', (d) => Object.assign(d.paths, { '/more': {} })],
  ['an optional parameter', (d) => operation(d).parameters.push({ name: 'x', in: 'query' } as never)],
  ['a status', (d) => Object.assign(operation(d).responses, { 202: {} })],
  ['a member of an answer', (d) => (membersOf(thing(d))['more'] = { type: 'string' })],
  ['a value of an answer', (d) => membersOf(thing(d))['kind']?.enum?.push('c')],
  ['a value of a body', (d) => membersOf(wish(d))['kind']?.enum?.push('c')],
  ['a member of a body', (d) => (membersOf(wish(d))['more'] = { type: 'string' })],
  ['a member of a body that may be missing now', (d) => wish(d).required?.pop()],
  [
    'a length in place of a pattern of less',
    (d) => Object.assign(operation(d).parameters[1] ?? {}, { schema: { type: 'string', maxLength: 6 } }),
  ],
  ['a wider bound', (d) => (membersOf(wish(d))['name'] = { type: 'string', maxLength: 200 })],
  [
    'a further alternative of a pattern',
    (d) => (membersOf(wish(d))['type'] = { type: 'string', pattern: '^(?:A|MX|TXT)$' }),
  ],
  ['a wider type of a body', (d) => (membersOf(wish(d))['ttl'] = { type: ['number', 'null'] })],
  ['a further form', (d) => membersOf(wish(d))['change']?.oneOf?.push({ type: 'string' })],
  ['words', (d) => Object.assign(thing(d), { description: 'A thing', examples: [{}] })],
]

void t.test('and lets pass what does not', async (t) => {
  for (const [what, change] of FINE) t.same(saidOf(change), [], what)
})

void t.test('what the last release offers to programs is there', async (t) => {
  const { app } = await startApp(t)
  const current = (await call(app, { url: '/api/v1/openapi.json' })).body as Description
  const file = new URL('../../docs/openapi-v1.json', import.meta.url)
  const released = JSON.parse(readFileSync(file, 'utf8')) as Description
  t.ok(Object.keys(released.paths).length > 40)
  // Exactly the decided ones: an entry that no longer applies has to go from the list.
  t.same(incompatibilities(released, current).toSorted(), DECIDED_BREAKS.toSorted())
})
