import type { Transaction } from 'kysely'
import type { Database } from '../../../db/tables/index.ts'
import type { PendingSignIn } from '../../../plugins/security/access/index.ts'
import { conflict, invalid, type AppError } from '../../../plugins/http/errors.ts'
import { maskEmail } from '../../../plugins/security/masks.ts'
import { findUserById, lockUser, type UserRow } from '../../users/service.ts'
import type { Assertion } from '../passkeys/schemas.ts'
import { verifyPasskeyStep } from '../passkeys/service.ts'
import type { AuthContext } from '../sessions.ts'
import { completeSignIn, recordSignIn, type SignedIn, type SignInClient } from '../sign-in.ts'
import {
  countFactorFailure,
  countTry,
  findChallenge,
  setEmailCode,
  takeChallenge,
  uncountFactorFailure,
} from './challenge-queries.ts'
import { announceFactorChange } from './changes.ts'
import {
  CODE_SECONDS,
  codeHash,
  newEmailCode,
  PAUSE_SECONDS,
  recoveryHash,
  sameHash,
  signInCodeMail,
  signInPurpose,
} from './codes.ts'
import { codeJustSent, noMailbox, stepOver, tooManyWrongCodes, wrongCode } from './errors.ts'
import { methodsOf, readFactors, takeRecoveryCode, takeTotpStep } from './queries.ts'
import { seedContext, stepOf } from './totp.ts'
import type { FactorMethod } from '../../../schemas/people/user.ts'

/** Per sign-in. */
const MAX_TRIES = 5

/**
 * Wrong codes of an account, over all factors and sign-ins. Passkeys are exempt: they can't be guessed, so
 * guessing codes can't lock out an owner with a passkey.
 */
const ACCOUNT_FAILURES = { max: 20, windowSeconds: 15 * 60 }

interface FactorAnswer {
  method: FactorMethod | 'recovery'
  code?: string
  credential?: Assertion
}

/** The user, the method, and the error for a wrong answer. */
interface Step {
  pending: PendingSignIn
  user: UserRow
  answer: FactorAnswer
  emailCodeHash: Buffer | null
  refusal: AppError
}

/** Uses up the proof in the transaction that starts the session; false if it was already used. */
type Use = (trx: Transaction<Database>) => Promise<boolean>

/**
 * Completes the second step of a sign-in. An attempt is counted before it is checked; the right answer ends
 * the step, so it starts one session.
 */
export async function verifySecondFactor(
  context: AuthContext,
  pending: PendingSignIn,
  answer: FactorAnswer,
  client: SignInClient,
): Promise<SignedIn> {
  const { db } = context
  const user = await findUserById(db, pending.userId)
  if (!user || user.disabled_at !== null) throw stepOver()
  requireProof(answer)
  const counted = await countTry(db, pending, { maxTries: MAX_TRIES, codeSeconds: CODE_SECONDS })
  if (!counted) throw stepOver()
  const refusal = wrongCode(MAX_TRIES - counted.tries)
  const step = { pending, user, answer, emailCodeHash: counted.email_code_hash, refusal }
  const guessable = answer.method !== 'passkey'
  if (guessable) {
    const wait = await countFactorFailure(db, user.id, ACCOUNT_FAILURES)
    if (wait > 0) throw tooManyWrongCodes(wait)
  }
  try {
    const use = await check(context, step)
    return await db.transaction().execute(async (trx) => {
      const signedIn = await begin(context, trx, step, use, client)
      if (guessable) await uncountFactorFailure(trx, user.id)
      if (answer.method === 'recovery') await announceFactorChange(context, trx, user, 'recovery_code_used')
      return signedIn
    })
  } catch (error) {
    if (error === refusal) {
      await recordSignIn(db, user, client, 'auth.second_factor_failed', [answer.method])
    }
    throw error
  }
}

function requireProof({ method, code, credential }: FactorAnswer): void {
  if (method === 'passkey' ? credential === undefined : code === undefined) {
    throw invalid({
      path: method === 'passkey' ? '/credential' : '/code',
      code: 'required',
      message: 'is required',
    })
  }
}

/** Throws the refusal for a wrong proof; the transaction makes it single-use. */
async function check({ db, secrets, relyingParty }: AuthContext, step: Step): Promise<Use> {
  const { pending, user, answer, emailCodeHash, refusal } = step
  const code = answer.code ?? ''
  switch (answer.method) {
    case 'totp': {
      if (!user.totp_enabled || user.totp_secret === null) throw refusal
      const timeStep = stepOf(secrets.open(user.totp_secret, seedContext(user.id)), code)
      if (timeStep === null) throw refusal
      return (trx) => takeTotpStep(trx, user.id, timeStep)
    }
    case 'email': {
      const hash = codeHash(secrets, signInPurpose(pending.challengeId), code)
      if (!user.email_codes_enabled || emailCodeHash === null || !sameHash(hash, emailCodeHash)) throw refusal
      // It belongs to the challenge and is taken with it.
      return async () => true
    }
    case 'passkey': {
      const credential = answer.credential as Assertion
      if (!(await verifyPasskeyStep({ db, relyingParty }, pending, credential))) throw refusal
      return async () => true
    }
    case 'recovery':
      return (trx) => takeRecoveryCode(trx, user.id, recoveryHash(secrets, user.id, code))
  }
}

/** Takes the challenge and the proof, both or neither, and starts the session. */
async function begin(
  context: AuthContext,
  trx: Transaction<Database>,
  { pending, answer, refusal }: Step,
  use: Use,
  client: SignInClient,
): Promise<SignedIn> {
  // Checked again under the lock: the account may have been disabled, or its factors changed.
  const user = await lockUser(trx, pending.userId)
  if (!user || user.disabled_at !== null) throw stepOver()
  const challenge = await takeChallenge(trx, pending)
  if (!challenge) throw stepOver()
  if (!(await use(trx))) throw refusal
  if (answer.method === 'recovery') {
    await recordSignIn(trx, user, client, 'auth.recovery_code_used', [answer.method])
  }
  const { remember, external_provider: providerId, external_subject: subject, external_session } = challenge
  const external =
    providerId === null || subject === null ? undefined : { providerId, subject, session: external_session }
  return completeSignIn(context, trx, user, { ...client, remember, external }, [answer.method])
}

/** Sends the code of a sign-in to the account's address, replacing an earlier one. At most one per minute. */
export async function sendSignInCode(
  { db, mail, secrets, installation }: AuthContext,
  pending: PendingSignIn,
) {
  mail.require()
  if (!(await findChallenge(db, pending, MAX_TRIES))) throw stepOver()
  const [user, factors] = await Promise.all([
    findUserById(db, pending.userId),
    readFactors(db, pending.userId),
  ])
  if (!user || !factors || user.disabled_at !== null) throw stepOver()
  if (!methodsOf(factors).includes('email'))
    throw conflict('Codes by email are not on for this account', { reason: 'email_codes_off' })
  if (user.email === null || !user.email_verified) throw noMailbox()
  const code = newEmailCode()
  const hash = codeHash(secrets, signInPurpose(pending.challengeId), code)
  const { email, username } = user
  await db.transaction().execute(async (trx) => {
    if (!(await setEmailCode(trx, pending, hash, PAUSE_SECONDS))) throw codeJustSent(PAUSE_SECONDS)
    await mail.send(trx, email, signInCodeMail(installation.url, username, code), CODE_SECONDS)
  })
  return { sentTo: maskEmail(email) }
}
