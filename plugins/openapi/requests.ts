import type { JsonSchema } from './examples.ts'

/**
 * Makes fields with defaults optional, as senders see them. TypeBox lists them as required, since handlers always find
 * them. Leaves out `anyOf`, where validation fills in no defaults.
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
