import { isDeepStrictEqual } from 'node:util'
import { shownOf } from '../../schemas/named.ts'

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapped = (value: unknown, change: (inner: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map(change)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]))
}

/** Replaces the parts of a schema by what the description shows. */
export function shown<T>(schema: T): T {
  const other = isObject(schema) ? shownOf(schema) : undefined
  return (other ? shown(other) : mapped(schema, shown)) as T
}

/**
 * Moves named schemas into components and refers to them. Nullable objects and enumerations become unions with null,
 * because client generators ignore null in a list of types. Throws when two different schemas have the same name.
 */
export function withComponents<T extends object>(document: T): T {
  const { components = {}, ...rest } = document as { components?: { schemas?: Json } }
  const schemas: Json = {}

  const placed = (value: unknown): unknown => {
    if (!isObject(value)) return mapped(value, placed)
    const schema: Json = {}
    for (const [key, inner] of Object.entries(value)) {
      // Examples are data, even if they look like schemas.
      schema[key] = key === 'example' || key === 'examples' ? inner : placed(inner)
    }
    const isNullable = Array.isArray(schema['type']) && schema['type'].includes('null')
    if (isNullable && (isObject(schema['properties']) || Array.isArray(schema['enum']))) {
      const { description, default: fallback, examples, ...core } = withoutNull(schema)
      // The component itself is not null.
      const isOfPlace = Array.isArray(examples) && examples.includes(null)
      return {
        anyOf: [component({ ...core, ...(!isOfPlace && { examples }) }), { type: 'null' }],
        ...(description !== undefined && { description }),
        ...(fallback !== undefined && { default: fallback }),
        ...(isOfPlace && { examples }),
      }
    }
    return component(schema)
  }

  /** Returns a reference to a named schema, with the description and default of its use. */
  const component = (schema: Json): Json => {
    const { 'x-name': name, 'x-example': example, default: fallback, ...core } = schema
    if (typeof name !== 'string') return schema
    if (example !== undefined) core['examples'] = [example]
    const known = schemas[name]
    if (known !== undefined && !isDeepStrictEqual(shapeOf(known), shapeOf(core))) {
      throw new Error(`Two different schemas have the name ${name}`)
    }
    schemas[name] ??= core
    const { description } = core
    return {
      $ref: `#/components/schemas/${name}`,
      ...(description !== undefined &&
        description !== (schemas[name] as Json)['description'] && { description }),
      ...(fallback !== undefined && { default: fallback }),
    }
  }

  for (const [name, schema] of Object.entries(components.schemas ?? {})) schemas[name] = placed(schema)
  return { ...(placed(rest) as object), components: { ...components, schemas } } as T
}

/** Removes null from a schema. */
export function withoutNull<S extends { type?: string | string[]; enum?: unknown[] }>(schema: S): S {
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null')
  const values = schema.enum
  return {
    ...schema,
    type: types.length === 1 ? types[0] : types,
    ...(values && { enum: values.filter((value) => value !== null) }),
  }
}

/** Returns a schema without descriptions and examples. */
function shapeOf(schema: unknown): unknown {
  if (!isObject(schema)) return mapped(schema, shapeOf)
  const { description: _d, examples: _e, example: _x, ...rest } = schema
  return mapped(rest, shapeOf)
}

/** Keeps only the components, security schemes and tags that the operations use. */
export function onlyUsed<T extends object>(document: T): T {
  const { paths = {}, components = {}, tags = [] } = document as Described
  const { schemas = {}, securitySchemes = {} } = components
  const used = new Set<string>()
  const follow = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      follow(schemas[name])
    }
  }
  follow(paths)
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const schemes = new Set(operations.flatMap(({ security = [] }) => security.flatMap(Object.keys)))
  const sections = new Set(operations.flatMap((operation) => operation.tags ?? []))
  const only = (all: Json, names: Set<string>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)))
  return {
    ...document,
    tags: tags.filter(({ name }) => sections.has(name)),
    components: { schemas: only(schemas, used), securitySchemes: only(securitySchemes, schemes) },
  }
}

interface Described {
  paths?: Record<string, Record<string, { tags?: string[]; security?: object[] }>>
  components?: { schemas?: Json; securitySchemes?: Json }
  tags?: { name: string }[]
}
