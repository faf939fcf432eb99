import { isDeepStrictEqual } from 'node:util'

/** The parts of a schema that matter for compatibility. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  default?: unknown
}

interface Reference {
  $ref?: string
}

interface Media extends Reference {
  content?: Record<string, { schema?: Schema }>
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema?: Schema
}

interface Operation {
  operationId?: string
  /** Alternatives; each with the permissions it needs. */
  security?: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: Media & { required?: boolean }
  responses?: Record<string, Media>
}

export interface Description {
  paths: Record<string, Record<string, Operation>>
  components?: {
    schemas?: Record<string, Schema>
    parameters?: Record<string, Parameter>
    responses?: Record<string, Media>
  }
}

/**
 * Breaks that were decided and are in the changelog, so that the next release may make them. octoDNS YAML is converted by
 * the command line since the server stopped reading it: a parser for YAML is too much to expose to strangers.
 */
export const DECIDED_BREAKS: readonly string[] = [
  'GET /api/v1/domains/{id}/zone format: the value octodns is gone',
  'GET /api/v1/domains/{id}/zone 200: application/yaml is gone',
  'PUT /api/v1/domains/{id}/zone format: the value octodns is gone',
  'PUT /api/v1/domains/{id}/zone body: application/yaml is gone',
]

/** What clients send must stay accepted; what they read must stay present. */
type Direction = 'sent' | 'read'

const LOWER = ['minLength', 'minimum', 'minItems'] as const
const UPPER = ['maxLength', 'maximum', 'maxItems'] as const

/**
 * Returns what clients of the released description rely on and the current one no longer offers, each as a sentence with
 * its place. New operations, optional parameters, optional members, members of answers and enumeration values are
 * compatible, as are changed texts and examples.
 */
export function incompatibilities(released: Description, current: Description): string[] {
  const found: string[] = []
  const report = (place: string, what: string) => found.push(`${place}: ${what}`)

  for (const [path, methods] of Object.entries(released.paths)) {
    for (const [method, before] of Object.entries(methods)) {
      const place = `${method.toUpperCase()} ${path}`
      const after = current.paths[path]?.[method]
      if (after) compareOperations(place, before, after)
      else report(place, 'is gone')
    }
  }
  return [...new Set(found)]

  function compareOperations(place: string, before: Operation, after: Operation): void {
    if (before.operationId !== after.operationId) report(place, `is now called ${after.operationId}`)
    compareSecurity(place, before.security ?? [], after.security ?? [])
    compareParameters(place, parametersOf(before, released), parametersOf(after, current))
    if (after.requestBody?.required && !before.requestBody?.required) report(place, 'needs a body')
    compareMedia(`${place} body`, before.requestBody ?? {}, after.requestBody ?? {}, 'sent')
    for (const [status, answer] of Object.entries(before.responses ?? {})) {
      const now = after.responses?.[status]
      if (now) compareMedia(`${place} ${status}`, answerOf(answer, released), answerOf(now, current), 'read')
      else report(place, `no longer answers ${status}`)
    }
  }

  /** Callers must keep access with the permissions that were enough. */
  function compareSecurity(place: string, before: Requirements, after: Requirements): void {
    for (const requirement of before) {
      const isEnough = after.some((other) =>
        Object.entries(other).every(
          ([scheme, permissions]) =>
            permissions.every((one) => requirement[scheme]?.includes(one)) &&
            requirement[scheme] !== undefined,
        ),
      )
      if (!isEnough) report(place, `${saidOf(requirement)} is no longer enough`)
    }
  }

  function compareParameters(place: string, before: Parameter[], after: Parameter[]): void {
    const same = (one: Parameter) => (other: Parameter) => one.name === other.name && one.in === other.in
    for (const one of before) {
      const now = after.find(same(one))
      if (now) compareSchemas(`${place} ${one.name}`, one.schema, now.schema, 'sent')
      else report(`${place} ${one.name}`, 'is gone')
    }
    for (const one of after) {
      if (one.required && !before.find(same(one))?.required) report(`${place} ${one.name}`, 'is required')
    }
  }

  function compareMedia(place: string, before: Media, after: Media, direction: Direction): void {
    for (const [type, { schema }] of Object.entries(before.content ?? {})) {
      const now = after.content?.[type]
      if (now) compareSchemas(place, schema, now.schema, direction)
      else report(place, `${type} is gone`)
    }
  }

  function compareSchemas(
    place: string,
    before: Schema | undefined,
    after: Schema | undefined,
    direction: Direction,
    within: readonly string[] = [],
  ): void {
    if (before === undefined || after === undefined) return
    const pair = `${before.$ref} ${after.$ref}`
    if (before.$ref !== undefined && within.includes(pair)) return
    const [old, now] = [meant(before, released), meant(after, current)]
    const inside = before.$ref === undefined ? within : [...within, pair]
    const compare = (part: string, one?: Schema, other?: Schema) =>
      compareSchemas(`${place}${part}`, one, other, direction, inside)
    if (direction === 'sent') compareDefaults(place, { ...old, ...before }, { ...now, ...after })
    compareTypes(place, old, now, direction)
    compareValues(place, old, now, direction)
    if (direction === 'sent') compareBounds(place, old, now)
    compareMembers(place, old, now, direction, compare)
    compare('[]', old.items, now.items)
    compareBranches(place, old, now, direction, inside)
  }

  function compareTypes(place: string, old: Schema, now: Schema, direction: Direction): void {
    const [before, after] = [typesOf(old), typesOf(now)]
    if (!before || !after) return
    const [given, taken] = direction === 'sent' ? [before, after] : [after, before]
    const missing = given.filter(
      (type) => !taken.includes(type) && !(type === 'integer' && taken.includes('number')),
    )
    if (missing.length > 0) report(place, `its type was ${before.join(' or ')}, and is ${after.join(' or ')}`)
  }

  function compareValues(place: string, old: Schema, now: Schema, direction: Direction): void {
    const [before, after] = [valuesOf(old), valuesOf(now)]
    if (after && !before && direction === 'sent') report(place, 'takes some values only')
    const missing = (after && before?.filter((value) => value !== null && !after.includes(value))) ?? []
    if (missing.length > 0) report(place, `the value ${missing.join(', ')} is gone`)
  }

  /** A changed default changes the result for callers that omit the parameter. */
  function compareDefaults(place: string, old: Schema, now: Schema): void {
    if (old.default === undefined || isDeepStrictEqual(old.default, now.default)) return
    report(
      place,
      `its default was ${JSON.stringify(old.default)}, and is ${JSON.stringify(now.default) ?? 'none'}`,
    )
  }

  function compareBounds(place: string, old: Schema, now: Schema): void {
    const narrower = [
      ...LOWER.filter((bound) => (now[bound] ?? -Infinity) > (old[bound] ?? -Infinity)),
      ...UPPER.filter((bound) => (now[bound] ?? Infinity) < boundOf(old, bound)),
      ...(['pattern', 'format'] as const).filter(
        (rule) => now[rule] !== undefined && now[rule] !== old[rule] && !hasMore(old[rule], now[rule]),
      ),
    ]
    for (const bound of narrower) report(place, `${bound} is narrower: ${now[bound]}`)
  }

  function compareMembers(
    place: string,
    old: Schema,
    now: Schema,
    direction: Direction,
    compare: (part: string, one?: Schema, other?: Schema) => void,
  ): void {
    for (const [name, member] of Object.entries(old.properties ?? {})) {
      const same = now.properties?.[name]
      if (same) compare(`/${name}`, member, same)
      else report(`${place}/${name}`, 'is gone')
    }
    const required = (schema: Schema) => schema.required ?? []
    const [least, most] = direction === 'sent' ? [old, now] : [now, old]
    for (const name of required(most)) {
      // A missing one was reported above.
      if (required(least).includes(name) || (direction === 'read' && !now.properties?.[name])) continue
      report(`${place}/${name}`, direction === 'sent' ? 'is required' : 'may be missing')
    }
    if (now.additionalProperties === false && old.additionalProperties !== false && direction === 'sent') {
      report(place, 'takes no further members')
    }
    if (typeof old.additionalProperties === 'object' && typeof now.additionalProperties === 'object') {
      compare('/*', old.additionalProperties, now.additionalProperties)
    }
  }

  /** Each former branch needs a compatible one now: by name, or any. */
  function compareBranches(
    place: string,
    old: Schema,
    now: Schema,
    direction: Direction,
    within: readonly string[],
  ): void {
    const before = branchesOf(old)
    const after = branchesOf(now)
    if (before.length === 0) return
    for (const branch of before) {
      const named = after.find(({ $ref }) => $ref !== undefined && $ref === branch.$ref)
      if (named) {
        compareSchemas(place, branch, named, direction, within)
        continue
      }
      const kept = found.length
      const fits = (after.length > 0 ? after : [now]).some((other) => {
        compareSchemas(place, branch, other, direction, within)
        return found.splice(kept).length === 0
      })
      if (!fits) report(place, `${branch.$ref?.split('/').at(-1) ?? 'one of its forms'} is gone`)
    }
  }
}

/** Whether a pattern is a list of alternatives with all of those that it had. */
function hasMore(old: string | undefined, now: string | undefined): boolean {
  const [before, after] = [alternativesOf(old), alternativesOf(now)]
  return before !== null && after !== null && before.every((one) => after.includes(one))
}

const alternativesOf = (pattern = ''): string[] | null =>
  /^\^\(\?:([^()]+)\)\$$/.exec(pattern)?.[1]?.split('|') ?? null

type Requirements = NonNullable<Operation['security']>

const saidOf = (requirement: Requirements[number]): string =>
  Object.entries(requirement)
    .map(([scheme, permissions]) => [scheme, ...permissions].join(' with '))
    .join(' and ') || 'no credential'

const nameOf = ({ $ref = '' }: Reference): string => $ref.split('/').at(-1) ?? ''

const parametersOf = ({ parameters = [] }: Operation, { components }: Description): Parameter[] =>
  parameters.map((one) => ('name' in one ? one : components?.parameters?.[nameOf(one)]) as Parameter)

const answerOf = (answer: Media, { components }: Description): Media =>
  components?.responses?.[nameOf(answer)] ?? answer

const meant = (schema: Schema, { components }: Description): Schema =>
  components?.schemas?.[nameOf(schema)] ?? schema

function typesOf({ type }: Schema): string[] | null {
  return type === undefined ? null : [type].flat()
}

/** Returns an upper bound; a pattern of one repeated class, such as `^[0-9]{1,6}$`, also bounds the length. */
function boundOf(schema: Schema, bound: (typeof UPPER)[number]): number {
  const byPattern = /^\^\[[^\]]+\]\{\d+,(\d+)\}\$$/.exec(schema.pattern ?? '')?.[1]
  return schema[bound] ?? (bound === 'maxLength' && byPattern !== undefined ? Number(byPattern) : Infinity)
}

const valuesOf = (schema: Schema): unknown[] | null =>
  schema.const === undefined ? (schema.enum ?? null) : [schema.const]

const branchesOf = ({ anyOf = [], oneOf = [] }: Schema): Schema[] => [...anyOf, ...oneOf]
