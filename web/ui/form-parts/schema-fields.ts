/** A configuration field, from JSON Schema. */
export interface SchemaField {
  name: string
  title: string
  description?: string
  type: 'string' | 'integer' | 'boolean' | 'array' | 'object'
  format?: string
  default?: unknown
  enum?: string[]
  examples?: unknown[]
  writeOnly?: boolean
  maxLength?: number
  isRequired: boolean
}

export type SchemaValues = Readonly<Record<string, unknown>>

/** Fields of an object schema, in its order. */
export function schemaFieldsOf(schema: Record<string, unknown>): SchemaField[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Omit<SchemaField, 'name' | 'isRequired'>>
    required?: string[]
  }
  return Object.entries(properties).map(([name, field]) => ({
    ...field,
    name,
    isRequired: required.includes(name),
  }))
}

/** Initial values: stored visible ones, or defaults for a new object. Secrets start empty. */
export const startValues = (fields: readonly SchemaField[], stored: SchemaValues | null): SchemaValues =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const { name, writeOnly, enum: choices, isRequired } = field
      if (writeOnly) return []
      const value = stored ? stored[name] : (field.default ?? (isRequired ? choices?.[0] : undefined))
      return value === undefined ? [] : [[name, value]]
    }),
  )

const isEmpty = (value: unknown) =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * Values to send: empty ones are omitted, which keeps stored secrets; null removes secrets marked for removal, and visible
 * values that were cleared.
 */
export const sentValues = (
  fields: readonly SchemaField[],
  values: SchemaValues,
  stored: SchemaValues | null,
  forgotten: ReadonlySet<string> = new Set(),
): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap(({ name, writeOnly }) => {
      if (!isEmpty(values[name])) return [[name, values[name]]]
      return stored?.[name] !== undefined && (!writeOnly || forgotten.has(name)) ? [[name, null]] : []
    }),
  )

/** Parses lines of `name: value`; null if one is invalid. */
export function readLines(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const entries = lines.map((line) => /^\s*([^\s:]+)\s*:\s*(\S.*)$/.exec(line))
  if (entries.includes(null)) return null
  return Object.fromEntries(entries.map((entry) => [entry?.[1] ?? '', entry?.[2]?.trim() ?? '']))
}
