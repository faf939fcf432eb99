import ipaddr from 'ipaddr.js'
import { v7 as uuidv7 } from 'uuid'
import type { TokenRestrictions } from '../../../db/tables.ts'
import { parseNamePattern } from '../../../dns/name-patterns.ts'
import type { Caller } from '../../../plugins/access/index.ts'
import { newPersonalToken, SHOWN_PREFIX_LENGTH } from '../../../plugins/access/personal-tokens.ts'
import { conflict, invalid, notFound } from '../../../plugins/errors.ts'
import type { Permission } from '../../../schemas/permission.ts'
import { recordAudit } from '../../audit/service.ts'
import { holdProof, requireFreshSignIn } from '../fresh-sign-in.ts'
import type { AuthContext } from '../sessions.ts'
import { countTokens, deleteToken, insertToken, tokensOf, type TokenRow } from './queries.ts'

const MAX_TOKENS = 100

export interface NewToken {
  name: string
  permissions: Permission[]
  restrictions?: TokenRestrictions | null
  expiresAt?: string | null
  /** Of the user, where the sign-in is not fresh. */
  password?: string
}

/** Creates a token and answers it in full, this once; only its hash is kept. Needs a fresh sign-in, or the password. */
export async function createToken(context: AuthContext, caller: Caller, { password, ...input }: NewToken) {
  const { db, secrets } = context
  const restrictions = checkRestrictions(input.restrictions ?? null)
  const expiresAt = input.expiresAt ? new Date(input.expiresAt) : null
  if (expiresAt && expiresAt.getTime() <= Date.now()) {
    throw invalid({ path: '/expiresAt', code: 'in_past', message: 'must be in the future' })
  }
  const proof = await requireFreshSignIn(context, caller, password)
  const token = newPersonalToken()
  const row = await db.transaction().execute(async (trx) => {
    await holdProof(trx, proof)
    if ((await countTokens(trx, caller.userId)) >= MAX_TOKENS) {
      throw conflict(`You have ${MAX_TOKENS} personal tokens, which is the most; revoke one first`)
    }
    const created = await insertToken(trx, {
      id: uuidv7(),
      user_id: caller.userId,
      name: input.name,
      hash: secrets.digest(token),
      token_prefix: token.slice(0, SHOWN_PREFIX_LENGTH),
      permissions: input.permissions,
      restrictions: restrictions && JSON.stringify(restrictions),
      expires_at: expiresAt,
      last_used_at: null,
    })
    await recordAudit(trx, caller, {
      action: 'token.created',
      target: { type: 'token', id: created.id, name: input.name },
      after: { permissions: input.permissions, restrictions, expiresAt: input.expiresAt ?? null },
    })
    return created
  })
  const { tokenPrefix: _, lastUsedAt: __, ...shown } = toToken(row)
  return { token, ...shown }
}

export async function listTokens({ db }: AuthContext, caller: Caller) {
  return { tokens: (await tokensOf(db, caller.userId)).map(toToken) }
}

/** In force on the next request. */
export async function revokeToken({ db, events }: AuthContext, caller: Caller, id: string): Promise<void> {
  await events.transaction(db, async (trx, tell) => {
    const deleted = await deleteToken(trx, caller.userId, id)
    if (!deleted) throw notFound('personal token', id)
    await recordAudit(trx, caller, {
      action: 'token.revoked',
      target: { type: 'token', id, name: deleted.name },
    })
    tell('token.revoked', { tokenId: id })
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

const toToken = (row: TokenRow) => ({
  id: row.id,
  name: row.name,
  tokenPrefix: row.token_prefix,
  permissions: row.permissions,
  restrictions: row.restrictions,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  expiresAt: row.expires_at?.toISOString() ?? null,
})
