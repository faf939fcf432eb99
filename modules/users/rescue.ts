import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { SYSTEM } from '../../plugins/security/access/index.ts'
import { publish } from '../../plugins/events/queries.ts'
import { signalOf } from '../../schemas/events/events.ts'
import { recordAudit } from '../audit/service.ts'
import { addAccount, endSignIns, type AccountContext } from './accounts.ts'
import { deletePersonalTokens, deleteSecondFactors, findUserByName, lockUser, updateUser } from './queries.ts'

/** The account must be able to sign in. */
export class MachineAccount extends Error {}

export interface Rescue {
  /** Whether the account is new. */
  created: boolean
  /** Generated; to be shown once. */
  password: string
}

/**
 * Makes the account an enabled administrator with a new password, for the operator with access to the
 * database. Ends its sessions, and its personal tokens unless they are kept; removes second factors only on
 * request. Throws MachineAccount.
 */
export async function rescueAdministrator(
  { db, passwordHashes }: Pick<AccountContext, 'db' | 'passwordHashes'>,
  {
    username,
    removeTwoFactor,
    keepTokens,
  }: { username: string; removeTwoFactor: boolean; keepTokens: boolean },
): Promise<Rescue> {
  const password = randomBytes(15).toString('base64url')
  const passwordHash = await passwordHashes.hash(password)
  return db.transaction().execute(async (trx) => {
    const known = await findUserByName(trx, username)
    if (!known) {
      const id = uuidv7()
      const account = { id, username, email: null, emailVerified: false, displayName: null, passwordHash }
      await addAccount(trx, SYSTEM, { ...account, role: 'admin' }, { by: 'create-admin' })
      return { created: true, password }
    }
    if (known.account_kind === 'machine') throw new MachineAccount(`${username} is a machine account`)
    await lockUser(trx, known.id)
    await updateUser(trx, known.id, { role: 'admin', disabled_at: null, password_hash: passwordHash })
    if (removeTwoFactor) await deleteSecondFactors(trx, known.id)
    await endSignIns(trx, known.id)
    const endedTokens = keepTokens ? 0 : await deletePersonalTokens(trx, known.id)
    // Running instances clear their caches of sessions and roles.
    await publish(trx, signalOf('user.changed', { userId: known.id }))
    await recordAudit(trx, SYSTEM, {
      action: 'user.rescued',
      target: { type: 'user', id: known.id, name: username },
      before: { role: known.role, disabled: known.disabled_at !== null, tokens: endedTokens },
      after: { role: 'admin', disabled: false, passwordSet: true, secondFactorsRemoved: removeTwoFactor },
    })
    return { created: false, password }
  })
}
