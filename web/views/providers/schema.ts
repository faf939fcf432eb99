/** One field of credentials, as the catalogue's JSON Schema describes it. */
export interface CredentialField {
  name: string
  title: string
  description?: string
  default?: string
  format?: string
  enum?: string[]
  examples?: string[]
  writeOnly?: boolean
  maxLength?: number
  isRequired: boolean
}

/** The fields of a `credentialSchema`, in its order. */
export function fieldsOf(schema: Record<string, unknown>): CredentialField[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Omit<CredentialField, 'name' | 'isRequired'>>
    required?: string[]
  }
  return Object.entries(properties).map(([name, field]) => ({
    ...field,
    name,
    title: field.title,
    isRequired: required.includes(name),
  }))
}

/** What a form begins with: what is stored and may be seen, else the default. Secrets begin empty. */
export const startOf = (
  fields: readonly CredentialField[],
  stored: Readonly<Record<string, string>> | null,
): Record<string, string> =>
  Object.fromEntries(
    fields.map((field) => [
      field.name,
      field.writeOnly ? '' : ((stored ? stored[field.name] : field.default) ?? ''),
    ]),
  )

/** What is sent: fields left empty are left out, which keeps what is stored. */
export const sentOf = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

/** What a change removes: `forgotten` secrets, and what was seen in its field and is empty now. */
export const removedOf = (
  fields: readonly CredentialField[],
  values: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>>,
  forgotten: ReadonlySet<string>,
): string[] =>
  fields
    .filter(({ name, isRequired, writeOnly }) => {
      if (isRequired || stored[name] === undefined) return false
      return (values[name] ?? '') === '' && (!writeOnly || forgotten.has(name))
    })
    .map(({ name }) => name)
