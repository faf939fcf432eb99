import { RECORD_TYPES } from '../../../dns/types/index.ts'
import { FORM_WORDS } from '../../../schemas/scalars.ts'
import { RECORD_TYPE_FORM } from '../../../schemas/record-type.ts'

/* What is wrong with a value by its schema, in plainer words than the validator's own. */

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

/** The schema in which the keyword stands: the examples are of texts where that asks for a form of texts. */
interface Schema {
  examples?: readonly string[]
}

const WORDS_OF_FORMS: Readonly<Record<string, string>> = {
  ...FORM_WORDS,
  [RECORD_TYPE_FORM]: `must be one of: ${RECORD_TYPES.join(', ')}; or TYPE with its number, such as TYPE65534`,
}

/** An example says to people what a regular expression says to programs; of some there are words. */
const inForm = ({ pattern }: Params, { examples: [example] = [] }: Schema) =>
  WORDS_OF_FORMS[String(pattern)] ?? (example === undefined ? undefined : `must be of the form ${example}`)

/** By the keyword of JSON Schema (draft 7) that does not hold, with its parameters as Ajv names them. */
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
  uniqueItems: () => 'must not have the same item twice',
}

/** Undefined: the validator's own words do. */
export const schemaWords = (keyword: string, params: object, schema: Schema = {}): string | undefined =>
  WORDS[keyword]?.(params as Params, schema)
