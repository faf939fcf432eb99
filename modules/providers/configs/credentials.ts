import type { TObject } from '@sinclair/typebox'
import { invalid, type FieldError } from '../../../plugins/http/errors.ts'
import { maskSecret } from '../../../plugins/security/masks.ts'
import {
  giveAgain,
  hasUserInfo,
  isSameAddress,
  maskUserInfo,
  refuseUserInfo,
} from '../../../plugins/security/configured-addresses.ts'
import { unknownAmong } from '../../../plugins/http/validation/known-names.ts'
import { bodyChecker } from '../../../plugins/http/validation/validation.ts'
import type { Provider } from '../contract.ts'

const checkers = new Map<Provider, ReturnType<typeof bodyChecker>>()

/** The credentials with defaults filled in; fields that are unknown, or optional and empty, are dropped. Throws a 400 that names the fields. */
function checkCredentials(provider: Provider, given: Record<string, string>): Record<string, string> {
  const check = checkers.get(provider) ?? bodyChecker(provider.credentialSchema)
  checkers.set(provider, check)
  const { properties, required = [] } = provider.credentialSchema
  // Forms send what was left out as nothing.
  const isNeeded = (name: string) => required.includes(name) && properties[name]?.['default'] === undefined
  const isGiven = (name: string) => given[name] !== undefined && (given[name] !== '' || isNeeded(name))
  const known = Object.keys(properties).filter(isGiven)
  const credentials = Object.fromEntries(known.map((name) => [name, given[name] as string]))
  refuse(check(credentials))
  return credentials
}

/** What was stored before a field was there has its default. */
export function withDefaults(
  { properties }: TObject,
  stored: Record<string, string>,
): Record<string, string> {
  const defaults = Object.entries(properties).flatMap(([name, { default: value }]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  return { ...Object.fromEntries(defaults), ...stored }
}

/** A new account's credentials, as checkCredentials; no address may hold a password. */
export function newCredentials(provider: Provider, given: Record<string, string>): Record<string, string> {
  refuseUnknown(provider, given)
  const credentials = checkCredentials(provider, given)
  refuse(withUserInfo(provider.credentialSchema, credentials))
  return credentials
}

/**
 * The stored credentials with what was given in their place. What is missing, empty or masked as we show it stays, null
 * removes; but no secret follows an address to another place. Throws a 400 that names the fields.
 */
export function changedCredentials(
  provider: Provider,
  stored: Record<string, string>,
  given: Record<string, string | null>,
): Record<string, string> {
  const schema = provider.credentialSchema
  refuseUnknown(provider, given, stored)
  const masked = maskCredentials(schema, stored)
  const changes = Object.fromEntries(
    // A client that sends the whole resource back sends our mask back too.
    Object.entries(given).flatMap(([name, value]) =>
      value === null || value === '' || value === masked[name] ? [] : [[name, value] as const],
    ),
  )
  const kept = Object.fromEntries(Object.entries(stored).filter(([name]) => given[name] !== null))
  const credentials = checkCredentials(provider, { ...kept, ...changes })
  refuse(withUserInfo(schema, changes))
  const isMoved = addressesOf(schema).some(
    (name) => !isSameAddress(stored[name] ?? '', credentials[name] ?? ''),
  )
  const carried = secretsOf(schema).filter((name) => kept[name] !== undefined && changes[name] === undefined)
  if (isMoved) refuse(carried.map((name) => giveAgain(`/${name}`)))
  return credentials
}

/** What is stored may be older than the schema, and is sent back. */
function refuseUnknown({ credentialSchema }: Provider, given: object, stored: object = {}): void {
  refuse(unknownAmong(given, [...Object.keys(credentialSchema.properties), ...Object.keys(stored)]))
}

function refuse(faults: FieldError[]): void {
  if (faults.length === 0) return
  throw invalid(...faults.map((fault) => ({ ...fault, path: `/credentials${fault.path}` })))
}

const secretsOf = ({ properties }: TObject) =>
  Object.keys(properties).filter((name) => properties[name]?.['writeOnly'] === true)

const addressesOf = ({ properties }: TObject) =>
  Object.keys(properties).filter((name) => properties[name]?.['format'] === 'uri')

const withUserInfo = (schema: TObject, credentials: Record<string, string>): FieldError[] =>
  addressesOf(schema)
    .filter((name) => hasUserInfo(credentials[name] ?? ''))
    .map((name) => refuseUserInfo(`/${name}`, secretsOf(schema)))

/** What a client may see: secrets keep at most their last four characters, addresses no user info. */
export function maskCredentials(
  schema: TObject,
  credentials: Record<string, string>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => [
      name,
      schema.properties[name]?.['writeOnly'] === true ? maskSecret(value) : shown(schema, name, value),
    ]),
  )
}

const shown = (schema: TObject, name: string, value: string) =>
  schema.properties[name]?.['format'] === 'uri' ? maskUserInfo(value) : value
