import { createPrivateKey, sign, type KeyObject } from 'node:crypto'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { ProviderError } from '../../contract.ts'
import { parseJson } from '../../client/json.ts'

const KeyFile = Type.Object({
  client_email: Type.String(),
  private_key: Type.String(),
  private_key_id: Type.Optional(Type.String()),
  project_id: Type.Optional(Type.String()),
  /** Address that issues tokens. */
  token_uri: Type.String({ pattern: '^https?://' }),
})
export type KeyFile = Static<typeof KeyFile>

const SCOPE = 'https://www.googleapis.com/auth/ndev.clouddns.readwrite'
const SECONDS = 3_600

/** The key file of a service account. Throws ProviderError if the text is not one. */
export function readKeyFile(text: string): KeyFile {
  const key = parseJson(text)
  if (!Value.Check(KeyFile, key) || URL.parse(key.token_uri) === null) throw isNone()
  return key
}

/**
 * A signed assertion of the account (RFC 7523). `now`: milliseconds since 1970. Throws ProviderError if the key is not
 * valid.
 */
export function assertionOf(
  { client_email: iss, private_key: pem, private_key_id: kid, token_uri: aud }: KeyFile,
  now: number,
): string {
  const iat = Math.floor(now / 1000)
  const header = { alg: 'RS256', typ: 'JWT', ...(kid !== undefined && { kid }) }
  const claim = { iss, scope: SCOPE, aud, iat, exp: iat + SECONDS }
  const text = [header, claim]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${sign('sha256', Buffer.from(text), keyOf(pem)).toString('base64url')}`
}

function keyOf(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    // The error may quote the key.
    throw isNone()
  }
}

const isNone = () =>
  new ProviderError('auth', 'This is not the key of a Google service account; enter the whole JSON file')
