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

/** A value that fits the schema, from the examples its leaves carry; components by name for its references. */
export function exampleOf(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
  if (schema.examples?.length) return schema.examples[0]
  if (schema.$ref !== undefined) {
    const target = components[schema.$ref.split('/').at(-1) ?? '']
    return target && exampleOf(target, components)
  }
  if (schema.properties) {
    const entries = Object.entries(schema.properties)
    return Object.fromEntries(entries.map(([name, property]) => [name, exampleOf(property, components)]))
  }
  if (schema.items) return [exampleOf(schema.items, components)]
  const [branch] = schema.anyOf ?? schema.oneOf ?? []
  if (branch) return exampleOf(branch, components)
  return schema.const ?? schema.default ?? schema.enum?.[0] ?? null
}
