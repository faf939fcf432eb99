import type { TObject } from '@sinclair/typebox'
import { invalid } from '../../plugins/errors.ts'
import { maskSecret } from '../../plugins/masks.ts'
import { bodyChecker } from '../../plugins/validation.ts'
import type { Provider } from './contract.ts'

const checkers = new Map<Provider, ReturnType<typeof bodyChecker>>()

/** The credentials with defaults filled in and unknown fields dropped. Throws a 400 that names the fields. */
export function checkCredentials(provider: Provider, given: Record<string, string>): Record<string, string> {
  const check = checkers.get(provider) ?? bodyChecker(provider.credentialSchema)
  checkers.set(provider, check)
  const known = Object.keys(provider.credentialSchema.properties).filter((name) => given[name] !== undefined)
  const credentials = Object.fromEntries(known.map((name) => [name, given[name] as string]))
  const errors = check(credentials)
  if (errors.length > 0) {
    throw invalid(...errors.map((error) => ({ ...error, path: `/credentials${error.path}` })))
  }
  return credentials
}

/** What a client may see: secrets keep at most their last four characters. */
export function maskCredentials(
  schema: TObject,
  credentials: Record<string, string>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => [
      name,
      schema.properties[name]?.['writeOnly'] === true ? maskSecret(value) : value,
    ]),
  )
}
