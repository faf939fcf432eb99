import type { TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { invalid, type FieldError } from '../errors.ts'
import { nearestName } from './nearest-name.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Ignores unknown parameters and members, on routes called by clients of other protocols. The text is the reason, for
     * the API description.
     */
    ignoresUnknown?: string
    /** The resource that clients may send back in this PUT, if it is not the response; false for none. */
    resource?: TSchema | false
  }
}

/** The parts of a schema that define known names. */
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

/** Schemas by `$id`. */
export type SharedSchemas = Record<string, unknown>

/** An unknown name in the format of Ajv errors. */
export interface UnknownName {
  keyword: 'unknownMember' | 'unknownParameter'
  /** JSON pointer to the name. */
  instancePath: string
  message: string
  params: { nearest: string | null }
}

/** Names listed in one response. */
const MAX_UNKNOWN = 20

/** Characters of an unknown name that are quoted. */
const MAX_SHOWN = 100

/** Returns an error for each member of an object that is not in `known`. */
export const unknownAmong = (value: object, known: readonly string[]) =>
  namesIn(value, (name) => known.includes(name)).map((name) => {
    const { instancePath: path, message, params } = unknownName('unknownMember', '', name, known)
    return { path: path as `/${string}`, message, params, code: 'unknown_member' as const }
  })

/** Schema of a route without parameters. */
const NO_PARAMETERS = { type: 'object', properties: {} }

/** Known names in the requests of an app's routes. */
export class RouteNames {
  readonly #routes = new Map<string, RouteOptions>()

  add(route: RouteOptions): void {
    for (const method of [route.method].flat()) this.#routes.set(`${method} ${route.url}`, route)
  }

  /** Returns the check of one part of a route's requests; null where unknown names are ignored. */
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

/** Rejects query parameters and bodies on routes that describe none. Registered before the routes, whose schemas it completes. */
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

/** Pages and files accept any parameters. */
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

/** Returns the resource in the response of a PUT, whose members may be sent back. */
export function resourceOf({ method, config, schema }: RouteOptions): object | undefined {
  if (method !== 'PUT' || config?.resource === false) return undefined
  return config?.resource ?? (schema?.response as Record<string, object> | undefined)?.['200']
}

/** Returns the members that clients may send back although the body can't change them. */
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
 * Checks a value and its nested objects: a member is known if any alternative of the schema or the `resource` has it. An
 * object whose schema names no members may have any.
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
  /** Schema of all other members. */
  others: Shape[]
  isClosed: boolean
}

/** Names known by any alternative of a schema. */
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

/** Returns schemas with all they refer to or combine. */
const alternatives = (shapes: readonly Shape[], shared: SharedSchemas): Shape[] =>
  shapes.flatMap((shape) => {
    const { $ref, anyOf = [], oneOf = [], allOf = [] } = shape
    const target = $ref === undefined ? undefined : shared[$ref.replace(/#$/, '')]
    const inner = [...(target ? [target] : []), ...anyOf, ...oneOf, ...allOf]
    return [shape, ...(inner.length > 0 ? alternatives(inner, shared) : [])]
  })

/** Returns the first unknown names. */
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
      : ['parameter', 'this operation has no query parameters']
  const nearest = nearestName(name, known)
  return {
    keyword,
    instancePath: pointer(path, name),
    message: `is not a known ${what}; ${nearest === null ? none : `did you mean \`${nearest}\`?`}`,
    params: { nearest },
  }
}

/** Returns the JSON pointer to a member (RFC 6901). */
const pointer = (path: string, name: string) =>
  `${path}/${name.slice(0, MAX_SHOWN).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`
