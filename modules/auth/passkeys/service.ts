import type { PendingSignIn } from '../../../plugins/security/access/index.ts'
import { conflict } from '../../../plugins/http/errors.ts'
import { recordAudit } from '../../audit/service.ts'
import { lockUser } from '../../users/service.ts'
import { passkeyRefused, sessionOver } from '../errors.ts'
import type { AuthContext } from '../sessions.ts'
import { actorOf, completeSignIn, type SignedIn, type SignInClient } from '../sign-in.ts'
import {
  CEREMONY_SECONDS,
  challengeOf,
  requestOptions,
  userHandleOf,
  verifyUse,
  type Use,
} from './ceremonies.ts'
import {
  findCredential,
  insertChallenge,
  passkeysOf,
  recordUse,
  setStepChallenge,
  takeChallenge,
  takeStepChallenge,
  type PasskeyRow,
} from './queries.ts'
import type { RelyingParty } from './relying-party.ts'
import type { Assertion } from './schemas.ts'

/** What the second step needs. */
type StepContext = Pick<AuthContext, 'db' | 'relyingParty'>

/**
 * Returns what the browser needs to use a passkey as a second factor; replaces earlier options of this
 * sign-in.
 */
export async function passkeyRequestOptions({ db, relyingParty }: StepContext, pending: PendingSignIn) {
  const known = await passkeysOf(db, pending.userId)
  if (known.length === 0) throw conflict('This account has no passkey', { reason: 'no_passkey' })
  const options = await requestOptions(relyingParty, known)
  if (!(await setStepChallenge(db, pending, options.challenge))) throw sessionOver()
  return options
}

/**
 * Returns whether the credential is the requested second factor. Its challenge is used up in either case.
 * Gives no reason; the caller counts and records the attempt.
 */
export async function verifyPasskeyStep(
  { db, relyingParty }: StepContext,
  pending: PendingSignIn,
  credential: Assertion,
): Promise<boolean> {
  const challenge = await takeStepChallenge(db, pending)
  if (challenge === undefined) return false
  const known = await findCredential(db, credential.id)
  if (known?.user_id !== pending.userId) return false
  // The password was the first factor; having the passkey is the second, even without a PIN.
  const use = await verifyUse(relyingParty, credential, { challenge, known, userVerification: false })
  return use !== null && recordUse(db, known.id, use)
}

/** Returns what the browser needs to sign in with a passkey alone; the user is not known yet. */
export async function passkeySignInOptions({ db, relyingParty }: StepContext) {
  const options = await requestOptions(relyingParty, null)
  const { challenge } = options
  await insertChallenge(db, { challenge, ceremony: 'login', user_id: null }, CEREMONY_SECONDS)
  return options
}

/**
 * Signs in with a discoverable passkey alone. It is two factors, possession and a PIN or biometrics, so no
 * other is required. All refusals look the same.
 */
export async function signInByPasskey(
  context: AuthContext,
  credential: Assertion,
  client: SignInClient,
): Promise<SignedIn> {
  const { db, relyingParty } = context
  const challenge = challengeOf(credential)
  const isOurs = challenge !== null && (await takeChallenge(db, challenge, 'login', null))
  const known = isOurs ? await findCredential(db, credential.id) : undefined
  const use = known && isOurs ? await usedAlone(relyingParty, credential, challenge, known) : null
  const signedIn = known && use ? await begin(context, client, known, use) : null
  if (signedIn) return signedIn
  await recordAudit(db, actorOf(client), {
    action: 'auth.login_failed',
    target: { type: 'user', id: known?.user_id ?? null, name: null },
    after: { by: ['passkey'] },
  })
  throw passkeyRefused()
}

/** Null if the counter did not increase, or the user can no longer sign in. */
const begin = (context: AuthContext, client: SignInClient, known: PasskeyRow, use: Use) =>
  context.db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, known.user_id)
    if (!user || user.disabled_at !== null || !(await recordUse(trx, known.id, use))) return null
    return completeSignIn(context, trx, user, client, ['passkey'])
  })

/** Null unless the authenticator verified its user and can be trusted: see PasskeysTable. */
async function usedAlone(rp: RelyingParty, credential: Assertion, challenge: string, known: PasskeyRow) {
  // A security key without a PIN gets one from anyone who finds it, which proves nothing.
  if (!known.user_verified || userHandleOf(credential) !== known.user_id) return null
  return verifyUse(rp, credential, { challenge, known, userVerification: true })
}
