import type { Transaction } from 'kysely'
import type { Database } from '../../../db/tables/index.ts'
import { announce } from '../../../plugins/events/outbox/announce.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import { requiresFactor } from '../../../plugins/security/access/index.ts'
import type { FactorChange } from '../../../schemas/events/event-catalogue.ts'
import type { FactorMethod } from '../../../schemas/people/user.ts'
import { recordAudit, type AuditAction } from '../../audit/service.ts'
import type { UserRow } from '../../users/service.ts'
import { lastFactor, sessionOver } from '../errors.ts'
import { holdProof, type SignInProof } from '../fresh-sign-in.ts'
import { mailToHolder, takenOver } from '../security-notices.ts'
import type { AuthContext } from '../sessions.ts'
import { newRecoveryCodes, recoveryHash } from './codes.ts'
import {
  deleteRecoveryCodes,
  methodsOf,
  readFactors,
  replaceRecoveryCodes,
  type FactorState,
} from './queries.ts'

/**
 * Adds or removes a second factor of the caller, who has passed requireFreshSignIn, in one transaction that
 * holds that proof. `work` makes the change and throws if it can't. Recovery codes are created with the first
 * factor (returned once, otherwise empty) and removed with the last. The last one stays while the account
 * must have one (409). The change is audited (as `action`, if given), and the user is notified.
 */
export async function changeFactor<T>(
  context: AuthContext,
  proof: SignInProof,
  change: { name: FactorChange; method: FactorMethod; action?: AuditAction; details?: object },
  work: (trx: Transaction<Database>, user: UserRow) => Promise<T>,
): Promise<{ result: T; recoveryCodes: string[] }> {
  const { caller } = proof
  const done = await context.events.transaction(context.db, async (trx, tell) => {
    const user = await holdProof(trx, proof)
    const before = await factorsOf(trx, user.id)
    const result = await work(trx, user)
    const after = await factorsOf(trx, user.id)
    const required = requiresFactor(context.installation.requireSecondFactor, {
      role: user.role,
      kind: user.account_kind,
    })
    if (weight(after) === 0 && required) throw lastFactor()
    const enabled = weight(after) > weight(before)
    await recordAudit(trx, caller, {
      action: change.action ?? (enabled ? 'user.second_factor_enabled' : 'user.second_factor_disabled'),
      target: { type: 'user', id: user.id, name: user.username },
      [enabled ? 'after' : 'before']: { method: change.method, ...change.details },
    })
    const first = weight(before) === 0 && weight(after) > 0
    const recoveryCodes = first ? await renewRecoveryCodes(context, trx, user.id) : []
    if (weight(after) === 0) await deleteRecoveryCodes(trx, user.id)
    await announceFactorChange(context, trx, user, change.name)
    tell('user.changed', { userId: caller.userId })
    return { result, recoveryCodes }
  })
  return done
}

/** Replaces the recovery codes; they are returned only here. */
export async function renewRecoveryCodes(
  { secrets }: AuthContext,
  trx: Transaction<Database>,
  userId: string,
): Promise<string[]> {
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(
    trx,
    userId,
    codes.map((code) => recoveryHash(secrets, userId, code)),
  )
  return codes
}

const SUBJECTS: Record<FactorChange, string> = {
  totp_enabled: 'An authenticator app was added to your account',
  totp_disabled: 'The authenticator app was removed from your account',
  email_enabled: 'Codes by email were turned on for your account',
  email_disabled: 'Codes by email were turned off for your account',
  passkey_added: 'A passkey was added to your account',
  passkey_removed: 'A passkey was removed from your account',
  recovery_codes_renewed: 'New recovery codes were created for your account',
  recovery_code_used: 'A recovery code was used to sign in to your account',
}

/** Notifies the user of a change to their second factors, by event and, if possible, by email. */
export async function announceFactorChange(
  context: AuthContext,
  trx: Executor,
  user: UserRow,
  change: FactorChange,
): Promise<void> {
  const metadata = { username: user.username, change }
  await announce(trx, 'account.second_factor_changed', { metadata, actorId: null, userIds: [user.id] })
  const subject = SUBJECTS[change]
  await mailToHolder(context, trx, user, {
    subject,
    text: `${subject} (${user.username}).`,
    otherwise: takenOver('second factors'),
  })
}

async function factorsOf(trx: Transaction<Database>, userId: string): Promise<FactorState> {
  const factors = await readFactors(trx, userId)
  if (!factors) throw sessionOver()
  return factors
}

/** Number of second factors; each passkey counts. */
const weight = (factors: FactorState) => methodsOf({ ...factors, passkeys: 0 }).length + factors.passkeys
