import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { conflict, invalid, notFound } from '../../../plugins/http/errors.ts'
import { requireMatch } from '../../../plugins/http/if-match.ts'
import { recordAudit } from '../../audit/service.ts'
import { findUserById } from '../../users/service.ts'
import { sessionOver } from '../errors.ts'
import { requireFreshSignIn, requireSignInMethod } from '../fresh-sign-in.ts'
import type { AuthContext } from '../sessions.ts'
import { changeFactor } from '../two-factor/changes.ts'
import { CEREMONY_SECONDS, challengeOf, creationOptions, verifyCreation } from './ceremonies.ts'
import {
  countPasskeys,
  deletePasskey,
  findPasskey,
  insertChallenge,
  insertPasskey,
  passkeysOf,
  renamePasskeyRow,
  takeChallenge,
  type PasskeyRow,
} from './queries.ts'
import type { Attestation, Passkey } from './schemas.ts'

const MAX_PASSKEYS = 20

const tooMany = () =>
  conflict(`An account can have ${MAX_PASSKEYS} passkeys; remove one first`, {
    reason: 'too_many_passkeys',
    params: { maximum: MAX_PASSKEYS },
  })

const refused = () =>
  invalid({
    path: '/credential',
    code: 'not_verified',
    message:
      'could not be verified: it must answer the latest options of this account, within 5 minutes, on this site',
  })

export async function listPasskeys(db: Executor, caller: Caller) {
  const rows = await passkeysOf(db, caller.userId)
  return { passkeys: rows.map(toPasskey) }
}

export async function readPasskey(db: Executor, caller: Caller, id: string): Promise<Passkey> {
  return toPasskey(own(await findPasskey(db, caller.userId, id), id))
}

/** Returns what the browser needs to create a passkey, with a challenge for this user only. */
export async function registrationOptions({ db, relyingParty }: AuthContext, caller: Caller) {
  const [user, known] = await Promise.all([findUserById(db, caller.userId), passkeysOf(db, caller.userId)])
  if (!user) throw sessionOver()
  if (known.length >= MAX_PASSKEYS) throw tooMany()
  const { id, username, display_name: displayName } = user
  const options = await creationOptions(relyingParty, { id, username, displayName }, known)
  const { challenge } = options
  await insertChallenge(db, { challenge, ceremony: 'register', user_id: id }, CEREMONY_SECONDS)
  return options
}

/** Returns the passkey, and recovery codes if it is the account's first second factor (otherwise none). */
export async function addPasskey(
  context: AuthContext,
  caller: Caller,
  { name, credential, password }: { name: string; credential: Attestation; password?: string },
): Promise<Passkey & { recoveryCodes: string[] }> {
  // Checked first, because a client that has to send the password sends the same credential again.
  const proof = await requireFreshSignIn(context, caller, password)
  const created = await verifyRegistration(context, caller, credential)
  const id = uuidv7()
  const change = {
    name: 'passkey_added',
    action: 'user.passkey_added',
    method: 'passkey',
    details: { id, name },
  } as const
  const { result, recoveryCodes } = await changeFactor(context, proof, change, async (trx) => {
    if ((await countPasskeys(trx, caller.userId)) >= MAX_PASSKEYS) throw tooMany()
    const row = await insertPasskey(trx, {
      id,
      user_id: caller.userId,
      name,
      credential_id: created.id,
      public_key: created.publicKey,
      counter: created.counter,
      transports: created.transports,
      backed_up: created.backedUp,
      user_verified: created.userVerified,
      last_used_at: null,
    })
    if (!row) throw invalid({ path: '/credential', code: 'registered', message: 'is already registered' })
    return toPasskey(row)
  })
  return { ...result, recoveryCodes }
}

/** The challenge is used up in either case. */
async function verifyRegistration(
  { db, relyingParty }: AuthContext,
  caller: Caller,
  credential: Attestation,
) {
  const challenge = challengeOf(credential)
  if (challenge === null || !(await takeChallenge(db, challenge, 'register', caller.userId))) throw refused()
  const created = await verifyCreation(relyingParty, credential, challenge)
  if (!created) throw refused()
  return created
}

export async function renamePasskey(
  { db }: AuthContext,
  caller: Caller,
  id: string,
  name: string,
): Promise<Passkey> {
  return db.transaction().execute(async (trx) => {
    const before = own(await findPasskey(trx, caller.userId, id, { lock: true }), id)
    await requireMatch(caller, () => toPasskey(before))
    const after = own(await renamePasskeyRow(trx, id, name), id)
    if (before.name !== name) {
      await recordAudit(trx, caller, {
        action: 'user.passkey_renamed',
        target: target(caller),
        before: { id, name: before.name },
        after: { id, name },
      })
    }
    return toPasskey(after)
  })
}

export async function removePasskey(
  context: AuthContext,
  caller: Caller,
  id: string,
  password: string | undefined,
): Promise<void> {
  const { name } = own(await findPasskey(context.db, caller.userId, id), id)
  const proof = await requireFreshSignIn(context, caller, password)
  const change = {
    name: 'passkey_removed',
    action: 'user.passkey_removed',
    method: 'passkey',
    details: { id, name },
  } as const
  await changeFactor(context, proof, change, async (trx) => {
    const removed = own(await deletePasskey(trx, caller.userId, id), id)
    await requireMatch(caller, () => toPasskey(removed))
    await requireSignInMethod(trx, caller.userId)
  })
}

const target = ({ userId, username }: Caller) => ({ type: 'user', id: userId, name: username })

function own(row: PasskeyRow | undefined, id: string): PasskeyRow {
  if (!row) throw notFound('passkey', id)
  return row
}

const toPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  transports: row.transports,
  backedUp: row.backed_up,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})
