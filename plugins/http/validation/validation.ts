import { AjvCompiler } from '@fastify/ajv-compiler'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyServerOptions } from 'fastify'
import { toFieldErrors, type FieldError } from '../errors.ts'
import { unknownMembers, type RouteNames, type UnknownName } from './known-names.ts'
import { schemaWords } from './schema-words.ts'
import { shareCompilers } from './shared-compilers.ts'

const OPTIONS = {
  allErrors: true,
  removeAdditional: false,
  useDefaults: true,
  strict: false,
  // TypeBox builds the schemas and a test validates the description; checking them here takes a tenth of the start.
  meta: false,
  validateSchema: false,
  // Adds the violated schema to each error.
  verbose: true,
} as const

/** Values in a body above which only the first error is reported, because collecting errors is expensive. */
const MANY_VALUES = 1_000

const build = AjvCompiler()

/**
 * Validators of requests. Bodies are not coerced (`"ttl": "300"` is an error, null stays null); queries, parameters and
 * headers are, because they are always text. Unknown names in queries and bodies are errors, based on `names`. Compiled
 * on first use unless `atStart`, because all of them together take 20 MB.
 */
export const validators = (atStart: boolean, names: RouteNames) =>
  shareCompilers((externalSchemas: Parameters<typeof build>[0]) => {
    const strict = build(externalSchemas, { customOptions: { ...OPTIONS, coerceTypes: false } }) as Compile
    const first = build(externalSchemas, {
      customOptions: { ...OPTIONS, coerceTypes: false, allErrors: false },
    }) as Compile
    const coercing = build(externalSchemas, {
      customOptions: { ...OPTIONS, coerceTypes: 'array' },
    }) as Compile
    const compile: Compile = (route) => {
      const compiled = (make: () => Validate) => (atStart ? make() : onFirstUse(make))
      const refuseUnknown = names.checkFor(route, route.schema as object, externalSchemas)
      if (route.httpPart !== 'body') {
        return withUnknown(
          compiled(() => inPlainWords(coercing(route))),
          refuseUnknown,
        )
      }
      const validate = withUnknown(
        bySize(
          compiled(() => inPlainWords(strict(route))),
          onFirstUse(() => inPlainWords(first(route))),
        ),
        refuseUnknown,
      )
      const { properties = {}, type, minProperties } = route.schema as BodySchema
      const known = Object.keys(properties)
      const mayBeEmpty = type?.includes('null') === true || minProperties === 0
      return known.length === 0 ? validate : knowsAProperty(validate, known, mayBeEmpty)
    }
    return compile
  }) as unknown as ValidatorFactory

/** Replaces error messages by our own and removes the values, which may be secrets. */
function inPlainWords(validate: Validate): Validate {
  const check: Validate = (data) => {
    const valid = validate(data)
    check.errors =
      validate.errors?.map(({ keyword, instancePath, message, params, parentSchema }) => ({
        keyword,
        instancePath,
        message: schemaWords(keyword, params, parentSchema) ?? message ?? 'is invalid',
        params,
      })) ?? null
    validate.errors = null
    return valid
  }
  return check
}

function onFirstUse(make: () => Validate): Validate {
  let validate: Validate | undefined
  const check: Validate = (data) => {
    validate ??= make()
    const valid = validate(data)
    check.errors = validate.errors ?? null
    return valid
  }
  return check
}

/** Reports all errors of a normal body, and the first of a large one. */
function bySize(all: Validate, first: Validate): Validate {
  const check: Validate = (body) => {
    const validate = hasManyValues(body) ? first : all
    const valid = validate(body)
    check.errors = validate.errors ?? null
    return valid
  }
  return check
}

/** Also rejects unknown names. */
function withUnknown(validate: Validate, unknownIn: ((value: unknown) => UnknownName[]) | null): Validate {
  if (unknownIn === null) return validate
  const check: Validate = (value) => {
    const isValid = validate(value)
    const unknown = unknownIn(value)
    check.errors = [...unknown, ...(validate.errors ?? [])]
    return isValid && unknown.length === 0
  }
  return check
}

function hasManyValues(body: unknown): boolean {
  let values = 0
  const count = (value: unknown): boolean => {
    if (++values > MANY_VALUES) return true
    return typeof value === 'object' && value !== null && Object.values(value).some(count)
  }
  return count(body)
}

type ValidatorFactory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildValidator']
>

/** The compiler also gets the route, which the library's types leave out. */
type Compile = (route: { method?: string; url?: string; httpPart?: string; schema: unknown }) => Validate

interface Validate {
  (body: unknown): boolean
  errors?:
    | {
        keyword: string
        instancePath: string
        message?: string
        params: object
        parentSchema?: object
      }[]
    | null
}

interface BodySchema {
  properties?: object
  type?: string | string[]
  minProperties?: number
}

/**
 * Rejects bodies without any known property, which are surely mistakes. `{}` is accepted where the body is optional or the
 * schema has `minProperties: 0`.
 */
function knowsAProperty(validate: Validate, known: string[], optional: boolean): Validate {
  const message = `must have at least one of: ${known.join(', ')}`
  const check: Validate = (body) => {
    const valid = validate(body)
    check.errors = validate.errors ?? null
    if (!valid || typeof body !== 'object' || body === null) return valid
    if (known.some((property) => Object.hasOwn(body, property))) return true
    if (optional && Object.keys(body).length === 0) return true
    check.errors = [{ keyword: 'knownProperty', instancePath: '', message, params: { known } }]
    return false
  }
  return check
}

const strictBodies = build({}, { customOptions: { ...OPTIONS, coerceTypes: false } }) as Compile

/**
 * Returns a validator for an object within a body, such as a list entry or credentials, which fills in defaults and
 * returns the errors, including unknown members unless `ignoresUnknown`.
 */
export function bodyChecker(
  schema: TSchema,
  { ignoresUnknown = false }: { ignoresUnknown?: boolean } = {},
): (value: unknown) => FieldError[] {
  const validate = withUnknown(
    inPlainWords(strictBodies({ schema, httpPart: 'body' })),
    ignoresUnknown ? null : unknownMembers(schema),
  )
  return (value) => (validate(value) ? [] : toFieldErrors(validate.errors ?? []))
}
