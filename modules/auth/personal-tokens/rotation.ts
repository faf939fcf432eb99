import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../../db/connection/connect.ts'
import { endOfRow, type Caller } from '../../../plugins/security/access/index.ts'
import {
  newPersonalToken,
  SHOWN_PREFIX_LENGTH,
  successorOf,
  suffixOf,
} from '../../../plugins/security/access/personal-tokens.ts'
import { conflict, notFound } from '../../../plugins/http/errors.ts'
import { recordAudit } from '../../audit/service.ts'
import { lockUser, type UserRow } from '../../users/service.ts'
import type { AuthContext } from '../sessions.ts'
import { toNewToken } from './mapper.ts'
import { authorize } from './ownership.ts'
import {
  countTokens,
  findToken,
  insertToken,
  lockLivingToken,
  replaceToken,
  type TokenRow,
} from './queries.ts'
import { endOf, MAX_TOKENS, ofMachine } from './service.ts'

/** How long a replaced token remains valid, in seconds. */
const OVERLAP_SECONDS = 3600

/** Including replaced ones that are still valid. */
const MAX_WITH_REPLACED = 2 * MAX_TOKENS

interface Rotation {
  /** Null: never; missing: unchanged. */
  expiresAt?: string | null
  password?: string
}

/**
 * Replaces a valid token with a new one with the same permissions, returned only once; the old one is valid
 * for another hour. Requires a recent sign-in or the password. 409 if it was already replaced.
 */
export async function rotateToken(
  context: AuthContext,
  caller: Caller,
  ownerId: string,
  id: string,
  { expiresAt, password }: Rotation,
) {
  const { maxTokenDays } = context.installation
  const end = expiresAt === undefined ? undefined : endOf(expiresAt, maxTokenDays)
  const holdOwner = await authorize(context, caller, ownerId, password)
  const token = newPersonalToken()
  return context.events.transaction(context.db, async (trx, tell) => {
    const owner = await holdOwner(trx)
    const old = await lockLivingToken(trx, ownerId, id, maxTokenDays)
    if (!old) throw notFound('valid personal token', id)
    if (old.replaced_by !== null) throw replacedAlready(old)
    tell('token.revoked', { tokenId: id })
    return replace(context, trx, caller, { owner, old, token, end })
  })
}

/**
 * Replaces the token in use, without changing its end. Repeated within the hour, the answer is the same,
 * because the first may have been lost.
 */
export async function rotateItself(context: AuthContext, caller: Caller, presented: string) {
  const {
    db,
    secrets,
    events,
    installation: { maxTokenDays },
  } = context
  const id = caller.token?.id as string
  const token = successorOf(secrets, presented)
  return events.transaction(db, async (trx, tell) => {
    const owner = await lockUser(trx, caller.userId)
    const old = await lockLivingToken(trx, caller.userId, id, maxTokenDays)
    if (!owner || !old) throw notFound('valid personal token', id)
    if (old.replaced_by !== null) {
      const successor = await findToken(trx, old.replaced_by)
      if (successor?.hash.equals(secrets.digest(token)) !== true) throw replacedAlready(old)
      return { token, ...toNewToken(successor, maxTokenDays) }
    }
    tell('token.revoked', { tokenId: id })
    return replace(context, trx, caller, { owner, old, token, end: undefined })
  })
}

const replacedAlready = ({ name }: TokenRow) =>
  conflict(`The token ${name} was already replaced`, { reason: 'token_replaced' })

interface Replacement {
  owner: UserRow
  old: TokenRow
  token: string
  /** Undefined: the end of the old token. */
  end: Date | null | undefined
}

async function replace(
  { secrets, installation: { maxTokenDays } }: AuthContext,
  trx: Executor,
  caller: Caller,
  { owner, old, token, end }: Replacement,
) {
  if ((await countTokens(trx, owner.id)) >= MAX_WITH_REPLACED) {
    throw conflict('Too many tokens were replaced in this hour; revoke some, or wait until they expire', {
      reason: 'too_many_rotations',
    })
  }
  const row = await insertToken(trx, {
    id: uuidv7(),
    user_id: owner.id,
    name: old.name,
    hash: secrets.digest(token),
    token_prefix: token.slice(0, SHOWN_PREFIX_LENGTH),
    token_suffix: suffixOf(token),
    permissions: old.permissions,
    restrictions: old.restrictions && JSON.stringify(old.restrictions),
    // Not only its own end: a token can't outlive the maximum lifetime by replacing itself.
    expires_at: end === undefined ? endOfRow(old, maxTokenDays) : end,
    // The owner was already notified of this end.
    reminded_at: end === undefined ? old.reminded_at : null,
  })
  await replaceToken(trx, old.id, row.id, OVERLAP_SECONDS)
  const shown = toNewToken(row, maxTokenDays)
  await recordAudit(trx, caller, {
    action: 'token.rotated',
    target: { type: 'token', id: row.id, name: row.name },
    before: { id: old.id },
    after: { ...ofMachine(owner), expiresAt: shown.expiresAt },
  })
  return { token, ...shown }
}
