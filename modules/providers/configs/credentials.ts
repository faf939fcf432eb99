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

/**
 * Returns the credentials with defaults; drops unknown fields and empty optional ones. Throws a 400 that
 * names the fields.
 */
function checkCredentials(provider: Provider, given: Record<string, string>): Record<string, string> {
  const check = checkers.get(provider) ?? bodyChecker(provider.credentialSchema)
  checkers.set(provider, check)
  const { properties, required = [] } = provider.credentialSchema
  // Forms send empty fields as empty strings.
  const isNeeded = (name: string) => required.includes(name) && properties[name]?.['default'] === undefined
  const isGiven = (name: string) => given[name] !== undefined && (given[name] !== '' || isNeeded(name))
  const known = Object.keys(properties).filter(isGiven)
  const credentials = Object.fromEntries(known.map((name) => [name, given[name] as string]))
  refuse(check(credentials))
  return credentials
}

/** Stored credentials from before a field existed get its default. */
export function withDefaults(
  { properties }: TObject,
  stored: Record<string, string>,
): Record<string, string> {
  const defaults = Object.entries(properties).flatMap(([name, { default: value }]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  return { ...Object.fromEntries(defaults), ...stored }
}

/** Checks a new connection's credentials like checkCredentials; addresses can't contain passwords. */
export function newCredentials(provider: Provider, given: Record<string, string>): Record<string, string> {
  refuseUnknown(provider, given)
  const credentials = checkCredentials(provider, given)
  refuse(withUserInfo(provider.credentialSchema, credentials))
  return credentials
}

/**
 * Merges given credentials into the stored ones. Missing, empty and masked values stay, null removes; but
 * secrets must be re-entered if an address changes. Throws a 400 that names the fields.
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
    // A client that sends the whole resource back also sends the mask.
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

/** Stored credentials may be older than the schema, and are returned. */
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

/** What a client can see: secrets show at most their last four characters, URLs no user info. */
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
