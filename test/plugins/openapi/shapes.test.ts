import { Type } from '@sinclair/typebox'
import t from 'tap'
import { shown, withComponents } from '../../../plugins/openapi/shapes.ts'
import { named, shownAs, unionBy } from '../../../schemas/named.ts'
import { Nullable } from '../../../schemas/scalars.ts'

const Colour = Type.Unsafe<string>({
  ...named('Colour'),
  type: 'string',
  enum: ['red', 'blue'],
  description: 'What it looks like',
})
const described = (schema: object) => withComponents({ paths: { there: JSON.parse(JSON.stringify(schema)) } })

void t.test('a named schema is one component, and what is said of its place stays there', async (t) => {
  const { paths, components } = described({
    plain: Colour,
    other: { ...Colour, description: 'Of the roof', default: 'red', examples: ['blue'] },
    none: Nullable(Colour),
  }) as unknown as Record<string, unknown>
  const $ref = '#/components/schemas/Colour'
  t.same(paths, {
    there: {
      plain: { $ref },
      other: { $ref, description: 'Of the roof', default: 'red' },
      none: { anyOf: [{ $ref }, { type: 'null' }], description: 'What it looks like' },
    },
  })
  t.same(components, {
    schemas: { Colour: { type: 'string', enum: ['red', 'blue'], description: 'What it looks like' } },
  })
})

void t.test('one name of two different schemas is a mistake', async (t) => {
  const other = { ...named('Colour'), type: 'string', enum: ['green'] }
  t.throws(() => described([Colour, other]), { message: 'Two different schemas have the name Colour' })
})

void t.test('what is shown takes the place of a schema, at any depth', async (t) => {
  const Cat = Type.Object({ kind: Type.Literal('cat') }, named('Cat'))
  const flat = shownAs(unionBy('kind', [Cat]), Type.Object({ kind: Type.String() }))
  t.match(shown(Type.Array(flat)), {
    type: 'array',
    items: {
      oneOf: [{ 'x-name': 'Cat' }],
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
    },
  })
  t.equal(flat.type, 'object', 'requests and answers go by the flat one')
})
