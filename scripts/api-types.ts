import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Types of the API description in the form that openapi-fetch takes: TypeScript 7 has no compiler API, which the usual
 * generators need. Of `/api` without `/api/v1`; what answers well is typed by status, every failure is the one problem.
 *
 *   npm run --silent openapi -- openapi.json && node scripts/api-types.ts openapi.json web/api/schema.d.ts
 */
interface Schema {
  $ref?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  type?: string | string[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  patternProperties?: Record<string, Schema>
  default?: unknown
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
}

interface Operation {
  summary?: string
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content?: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

interface Document {
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> }
  paths: Record<string, Record<string, Operation>>
}

const METHODS = ['get', 'put', 'post', 'delete']
/** What says nothing about the type. */
const NOTES = new Set(['description', 'title', 'examples', 'example', 'default', '$id'])

const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))
const union = (types: string[]) => [...new Set(types)].join(' | ') || 'never'
const group = (type: string) => (/[|&]/.test(type) ? `(${type})` : type)

/** A JSON schema as a type. Throws on what it does not know, so that nothing becomes `any` unseen. */
function typeOf(schema: Schema): string {
  if (Object.keys(schema).every((name) => NOTES.has(name))) return 'unknown'
  if (schema.$ref !== undefined) return `Schemas[${JSON.stringify(schema.$ref.split('/').pop())}]`
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)))
  // Beside properties, an anyOf of `required` alone says which of them must be there: no matter for a type.
  const parts = schema.properties ? undefined : (schema.anyOf ?? schema.oneOf)
  if (parts) return union(parts.map(typeOf))
  if (schema.allOf) return schema.allOf.map((part) => group(typeOf(part))).join(' & ')
  return union([schema.type ?? []].flat().map((type) => plain(type, schema)))
}

function plain(type: string, schema: Schema): string {
  switch (type) {
    case 'null':
    case 'boolean':
    case 'string':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return `${group(typeOf(schema.items ?? {}))}[]`
    case 'object':
      return objectOf(schema)
    default:
      throw new Error(`No type for ${JSON.stringify(schema).slice(0, 200)}`)
  }
}

function objectOf({
  properties = {},
  required = [],
  additionalProperties,
  patternProperties = {},
}: Schema): string {
  if (Object.keys(properties).length === 0) {
    const rest = Object.values(patternProperties)[0] ?? additionalProperties
    return `Record<string, ${typeof rest === 'object' ? typeOf(rest) : 'unknown'}>`
  }
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
  return `{ ${fields.join('; ')} }`
}

/** Parameters of one place; those with a default may be left out. */
function parametersOf(parameters: Parameter[], place: string): string {
  const own = parameters.filter((parameter) => parameter.in === place)
  if (own.length === 0) return `${place}?: never`
  const mustBe = ({ required, schema }: Parameter) => required === true && schema.default === undefined
  const fields = own.map((one) => `${key(one.name)}${mustBe(one) ? '' : '?'}: ${typeOf(one.schema)}`)
  return `${place}${own.some(mustBe) ? '' : '?'}: { ${fields.join('; ')} }`
}

const PROBLEM =
  "default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } }"

function operationOf(
  { parameters = [], requestBody, responses }: Operation,
  shared: Record<string, Parameter>,
): string {
  const all = parameters.map(
    (one) => ('$ref' in one ? shared[one.$ref.split('/').at(-1) ?? ''] : one) as Parameter,
  )
  const places = ['query', 'header', 'path', 'cookie'].map((place) => parametersOf(all, place))
  const [bodyType, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const request = body
    ? `requestBody${requestBody?.required === false ? '?' : ''}: { content: { ${JSON.stringify(bodyType)}: ${typeOf(body.schema)} } }`
    : 'requestBody?: never'
  const answers = Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .map(([status, { content = {} }]) => {
      const [media, answer] = Object.entries(content)[0] ?? []
      const told = answer ? `{ ${JSON.stringify(media)}: ${typeOf(answer.schema)} }` : 'never'
      return `${status}: { headers: Record<string, unknown>; content${answer ? '' : '?'}: ${told} }`
    })
  return `{ parameters: { ${places.join('; ')} }; ${request}; responses: { ${[...answers, PROBLEM].join('; ')} } }`
}

/** The text of the file of types. */
export function apiTypes({ components, paths }: Document): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `  ${key(name)}: ${typeOf(schema)}`,
  )
  const shown = Object.entries(paths).filter(
    ([path]) => path.startsWith('/api/') && !path.startsWith('/api/v1/'),
  )
  const operations = shown.flatMap(([path, byMethod]) => [
    `  ${JSON.stringify(path)}: {`,
    ...METHODS.flatMap((method) => {
      const operation = byMethod[method]
      return operation
        ? [
            `    /** ${operation.summary ?? ''} */`,
            `    ${method}: ${operationOf(operation, components.parameters ?? {})}`,
          ]
        : []
    }),
    '  }',
  ])
  const lines = [
    'export interface Schemas {',
    ...schemas,
    '}',
    '',
    'export interface paths {',
    ...operations,
    '}',
  ]
  return `// Made from the API description by \`npm run console:types\`; not edited by hand.\n\n${lines.join('\n')}\n`
}

if (import.meta.main) {
  const [from, to] = process.argv.slice(2)
  if (from === undefined || to === undefined) throw new Error('Say the description and the file to write')
  writeFileSync(to, apiTypes(JSON.parse(readFileSync(from, 'utf8')) as Document))
}
