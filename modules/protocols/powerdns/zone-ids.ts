import { readName, writeName } from '../../../dns/wire/wire-name.ts'
import { AppError, conflict } from '../../../plugins/http/errors.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { requireDomain, type GrantedDomain } from '../../domains/access/access.ts'
import { findHolders } from '../../domains/access/holder.ts'
import { missing, refused } from './errors.ts'

/** The id of a zone: its name with the final dot, with `=2F` for characters that do not belong into a path. */
export const zoneIdOf = (name: string): string =>
  writeName(name).replace(
    /[^A-Za-z0-9._-]/g,
    (char) => `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )

/** Returns the canonical name of a zone's id, with or without final dot, in any case; null if it is not a name. */
export const nameOfId = (id: string): string | null =>
  readName(id.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))))

/** Returns the canonical name of a name with final dot, as PowerDNS requires it. Throws a 422. */
export function readCanonical(given: string): string {
  const name = given.endsWith('.') ? readName(given) : null
  if (name === null) throw refused(`DNS Name '${given.slice(0, 300)}' is not canonical`)
  return name
}

/** Of namesakes, those that the name means: the caller's own, otherwise those shared with them. */
export function meantAmong<D extends { owner_id: string }>(
  namesakes: readonly D[],
  { userId }: Pick<Caller, 'userId'>,
): readonly D[] {
  const own = namesakes.filter((domain) => domain.owner_id === userId)
  return own.length > 0 ? own : namesakes
}

/**
 * Returns the domain that a zone id means to the caller. Rejects with 404 if they see none, and with 409 naming two if
 * neither precedes the other: a program must not write to a namesake by chance.
 */
export async function zoneOfId(db: Executor, caller: Caller, id: string): Promise<GrantedDomain> {
  const name = nameOfId(id)
  if (name === null) throw missing()
  const found = (await findHolders(db, caller, [name])).filter(({ reached }) => reached)
  const [zone, other] = meantAmong(found, caller)
  if (!zone) throw missing()
  if (other) throw severalZones(name, zone.id, other.id)
  return requireDomain(db, caller, zone.id, 'read').catch((error: unknown) => {
    throw error instanceof AppError && error.status === 404 ? missing() : error
  })
}

export const severalZones = (name: string, ...ids: [string, string]) =>
  conflict(`${name} could be the domain ${ids.join(' or ')}; restrict the token to one of them`, {
    reason: 'several_domains',
  })
