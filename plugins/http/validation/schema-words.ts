import { RECORD_TYPES } from '../../../dns/types/index.ts'
import { FORM_WORDS } from '../../../schemas/scalars.ts'
import { RECORD_TYPE_FORM } from '../../../schemas/records/record-type.ts'

/* Messages for schema errors, in plainer words than the validator's own. */

const TYPES: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a text',
}

const counted = (count: unknown, what: string) => `${String(count)} ${what}${count === 1 ? '' : 's'}`
const typeNames = (type: unknown) =>
  [type]
    .flat()
    .map((name) => TYPES[String(name)] ?? String(name))
    .join(' or ')

type Params = Record<string, unknown>

/** The schema with the violated keyword. */
interface Schema {
  examples?: readonly string[]
}

const WORDS_OF_FORMS: Readonly<Record<string, string>> = {
  ...FORM_WORDS,
  [RECORD_TYPE_FORM]: `must be one of: ${RECORD_TYPES.join(', ')}; or TYPE with its number, such as TYPE65534`,
}

/** Explains a pattern by its message or, for people, by an example. */
const inForm = ({ pattern }: Params, { examples: [example] = [] }: Schema) =>
  WORDS_OF_FORMS[String(pattern)] ?? (example === undefined ? undefined : `must have the form ${example}`)

/** Messages by violated keyword of JSON Schema (draft 7), with the parameters of Ajv. */
const WORDS: Record<string, (params: Params, schema: Schema) => string | undefined> = {
  enum: ({ allowedValues }) => `must be one of: ${(allowedValues as unknown[]).join(', ')}`,
  format: inForm,
  maxItems: ({ limit }) => `must have at most ${counted(limit, 'item')}`,
  maxLength: ({ limit }) => `must have at most ${counted(limit, 'character')}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  minItems: ({ limit }) => `must have at least ${counted(limit, 'item')}`,
  minLength: ({ limit }) => `must have at least ${counted(limit, 'character')}`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  pattern: inForm,
  type: ({ type }) => `must be ${typeNames(type)}`,
  uniqueItems: () => 'must not contain duplicates',
}

/** Returns undefined where the validator's own message is fine. */
export const schemaWords = (keyword: string, params: object, schema: Schema = {}): string | undefined =>
  WORDS[keyword]?.(params as Params, schema)
