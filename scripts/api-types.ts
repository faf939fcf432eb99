import { writeFileSync } from 'node:fs'
import { json } from 'node:stream/consumers'

/**
 * Writes clients/typescript/schema.ts, the types of all API calls that the typed client, the command line, the MCP
 * tools and the console share, from the API description on standard input. A generator of our own, because the usual
 * ones need the compiler API that TypeScript 7 lacks. Texts are left out: rewording a description changes no type.
 *
 *   npm run api:types
 */
export const API_TYPES = new URL('../clients/typescript/schema.ts', import.meta.url)

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

type Content = Record<string, { schema: Schema }>

interface Operation {
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content?: Content }
  responses: Record<string, { content?: Content }>
}

export interface ApiDescription {
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> }
  paths: Record<string, Record<string, Operation>>
}

const OPEN_API = '/api/v1/'
const METHODS = ['get', 'put', 'post', 'delete']
/** Keywords that don't affect the type. */
const NOTES = new Set(['description', 'title', 'examples', 'example', 'default', '$id'])

const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))
const union = (types: string[]) => [...new Set(types)].join(' | ') || 'never'
const group = (type: string) => (/[|&]/.test(type) ? `(${type})` : type)

/** Returns a JSON schema as a type. Throws on an unknown form, so that nothing becomes `any` unnoticed. */
function typeOf(schema: Schema): string {
  if (Object.keys(schema).every((name) => NOTES.has(name))) return 'unknown'
  if (schema.$ref !== undefined) return `Schemas[${JSON.stringify(schema.$ref.split('/').pop())}]`
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)))
  // With properties, an anyOf only says which of them are required together, which doesn't affect the type.
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

/** Returns the parameters of one place as a field, or nothing; those with a default are optional. */
function parametersOf(parameters: Parameter[], place: string): string[] {
  const own = parameters.filter((parameter) => parameter.in === place)
  if (own.length === 0) return []
  const isRequired = ({ required, schema }: Parameter) => required === true && schema.default === undefined
  const fields = own.map((one) => `${key(one.name)}${isRequired(one) ? '' : '?'}: ${typeOf(one.schema)}`)
  return [`${place}${own.some(isRequired) ? '' : '?'}: { ${fields.join('; ')} }`]
}

function operationOf(
  { parameters = [], requestBody, responses }: Operation,
  shared: Record<string, Parameter>,
): string {
  const all = parameters.map(
    (one) => ('$ref' in one ? shared[one.$ref.split('/').at(-1) ?? ''] : one) as Parameter,
  )
  const [body] = Object.values(requestBody?.content ?? {})
  const answers = Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .map(([, { content = {} }]) => {
      const [answer] = Object.values(content)
      return answer ? typeOf(answer.schema) : 'undefined'
    })
  const fields = [
    ...['path', 'query'].flatMap((place) => parametersOf(all, place)),
    ...(body ? [`body${requestBody?.required === false ? '?' : ''}: ${typeOf(body.schema)}`] : []),
    `answer: ${union(answers)}`,
  ]
  return `{ ${fields.join('; ')} }`
}

/** Returns the text of the file. */
export function apiTypes({ components, paths }: ApiDescription): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `  ${key(name)}: ${typeOf(schema)}`,
  )
  const isOpen = (path: string) => path.startsWith(OPEN_API)
  const operationsOf = (path: string) =>
    METHODS.flatMap((method) => {
      const operation = paths[path]?.[method]
      return operation ? [{ method, type: operationOf(operation, components.parameters ?? {}) }] : []
    })
  /** Most calls of the console are the same in the Open API, so they refer to it. */
  const inOpenApi = (path: string, method: string, type: string) => {
    const twin = path.replace('/api/', OPEN_API)
    return operationsOf(twin).some((other) => other.method === method && other.type === type)
      ? `OpenApi[${JSON.stringify(twin)}]["${method.toUpperCase()}"]`
      : type
  }
  const linesOf = (path: string) => [
    `  ${JSON.stringify(path)}: {`,
    ...operationsOf(path).map(
      ({ method, type }) =>
        `    ${method.toUpperCase()}: ${isOpen(path) ? type : inOpenApi(path, method, type)}`,
    ),
    '  }',
  ]
  const api = Object.keys(paths).filter((path) => path.startsWith('/api/'))
  return [
    '// Generated by `npm run api:types` from the API description. Do not edit.\n',
    '/** The named shapes of the API. */',
    'export interface Schemas {',
    ...schemas,
    '}\n',
    '/** The calls of the Open API by path and method. */',
    'export interface OpenApi {',
    ...api.filter(isOpen).flatMap(linesOf),
    '}\n',
    "/** The console's calls; other programs use the Open API, which is kept stable. */",
    'export interface ConsoleApi {',
    ...api.filter((path) => !isOpen(path)).flatMap(linesOf),
    '}\n',
  ].join('\n')
}

if (import.meta.main) writeFileSync(API_TYPES, apiTypes((await json(process.stdin)) as ApiDescription))
