import { STATUS_CODES } from 'node:http'
import type { ErrorCode } from '../schemas/problem.ts'

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

const PROBLEMS: Record<number, [code: ErrorCode, detail: string]> = {
  400: ['validation_failed', 'body/ttl must be integer'],
  401: ['unauthenticated', 'The access token is not valid'],
  403: ['forbidden', 'This needs an administrator'],
  404: ['not_found', 'No domain 0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'],
  409: ['conflict', 'www A 192.0.2.10 is there already'],
  413: ['payload_too_large', 'The body is too large'],
  415: ['unsupported_media_type', 'Send application/json'],
  429: ['rate_limited', 'Too many requests; try again in 12 s'],
  500: ['internal', 'Something went wrong here; the log has the request id'],
  502: ['provider_rejected', 'PowerDNS refused the change: not in expected format'],
  503: ['unavailable', 'The DNS provider does not answer'],
  504: ['provider_timeout', 'The DNS provider did not answer in time'],
}

/** The problem document of a status. */
export function problemExample(status: number): object {
  const [code, detail] = PROBLEMS[status] ?? ['internal', '']
  return {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail,
    code,
    requestId: 'req-1f',
    ...(status === 400 && { errors: [{ path: '/ttl', message: 'must be integer' }] }),
  }
}
