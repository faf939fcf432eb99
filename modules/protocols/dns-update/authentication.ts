import { verifyRequest, type RequestFault, type RequestSignature } from '../../../dns/wire/tsig-answers.ts'
import { RCODE } from '../../../dns/wire/message.ts'
import type { TsigKey } from '../../../dns/wire/tsig.ts'
import { AppError } from '../../../plugins/http/errors.ts'
import { callerLater } from '../../../plugins/security/access/caller-later.ts'
import { mayComeFrom } from '../../../plugins/security/access/token-grant.ts'
import type { Permission } from '../../../schemas/people/permission.ts'
import type { DnsContext, Signer, Via } from './context.ts'
import { findKey, recordKeyUse } from './keys/queries.ts'
import { openKey } from './keys/signing-key.ts'
import { Refused } from './refusal.ts'

/** Minimum time between two notes of a key's last use. */
const LAST_USE_MS = 60_000

/** The key of a signed message; `fault`: null if the signature is valid. */
export type Verified =
  | { key: null; fault: 'BADKEY' }
  | { key: TsigKey; fault: RequestFault | null; found: NonNullable<Awaited<ReturnType<typeof findKey>>> }

export const nowInSeconds = (): number => Math.round(Date.now() / 1000)

/**
 * Looks the key up and verifies the signature. Keys are read for each message, so that a revoked one is refused at once by
 * every instance. Null: too many look-ups are running. Throws WireError for a malformed signature.
 */
export async function verify(
  { db, secrets, installation, bounds }: DnsContext,
  bytes: Buffer,
  signature: RequestSignature,
): Promise<Verified | null> {
  const leave = await bounds.lookUps.enter('')
  if (leave === null) return null
  try {
    const found = await findKey(db, signature.keyName, installation.maxTokenDays)
    if (!found || found.algorithm !== signature.tsig.algorithm) return { key: null, fault: 'BADKEY' }
    const key = openKey(secrets, found)
    return { key, found, fault: verifyRequest(bytes, signature, key, nowInSeconds()) }
  } finally {
    leave()
  }
}

/**
 * Returns the user of the key with the permissions and restrictions of its token as they are now. Rejects with Refused if
 * the account lacks a second factor that it must have, or the token can't be used from that address.
 */
export async function signerOf(
  { db, installation }: DnsContext,
  { found }: { found: NonNullable<Awaited<ReturnType<typeof findKey>>> },
  { ip }: Via,
): Promise<Signer> {
  const asked = { userId: found.user_id, tokenId: found.token_id, origin: 'dns-update' as const, ip }
  try {
    const caller = await callerLater(db, installation, { ...asked, requestId: crypto.randomUUID() })
    if (!mayComeFrom(ip, caller.token?.restrictions ?? {}))
      throw new Refused(RCODE.REFUSED, "the key can't be used from that address")
    if ((found.last_used_at?.getTime() ?? 0) < Date.now() - LAST_USE_MS) await recordKeyUse(db, found.id)
    return { ...caller, keyId: found.id, keyName: found.name }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    throw new Refused(RCODE.REFUSED, error.message, { cause: error })
  }
}

/** Throws Refused unless the token has the permission. */
export function requirePermission({ token }: Signer, permission: Permission): void {
  if (token?.permissions.includes(permission) !== true)
    throw new Refused(RCODE.REFUSED, `the token of the key lacks the permission ${permission}`)
}
