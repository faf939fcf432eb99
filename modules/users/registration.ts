import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../db/connection/connect.ts'
import type { Actor } from '../../plugins/security/access/index.ts'
import { forbidden, invalid } from '../../plugins/http/errors.ts'
import type { Role } from '../../schemas/people/user.ts'
import { recordAudit } from '../audit/service.ts'
import { addAccount, askToConfirm, hashNewPassword, takenOr, type AccountContext } from './accounts.ts'
import { expectInvitation, redeemInvitation } from './invitations/service.ts'
import type { UserRow } from './queries.ts'

export interface Registration {
  username: string
  password: string
  email?: string | null
  inviteCode?: string
}

/**
 * Creates an account with an invitation, or for anyone if registration is open. Using the invitation,
 * creating the account and `then` happen together or not at all.
 */
export async function registerAccount<T>(
  context: AccountContext,
  actor: Actor,
  input: Registration,
  then: (trx: Executor, user: UserRow, actor: Actor) => Promise<T>,
): Promise<T> {
  const { db, secrets, installation } = context
  const { inviteCode } = input
  if (installation.registration === 'closed') throw forbidden('Registration is closed on this service')
  if (inviteCode === undefined && installation.registration === 'invite') {
    throw invalid({ path: '/inviteCode', code: 'required', message: 'is required' })
  }
  const username = input.username.toLowerCase()
  if (inviteCode !== undefined)
    await refusing(context, actor, username, expectInvitation(db, secrets, inviteCode))
  const passwordHash = await hashNewPassword(context, input.password, username)
  const id = uuidv7()
  const self = { ...actor, userId: id, username }
  return db
    .transaction()
    .execute(async (trx) => {
      const invitation = inviteCode === undefined ? null : await redeemInvitation(trx, secrets, inviteCode)
      const { stored, verified, toConfirm } = addressOf(context, input.email ?? null, invitation)
      const role: Role = invitation?.role ?? 'member'
      const account = { id, username, role, passwordHash, email: stored, emailVerified: verified }
      const how = { registered: true, invitationId: invitation?.id ?? null }
      const user = await addAccount(trx, self, { ...account, displayName: null }, how)
      if (toConfirm !== null) await askToConfirm(context, trx, user, toConfirm)
      return then(trx, user, self)
    })
    .catch((error: unknown) => {
      throw takenOr(error)
    })
}

/**
 * The account's address. An unverified one must be confirmed first, so that no one can claim or probe an
 * address by registering; without email configured it is stored as unverified.
 */
function addressOf(
  { mail }: AccountContext,
  given: string | null,
  invitation: { email: string | null; emailProved: boolean } | null,
): { stored: string | null; verified: boolean; toConfirm: string | null } {
  const address = given?.toLowerCase() ?? null
  const invited = invitation?.email ?? null
  if (invited !== null && address !== null && address !== invited) {
    throw invalid({
      path: '/email',
      code: 'invitation_address',
      message: 'is not the address of the invitation',
    })
  }
  if (invited !== null)
    return { stored: invited, verified: invitation?.emailProved === true, toConfirm: null }
  if (address !== null && mail.configured) return { stored: null, verified: false, toConfirm: address }
  return { stored: address, verified: false, toConfirm: null }
}

/** Records an invalid code, so that guessing is visible. */
async function refusing(
  { db }: AccountContext,
  actor: Actor,
  username: string,
  work: Promise<void>,
): Promise<void> {
  await work.catch(async (error: unknown) => {
    await recordAudit(
      db,
      { ...actor, username },
      {
        action: 'auth.register_failed',
        target: { type: 'user', id: null, name: username },
      },
    )
    throw error
  })
}
