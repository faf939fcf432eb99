export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  default?: unknown
  examples?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
}

/**
 * Returns a value that matches the schema, built from the examples of its fields. Optional fields without an example are
 * left out.
 */
export const exampleOf = (schema: JsonSchema, components: Record<string, JsonSchema>): unknown =>
  given(schema, components) ?? null

/** Returns undefined where the schema has no example. */
function given(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
  if (schema.examples?.length) return schema.examples[0]
  if (schema.$ref !== undefined) {
    const target = components[schema.$ref.split('/').at(-1) ?? '']
    return target && given(target, components)
  }
  if (schema.properties) {
    const { properties, required = [] } = schema
    const entries = Object.entries(properties).map(([name, property]) => [name, given(property, components)])
    const there = entries.filter(([name, value]) => value !== undefined || required.includes(name as string))
    return Object.fromEntries(there.map(([name, value]) => [name, value ?? null]))
  }
  if (schema.items) {
    const item = given(schema.items, components)
    return item === undefined ? undefined : [item]
  }
  const [branch] = schema.anyOf ?? schema.oneOf ?? []
  if (branch) return given(branch, components)
  return schema.const ?? schema.default ?? schema.enum?.[0]
}
