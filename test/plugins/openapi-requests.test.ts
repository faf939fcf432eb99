import t from 'tap'
import { call, startApp } from '../helpers/app.ts'
import { operationsOf, type OpenApiDocument, type RequestSchema } from '../helpers/openapi.ts'

const { app } = await startApp(t)
const document = (await call(app, { url: '/openapi.json' })).body as OpenApiDocument
const operations = operationsOf(document)

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
  for (const { name, operation } of operations) {
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
