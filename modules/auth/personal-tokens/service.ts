import ipaddr from 'ipaddr.js'
import { v7 as uuidv7 } from 'uuid'
import type { TokenRestrictions } from '../../../db/tables/index.ts'
import { parseNamePattern } from '../../../dns/names/name-patterns.ts'
import { latestEnd, unauthenticated, type Caller } from '../../../plugins/security/access/index.ts'
import {
  newPersonalToken,
  SHOWN_PREFIX_LENGTH,
  suffixOf,
} from '../../../plugins/security/access/personal-tokens.ts'
import { conflict, invalid, notFound } from '../../../plugins/http/errors.ts'
import type { Permission } from '../../../schemas/people/permission.ts'
import { recordAudit } from '../../audit/service.ts'
import { findUserById, lockUser, type UserRow } from '../../users/service.ts'
import type { AuthContext } from '../sessions.ts'
import { toNewToken, toToken } from './mapper.ts'
import { authorize, requireOwner } from './ownership.ts'
import { countTokens, deleteToken, findToken, insertToken, tokensOf } from './queries.ts'

export const MAX_TOKENS = 100

export interface NewToken {
  name: string
  permissions: Permission[]
  restrictions?: TokenRestrictions | null
  expiresAt?: string | null
  /** The user's password, if the sign-in is not recent. */
  password?: string
}

/**
 * Creates a token for the caller or a machine account and returns it once; only its hash is stored. Requires
 * a recent sign-in or the password.
 */
export async function createToken(
  context: AuthContext,
  caller: Caller,
  ownerId: string,
  { password, ...input }: NewToken,
) {
  const {
    db,
    secrets,
    installation: { maxTokenDays },
  } = context
  const restrictions = checkRestrictions(input.restrictions ?? null)
  const expiresAt = endOf(input.expiresAt, maxTokenDays)
  const holdOwner = await authorize(context, caller, ownerId, password)
  const token = newPersonalToken()
  const row = await db.transaction().execute(async (trx) => {
    const owner = await holdOwner(trx)
    if ((await countTokens(trx, owner.id)) >= MAX_TOKENS) {
      throw conflict(`There are already ${MAX_TOKENS} personal tokens, the maximum; revoke one first`, {
        reason: 'too_many_tokens',
        params: { maximum: MAX_TOKENS },
      })
    }
    const created = await insertToken(trx, {
      id: uuidv7(),
      user_id: owner.id,
      name: input.name,
      hash: secrets.digest(token),
      token_prefix: token.slice(0, SHOWN_PREFIX_LENGTH),
      token_suffix: suffixOf(token),
      permissions: input.permissions,
      restrictions: restrictions && JSON.stringify(restrictions),
      expires_at: expiresAt,
    })
    const { name, permissions } = input
    await recordAudit(trx, caller, {
      action: 'token.created',
      target: { type: 'token', id: created.id, name },
      after: { ...ofMachine(owner), permissions, restrictions, expiresAt: expiresAt?.toISOString() ?? null },
    })
    return created
  })
  return { token, ...toNewToken(row, maxTokenDays) }
}

/**
 * Returns the expiry of a new token, which must be in the future and within the maximum lifetime; null:
 * never. By default the latest allowed.
 */
export function endOf(given: string | null | undefined, maxDays: number | null): Date | null {
  const latest = maxDays === null ? null : latestEnd(maxDays)
  if (given === undefined) return latest
  const end = given === null ? null : new Date(given)
  if (end !== null && end.getTime() <= Date.now())
    throw invalid({ path: '/expiresAt', code: 'in_past', message: 'must be in the future' })
  if (latest === null || (end !== null && end <= latest)) return end
  throw invalid({
    path: '/expiresAt',
    code: 'token_lifetime',
    params: { days: maxDays },
    message: `must be at most ${maxDays} days from now, the maximum lifetime of a token`,
  })
}

/** The token's owner, for the audit trail, if it is not the actor. */
export const ofMachine = ({ account_kind: kind, username }: UserRow) =>
  kind === 'machine' ? { username } : {}

export async function listTokens({ db, installation }: AuthContext, caller: Caller, ownerId: string) {
  await requireOwner(db, caller, ownerId)
  const { maxTokenDays: maxDays } = installation
  return { tokens: (await tokensOf(db, ownerId)).map((row) => toToken(row, maxDays)), maxDays }
}

/** The token the caller used, and its owner. */
export async function readOwnToken({ db, installation }: AuthContext, caller: Caller) {
  const [row, user] = await Promise.all([
    findToken(db, caller.token?.id as string),
    findUserById(db, caller.userId),
  ])
  if (!row || !user) throw unauthenticated('This personal token has just ended')
  const { maxTokenDays } = installation
  const { lastUsedAt } = toToken(row, maxTokenDays)
  const { id, username, account_kind: kind, display_name: displayName, role } = user
  return { ...toNewToken(row, maxTokenDays), lastUsedAt, user: { id, kind, username, displayName, role } }
}

/** Takes effect with the next request; predecessors and successors end with it. */
export async function revokeToken(
  { db, events }: AuthContext,
  caller: Caller,
  ownerId: string,
  id: string,
): Promise<void> {
  await requireOwner(db, caller, ownerId)
  await events.transaction(db, async (trx, tell) => {
    // Locks out a concurrent rotation, whose successor would be missed.
    await lockUser(trx, ownerId)
    const deleted = await deleteToken(trx, ownerId, id)
    const [revoked] = deleted
    if (!revoked) throw notFound('personal token', id)
    await recordAudit(trx, caller, {
      action: 'token.revoked',
      target: { type: 'token', id, name: revoked.name },
      before:
        deleted.length > 1 ? { ended: deleted.map((token) => ({ id: token.id, name: token.name })) } : null,
    })
    for (const token of deleted) tell('token.revoked', { tokenId: token.id })
  })
}

function checkRestrictions(given: TokenRestrictions | null): TokenRestrictions | null {
  if (given === null) return null
  const badRange =
    given.ipRanges?.findIndex((range) => !ipaddr.isValid(range) && !ipaddr.isValidCIDR(range)) ?? -1
  if (badRange >= 0) {
    throw invalid({
      path: `/restrictions/ipRanges/${badRange}`,
      code: 'ip_range',
      message: 'must be an address or a CIDR',
    })
  }
  const namePatterns = given.namePatterns?.map((pattern, i) => {
    const parsed = parseNamePattern(pattern)
    if (!parsed.ok)
      throw invalid({ path: `/restrictions/namePatterns/${i}`, code: parsed.code, message: parsed.reason })
    return parsed.name
  })
  return {
    ...(given.domainIds && { domainIds: given.domainIds.map((id) => id.toLowerCase()) }),
    ...(namePatterns && { namePatterns }),
    ...(given.recordTypes && { recordTypes: given.recordTypes }),
    ...(given.ipRanges && { ipRanges: given.ipRanges }),
  }
}
