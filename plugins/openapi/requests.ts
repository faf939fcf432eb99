import type { JsonSchema } from './examples.ts'

/**
 * The schema of a request as its sender sees it: what has a default may be left out. TypeBox lists it as
 * required, since a handler always finds it. Not within `anyOf`, where validation fills in no defaults.
 */
export function defaultsOptional(schema: JsonSchema): JsonSchema {
  const { properties, required, items, oneOf } = schema
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, defaultsOptional(property)]),
      ),
    }),
    ...(required && { required: required.filter((name) => properties?.[name]?.default === undefined) }),
    ...(items && { items: defaultsOptional(items) }),
    ...(oneOf && { oneOf: oneOf.map(defaultsOptional) }),
  }
}
