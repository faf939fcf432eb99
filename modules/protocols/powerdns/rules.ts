import type { FastifyReply } from 'fastify'
import type { Permission } from '../../../schemas/people/permission.ts'
import { refused } from './errors.ts'

/** The most that PowerDNS accepts by default. */
export const MAX_BYTES = 2 * 1024 * 1024
/** For settings of a zone. */
export const MAX_SETTINGS_BYTES = 64 * 1024

/** PowerDNS describes its own API, so it is not part of our description. */
export const hidden = { schema: { hide: true } } as const

/** The access rule of a route; null: any token. */
export const rule = (permission: Permission | null) =>
  ({ access: 'api', permission, apiKey: true, origin: 'powerdns-api' }) as const

/** A parameter given several times is a list. */
export type Query = Readonly<Record<string, string | string[] | undefined>>

export interface ZoneRequest {
  Params: { zone: string }
  Querystring: Query
}

/** Returns a parameter. Throws a 422 if it is given several times. */
export function param(query: Query, name: string): string | undefined {
  const value = query[name]
  if (Array.isArray(value)) throw refused(`'${name}' request parameter is given several times`)
  return value
}

/** Returns a parameter that is `true` or `false`. Throws a 422. */
export function flag(query: Query, name: string, usual: boolean): boolean {
  const value = param(query, name)
  if (value === undefined) return usual
  if (value === 'true' || value === '1') return true
  if (value === 'false' || value === '0') return false
  throw refused(`'${name}' request parameter value '${value.slice(0, 100)}' is not supported`)
}

/**
 * Writes JSON as PowerDNS does, with spaces and with members in the order of the alphabet: clients that are shell scripts look for
 * `"name": "example.org."` in the text (https://github.com/acmesh-official/acme.sh/pull/3403).
 */
export function writeJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return String(value)
  // A zone has many small objects: no lists are made for them.
  let text = ''
  const separator = () => (text === '' ? '' : ', ')
  if (Array.isArray(value)) {
    for (const item of value) text += separator() + writeJson(item)
    return `[${text}]`
  }
  const members = value as Readonly<Record<string, unknown>>
  for (const key of inOrder(Object.keys(members)))
    if (members[key] !== undefined) text += `${separator()}"${key}": ${writeJson(members[key])}`
  return `{${text}}`
}

/** Sorts keys that are mostly in order already. */
function inOrder(keys: string[]): string[] {
  const isSorted = keys.every((key, at) => at === 0 || (keys[at - 1] as string) < key)
  return isSorted ? keys : keys.sort()
}

export const sendJson = (reply: FastifyReply, text: string) => reply.type('application/json').send(text)
