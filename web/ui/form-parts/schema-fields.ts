/** One field of a configuration, as a JSON Schema describes it. */
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

/** What a form begins with: what is stored and may be seen, of something new the defaults. Secrets begin empty. */
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
 * What is sent: what is empty is left out, which keeps a secret that is stored; null removes what was stored: secrets that
 * are to be forgotten, and what was seen in its field and is empty now.
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

/** Lines of `name: value` as an object; null where a line is none. */
export function readLines(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const entries = lines.map((line) => /^\s*([^\s:]+)\s*:\s*(\S.*)$/.exec(line))
  if (entries.includes(null)) return null
  return Object.fromEntries(entries.map((entry) => [entry?.[1] ?? '', entry?.[2]?.trim() ?? '']))
}
