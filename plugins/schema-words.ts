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

/** By the keyword of JSON Schema (draft 7) that does not hold, with its parameters as Ajv names them. */
const WORDS: Record<string, (params: Params) => string> = {
  enum: ({ allowedValues }) => `must be one of: ${(allowedValues as unknown[]).join(', ')}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit, 'item')}`,
  maxLength: ({ limit }) => `must have at most ${counted(limit, 'character')}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  minItems: ({ limit }) => `must have at least ${counted(limit, 'item')}`,
  minLength: ({ limit }) => `must have at least ${counted(limit, 'character')}`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  type: ({ type }) => `must be ${typeNames(type)}`,
  uniqueItems: () => 'must not have the same item twice',
}

/** Undefined: the validator's own words do. */
export const schemaWords = (keyword: string, params: object): string | undefined =>
  WORDS[keyword]?.(params as Params)
