import { createHash } from 'node:crypto'
import { toAsciiName } from '../../../dns/names/names.ts'
import { invalid } from '../../../plugins/http/errors.ts'

/** The TXT record that proves control of a name to a certificate authority (RFC 8555 section 8.4). */
export interface Challenge {
  /** Name of the record: lower-case ASCII without the final dot. */
  name: string
  value: string
}

/** Body of lego's httpreq: the record, or in mode RAW the data it is computed from. */
export interface ChallengeBody {
  fqdn?: string
  value?: string
  domain?: string
  keyAuth?: string
}

export const CHALLENGE_LABEL = '_acme-challenge'

/** A SHA-256 in base64url without padding; other values are never needed. */
export const CHALLENGE_VALUE = '^[A-Za-z0-9_-]{43}$'

/** Whether the name is reserved for challenges. */
export const isChallengeName = (name: string): boolean => name.startsWith(`${CHALLENGE_LABEL}.`)

/** Returns the challenge of a body. Throws a 400 that names the field. */
export function readChallenge({ fqdn, value, domain, keyAuth }: ChallengeBody): Challenge {
  if (fqdn !== undefined) {
    if (value === undefined) throw missing('value')
    return { name: readName('fqdn', fqdn), value }
  }
  if (domain === undefined) throw missing('fqdn')
  if (keyAuth === undefined) throw missing('keyAuth')
  return {
    name: readName('domain', `${CHALLENGE_LABEL}.${domain}`),
    value: createHash('sha256').update(keyAuth).digest('base64url'),
  }
}

function readName(field: string, given: string): string {
  const read = toAsciiName(given)
  if (!read.ok) throw invalid({ path: `/${field}`, code: read.code, message: read.reason })
  return read.name
}

const missing = (field: string) => invalid({ path: `/${field}`, code: 'required', message: 'is required' })
