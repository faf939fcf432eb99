import { AjvCompiler, type ValidatorFactory } from '@fastify/ajv-compiler'

const OPTIONS = { allErrors: true, removeAdditional: false, useDefaults: true, strict: false } as const

const build = AjvCompiler()

/**
 * Validators of requests: bodies as they are, without coercion (`"ttl": "300"` is an error, null stays
 * null); queries, parameters and headers, which can only be text, with it.
 */
export const buildValidator: ValidatorFactory = (externalSchemas) => {
  const strict = build(externalSchemas, { customOptions: { ...OPTIONS, coerceTypes: false } })
  const coercing = build(externalSchemas, { customOptions: { ...OPTIONS, coerceTypes: true } })
  return (route) => {
    if (route.httpPart !== 'body') return coercing(route)
    const validate = strict(route)
    const known = Object.keys((route.schema as { properties?: object }).properties ?? {})
    return known.length === 0 ? validate : (knowsAProperty(validate as Validate, known) as typeof validate)
  }
}

interface Validate {
  (body: unknown): boolean
  errors?: { instancePath: string; message?: string; params: object }[] | null
}

/** Unknown properties are ignored; but a body in which none is known is surely a mistake. */
function knowsAProperty(validate: Validate, known: string[]): Validate {
  const message = `must have one of: ${known.join(', ')}`
  const check: Validate = (body) => {
    const valid = validate(body)
    check.errors = validate.errors ?? null
    if (!valid || typeof body !== 'object' || body === null) return valid
    if (known.some((property) => Object.hasOwn(body, property))) return true
    check.errors = [{ instancePath: '', message, params: {} }]
    return false
  }
  return check
}
