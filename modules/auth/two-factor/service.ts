import { requiresFactor, type Caller } from '../../../plugins/security/access/index.ts'
import { conflict, invalid } from '../../../plugins/http/errors.ts'
import { maskEmail } from '../../../plugins/security/masks.ts'
import { recordAudit } from '../../audit/service.ts'
import { lockUser, type UserRow } from '../../users/service.ts'
import { sessionOver } from '../errors.ts'
import { holdProof, requireFreshSignIn } from '../fresh-sign-in.ts'
import type { AuthContext } from '../sessions.ts'
import { changeFactor, renewRecoveryCodes, announceFactorChange } from './changes.ts'
import {
  CODE_SECONDS,
  codeHash,
  enrolmentCodeMail,
  enrolmentPurpose,
  newEmailCode,
  PAUSE_SECONDS,
  sameHash,
} from './codes.ts'
import { codeJustSent, noMailbox } from './errors.ts'
import {
  countEnrolmentTry,
  deleteEnrolmentCode,
  disableTotp,
  enableTotp,
  methodsOf,
  readFactors,
  replaceEnrolmentCode,
  setEmailCodes,
  setTotpSeed,
} from './queries.ts'
import { enrolment, newSeed, seedContext, stepOf } from './totp.ts'

/** Attempts per code that verifies an address. */
const MAX_TRIES = 5

const wrongCode = () =>
  invalid({
    path: '/code',
    code: 'wrong_code',
    message: 'is wrong or expired; request a new code',
  })

const emailIsOn = () => conflict('Codes by email are already on', { reason: 'email_codes_on' })

const totpIsOn = () => conflict('An authenticator app is already on; remove it first', { reason: 'app_on' })

export async function readTwoFactor({ db, installation }: AuthContext, caller: Caller) {
  const factors = await readFactors(db, caller.userId)
  if (!factors) throw sessionOver()
  const methods = methodsOf(factors)
  const { passkeys, recoveryCodes } = factors
  const required = requiresFactor(installation.requireSecondFactor, { role: caller.role, kind: 'person' })
  return { enabled: methods.length > 0, required, methods, passkeys, recoveryCodesLeft: recoveryCodes }
}

/** Creates a seed for an authenticator app, returned only once; it takes effect once a code proves it. */
export async function setupTotp({ db, secrets }: AuthContext, caller: Caller) {
  const seed = newSeed()
  const sealed = secrets.seal(seed, seedContext(caller.userId))
  if (!(await setTotpSeed(db, caller.userId, sealed))) throw totpIsOn()
  return enrolment(seed, caller.username)
}

export async function confirmTotp(
  context: AuthContext,
  caller: Caller,
  { code, password }: { code: string; password?: string },
) {
  const proof = await requireFreshSignIn(context, caller, password)
  const change = { name: 'totp_enabled', method: 'totp' } as const
  const { recoveryCodes } = await changeFactor(context, proof, change, async (trx, user) => {
    if (user.totp_enabled) throw totpIsOn()
    if (user.totp_secret === null)
      throw conflict('Create a secret first: POST /api/2fa/totp/setup', { reason: 'app_not_begun' })
    const step = stepOf(context.secrets.open(user.totp_secret, seedContext(user.id)), code)
    if (step === null) throw wrongCode()
    await enableTotp(trx, user.id, step)
  })
  return { recoveryCodes }
}

export async function removeTotp(context: AuthContext, caller: Caller, password: string | undefined) {
  const proof = await requireFreshSignIn(context, caller, password)
  const change = { name: 'totp_disabled', method: 'totp' } as const
  await changeFactor(context, proof, change, async (trx, user) => {
    if (!user.totp_enabled)
      throw conflict('No authenticator app is on for this account', { reason: 'app_off' })
    await disableTotp(trx, user.id)
  })
}

/** Sends the code that verifies the address, before codes by email are turned on. At most one per minute. */
export async function sendEnrolmentCode({ db, mail, secrets, installation }: AuthContext, caller: Caller) {
  mail.require()
  const code = newEmailCode()
  return db.transaction().execute(async (trx) => {
    // Locked, so that of two concurrent requests one sends.
    const user = own(await lockUser(trx, caller.userId))
    if (user.email_codes_enabled) throw emailIsOn()
    if (user.email === null || !user.email_verified) throw noMailbox()
    const token = {
      userId: user.id,
      email: user.email,
      hash: codeHash(secrets, enrolmentPurpose(user.id, user.email), code),
      seconds: CODE_SECONDS,
    }
    if (!(await replaceEnrolmentCode(trx, token, PAUSE_SECONDS))) throw codeJustSent(PAUSE_SECONDS)
    await mail.send(trx, user.email, enrolmentCodeMail(installation.url, user.username, code), CODE_SECONDS)
    return { sentTo: maskEmail(user.email) }
  })
}

export async function confirmEmail(
  context: AuthContext,
  caller: Caller,
  { code, password }: { code: string; password?: string },
) {
  const { db, secrets } = context
  const proof = await requireFreshSignIn(context, caller, password)
  // Outside the transaction, which a wrong code rolls back: the attempt must count.
  const sent = await countEnrolmentTry(db, caller.userId, MAX_TRIES)
  if (!sent) throw wrongCode()
  const hash = codeHash(secrets, enrolmentPurpose(caller.userId, sent.email), code)
  if (!sameHash(hash, sent.hash)) throw wrongCode()
  const change = { name: 'email_enabled', method: 'email' } as const
  const { recoveryCodes } = await changeFactor(context, proof, change, async (trx, user) => {
    if (user.email_codes_enabled) throw emailIsOn()
    if (user.email !== sent.email || !user.email_verified) throw noMailbox()
    if (!(await deleteEnrolmentCode(trx, user.id, sent.hash))) throw wrongCode()
    await setEmailCodes(trx, user.id, true)
  })
  return { recoveryCodes }
}

export async function removeEmail(context: AuthContext, caller: Caller, password: string | undefined) {
  const proof = await requireFreshSignIn(context, caller, password)
  const change = { name: 'email_disabled', method: 'email' } as const
  await changeFactor(context, proof, change, async (trx, user) => {
    if (!user.email_codes_enabled)
      throw conflict('Codes by email are not on for this account', { reason: 'email_codes_off' })
    await setEmailCodes(trx, user.id, false)
  })
}

/** Replaces the recovery codes. */
export async function replaceCodes(context: AuthContext, caller: Caller, password: string | undefined) {
  const proof = await requireFreshSignIn(context, caller, password)
  const recoveryCodes = await context.db.transaction().execute(async (trx) => {
    const user = await holdProof(trx, proof)
    const factors = await readFactors(trx, user.id)
    if (!factors || methodsOf(factors).length === 0) {
      throw conflict('Recovery codes require a second factor, and this account has none', {
        reason: 'no_second_factor',
      })
    }
    const codes = await renewRecoveryCodes(context, trx, user.id)
    await recordAudit(trx, caller, {
      action: 'user.recovery_codes_renewed',
      target: { type: 'user', id: user.id, name: user.username },
    })
    await announceFactorChange(context, trx, user, 'recovery_codes_renewed')
    return codes
  })
  return { recoveryCodes }
}

/** The account may be deleted between the access check and here. */
function own(user: UserRow | undefined): UserRow {
  if (!user) throw sessionOver()
  return user
}
