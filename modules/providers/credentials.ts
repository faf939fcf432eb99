import { FormatRegistry, type TObject } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { invalid } from '../../plugins/errors.ts'
import type { Provider } from './contract.ts'

FormatRegistry.Set('uri', (value) => URL.canParse(value))

/** The credentials with defaults filled in and unknown fields dropped. Throws a 400 that names the fields. */
export function checkCredentials(provider: Provider, given: Record<string, string>): Record<string, string> {
  const schema = provider.credentialSchema
  const credentials = Value.Default(schema, Value.Clean(schema, { ...given })) as Record<string, string>
  const errors = [...Value.Errors(schema, credentials)]
  if (errors.length > 0) {
    // A missing property is reported twice, as missing and as of the wrong type: the first says it.
    const first = new Map(errors.map((error) => [error.path, error] as const).reverse())
    throw invalid(
      ...[...first.values()].map((error) => ({ path: `/credentials${error.path}`, message: plain(error.message) })),
    )
  }
  return credentials
}

/** What a client may see: secrets keep at most their last four characters. */
export function maskCredentials(schema: TObject, credentials: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => [
      name,
      schema.properties[name]?.['writeOnly'] === true ? mask(value) : value,
    ]),
  )
}

const LONG_ENOUGH_TO_HINT = 16

const mask = (secret: string) => '••••' + (secret.length >= LONG_ENOUGH_TO_HINT ? secret.slice(-4) : '')

const plain = (message: string) => message.charAt(0).toLowerCase() + message.slice(1)
