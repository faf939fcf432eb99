import { randomBytes, randomInt } from 'node:crypto'
import type { TsigKey } from '../../../../dns/wire/tsig.ts'
import type { Secrets } from '../../../../plugins/security/secrets.ts'
import type { KeyAlgorithm } from './schemas.ts'

/** The context that the secret of a key is encrypted with. */
export const keyContext = (id: string) => `tsig_keys.secret:${id}`

/** Octets of a secret: the output of its hash function (RFC 2104 section 3). */
const OCTETS: Record<KeyAlgorithm, number> = { 'hmac-sha256': 32, 'hmac-sha384': 48, 'hmac-sha512': 64 }

/** Base64, as the configuration files of name servers have it. */
export const newSecret = (algorithm: KeyAlgorithm): string =>
  randomBytes(OCTETS[algorithm]).toString('base64')

const MARK = '23456789abcdefghjkmnpqrstuvwxyz'
const MARK_LENGTH = 10
const MAX_LABEL = 40

/** A DNS name that no other key has: the token's name as far as it fits in a label, and random characters. */
export function newKeyName(tokenName: string): string {
  const label = tokenName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, MAX_LABEL)
    .replace(/-$/, '')
  const mark = Array.from({ length: MARK_LENGTH }, () => MARK[randomInt(MARK.length)]).join('')
  return `${label === '' ? 'key' : label}.${mark}`
}

/** The key as signatures need it. Throws when its secret was encrypted with a key that SECRET_KEY lacks. */
export const openKey = (
  secrets: Secrets,
  { id, name, algorithm, secret }: { id: string; name: string; algorithm: KeyAlgorithm; secret: Buffer },
): TsigKey => ({ name, algorithm, secret: Buffer.from(secrets.open(secret, keyContext(id)), 'base64') })
