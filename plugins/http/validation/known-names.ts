import type { TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { invalid, type FieldError } from '../errors.ts'
import { nearestName } from './nearest-name.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Ignores unknown parameters and members of a route that others than clients of this API call; why, as the end of
     * "They are ignored: …", for the API description.
     */
    ignoresUnknown?: string
    /** The resource that clients of this PUT may send back whole, where it is not the answer; false: none. */
    resource?: TSchema | false
  }
}

/** What of a schema tells which names are known. */
interface Shape {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Shape>
  patternProperties?: Record<string, Shape>
  additionalProperties?: unknown
  items?: Shape
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
}

/** Schemas with an `$id`, by it. */
export type SharedSchemas = Record<string, unknown>

/** An unknown name, as an error of Ajv. */
export interface UnknownName {
  keyword: 'unknownMember' | 'unknownParameter'
  /** JSON pointer to it. */
  instancePath: string
  message: string
  params: { nearest: string | null }
}

/** Names that one answer tells of. */
const MAX_UNKNOWN = 20

/** Characters of an unknown name that are repeated. */
const MAX_SHOWN = 100

/** What is wrong with the members of an object that are none of `known`. */
export const unknownAmong = (value: object, known: readonly string[]) =>
  namesIn(value, (name) => known.includes(name)).map((name) => {
    const { instancePath: path, message, params } = unknownName('unknownMember', '', name, known)
    return { path: path as `/${string}`, message, params, code: 'unknown_member' as const }
  })

/** What a route without parameters takes. */
const NO_PARAMETERS = { type: 'object', properties: {} }

/** What the routes of an app say about the names in their requests. */
export class RouteNames {
  readonly #routes = new Map<string, RouteOptions>()

  add(route: RouteOptions): void {
    for (const method of [route.method].flat()) this.#routes.set(`${method} ${route.url}`, route)
  }

  /** Faults of a part of a request to that route by its schema; null where unknown names are ignored. */
  checkFor(
    { method, url, httpPart }: { method?: string; url?: string; httpPart?: string },
    schema: object,
    shared: SharedSchemas,
  ): ((value: unknown) => UnknownName[]) | null {
    const route = this.#routes.get(`${method} ${url}`)
    if (route?.schema?.hide === true || route?.config?.ignoresUnknown !== undefined) return null
    if (httpPart === 'body') return unknownMembers(schema, shared, route && resourceOf(route))
    if (httpPart !== 'querystring') return null
    const further = route?.config?.tokenInQuery === true ? ['token'] : []
    return unknownParameters([...knownOf([schema], shared).members.keys(), ...further])
  }
}

/** Refuses query parameters and bodies where a route describes none. Before the routes, which it completes. */
export const knownNames = fp<{ names: RouteNames }>(
  async (app: FastifyInstance, { names }) => {
    app.addHook('onRoute', (route) => {
      if (isOperation(route.schema)) route.schema = { querystring: NO_PARAMETERS, ...route.schema }
      names.add(route)
    })

    app.addHook('preValidation', (request, _reply, done) => {
      const { schema, config } = request.routeOptions
      const takesNone =
        isOperation(schema) && schema?.body === undefined && config.ignoresUnknown === undefined
      if (!takesNone || isNothing(request.body)) return done()
      done(invalid(...membersOfNothing(request.body)))
    })
  },
  { name: 'known-names', dependencies: ['errors'] },
)

/** Not pages and files, which take whatever comes. */
const isOperation = (schema: FastifySchema | undefined) =>
  schema?.operationId !== undefined && schema.hide !== true

const isNothing = (body: unknown) =>
  body === undefined ||
  body === null ||
  (typeof body === 'object' && !Array.isArray(body) && Object.keys(body).length === 0)

function membersOfNothing(body: unknown): FieldError[] {
  const message = 'is not a known member; this operation takes no body'
  const names = typeof body === 'object' && !Array.isArray(body) ? Object.keys(body ?? {}) : []
  const paths = names.slice(0, MAX_UNKNOWN).map((name) => pointer('', name))
  return (paths.length > 0 ? paths : ['']).map((path) => ({
    path,
    code: 'unknown_member',
    message: path === '' ? 'must be empty; this operation takes no body' : message,
    params: { nearest: null },
  }))
}

/** What a PUT shows of what it changes: its members may be sent back. */
export function resourceOf({ method, config, schema }: RouteOptions): object | undefined {
  if (method !== 'PUT' || config?.resource === false) return undefined
  return config?.resource ?? (schema?.response as Record<string, object> | undefined)?.['200']
}

/** The members that clients may send back though the body of that schema can't change them. */
export function ignoredMembers(body: object, resource: object, shared: SharedSchemas): string[] {
  const { members } = knownOf([body], shared)
  return [...knownOf([resource], shared).members.keys()].filter((name) => !members.has(name))
}

function unknownParameters(known: string[]) {
  return (query: unknown): UnknownName[] =>
    namesIn(query, (name) => known.includes(name)).map((name) =>
      unknownName('unknownParameter', '', name, known),
    )
}

/**
 * The check of a value by its schema, nested objects too: a member is known where any alternative of the schema has it, or
 * where the `resource` shows it. An object of which the schema names no member may have any.
 */
export function unknownMembers(schema: object, shared: SharedSchemas = {}, resource?: object) {
  return (value: unknown): UnknownName[] => {
    const found: UnknownName[] = []

    function look(shapes: readonly Shape[], shown: readonly Shape[], value: unknown, path: string): void {
      if (typeof value !== 'object' || value === null || found.length >= MAX_UNKNOWN) return
      if (Array.isArray(value)) {
        const [items, shownItems] = [itemsOf(shapes, shared), itemsOf(shown, shared)]
        if (items.length > 0) value.forEach((item, at) => look(items, shownItems, item, `${path}/${at}`))
        return
      }
      const { members, others, isClosed } = knownOf(shapes, shared)
      const back = knownOf(shown, shared).members
      const unknown = isClosed ? namesIn(value, (name) => members.has(name) || back.has(name)) : []
      found.push(...unknown.map((name) => unknownName('unknownMember', path, name, [...members.keys()])))
      for (const [name, member] of Object.entries(value)) {
        const inner = members.get(name) ?? others
        if (inner.length > 0) look(inner, back.get(name) ?? [], member, pointer(path, name))
      }
    }

    look([schema], resource ? [resource] : [], value, '')
    return found.slice(0, MAX_UNKNOWN)
  }
}

interface Known {
  members: Map<string, Shape[]>
  /** What any other member is. */
  others: Shape[]
  isClosed: boolean
}

/** What the alternatives of a value know together. */
function knownOf(shapes: readonly Shape[], shared: SharedSchemas): Known {
  const known: Known = { members: new Map(), others: [], isClosed: false }
  for (const shape of alternatives(shapes, shared)) {
    for (const [name, member] of Object.entries(shape.properties ?? {}))
      known.members.set(name, [...(known.members.get(name) ?? []), member])
    if (shape.properties !== undefined) known.isClosed = true
    const { additionalProperties: others } = shape
    if (typeof others === 'object' && others !== null) known.others.push(others)
    known.others.push(...Object.values(shape.patternProperties ?? {}))
    if (others === true) known.others.push({})
  }
  if (known.others.length > 0) known.isClosed = false
  return known
}

const itemsOf = (shapes: readonly Shape[], shared: SharedSchemas): Shape[] =>
  alternatives(shapes, shared).flatMap(({ items }) => items ?? [])

/** Schemas with those that they refer to or combine. */
const alternatives = (shapes: readonly Shape[], shared: SharedSchemas): Shape[] =>
  shapes.flatMap((shape) => {
    const { $ref, anyOf = [], oneOf = [], allOf = [] } = shape
    const target = $ref === undefined ? undefined : shared[$ref.replace(/#$/, '')]
    const inner = [...(target ? [target] : []), ...anyOf, ...oneOf, ...allOf]
    return [shape, ...(inner.length > 0 ? alternatives(inner, shared) : [])]
  })

/** The first of the names that are not known. */
function namesIn(value: unknown, isKnown: (name: string) => boolean): string[] {
  const unknown: string[] = []
  for (const name of Object.keys(value ?? {})) {
    if (isKnown(name)) continue
    unknown.push(name)
    if (unknown.length === MAX_UNKNOWN) break
  }
  return unknown
}

function unknownName(
  keyword: UnknownName['keyword'],
  path: string,
  name: string,
  known: readonly string[],
): UnknownName {
  const [what, none] =
    keyword === 'unknownMember'
      ? ['member', 'this object has none']
      : ['parameter', 'this operation takes no query parameters']
  const nearest = nearestName(name, known)
  return {
    keyword,
    instancePath: pointer(path, name),
    message: `is not a known ${what}; ${nearest === null ? none : `the nearest is \`${nearest}\``}`,
    params: { nearest },
  }
}

/** The JSON pointer to a member (RFC 6901). */
const pointer = (path: string, name: string) =>
  `${path}/${name.slice(0, MAX_SHOWN).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`
