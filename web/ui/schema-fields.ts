/** One field of a configuration, as a JSON Schema describes it. */
export interface SchemaField {
  name: string
  title: string
  description?: string
  type: 'string' | 'integer' | 'boolean' | 'array' | 'object'
  enum?: string[]
  examples?: unknown[]
  writeOnly?: boolean
  maxLength?: number
  minimum?: number
  maximum?: number
  isRequired: boolean
}

export type SchemaValues = Readonly<Record<string, unknown>>

/** The fields of a schema of an object, in its order. */
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

/** What a form begins with: what is stored and may be seen. Secrets begin empty. */
export const startValues = (fields: readonly SchemaField[], stored: SchemaValues | null): SchemaValues =>
  Object.fromEntries(
    fields.flatMap(({ name, writeOnly, enum: choices, isRequired }) => {
      if (writeOnly) return []
      const value = stored?.[name] ?? (isRequired ? choices?.[0] : undefined)
      return value === undefined ? [] : [[name, value]]
    }),
  )

const isEmpty = (value: unknown) =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * What is sent: what is empty is left out, which keeps a secret that is stored; something else that was stored and is
 * empty now is null, which removes it.
 */
export const sentValues = (
  fields: readonly SchemaField[],
  values: SchemaValues,
  stored: SchemaValues | null,
): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap(({ name, writeOnly }) => {
      if (!isEmpty(values[name])) return [[name, values[name]]]
      return !writeOnly && stored?.[name] !== undefined ? [[name, null]] : []
    }),
  )

/** Lines of `name: value` as an object; null where a line is none. */
export function readLines(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const entries = lines.map((line) => /^\s*([^\s:]+)\s*:\s*(\S.*)$/.exec(line))
  if (entries.includes(null)) return null
  return Object.fromEntries(entries.map((entry) => [entry?.[1] ?? '', entry?.[2]?.trim() ?? '']))
}
