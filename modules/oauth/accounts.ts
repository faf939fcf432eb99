import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../db/connection/connect.ts'
import type { Actor } from '../../plugins/security/access/index.ts'
import type { Role } from '../../schemas/people/user.ts'
import { addAccount } from '../users/accounts.ts'
import type { UserRow } from '../users/service.ts'
import type { ExternalIdentity, ProviderId } from './identity-providers/contract.ts'
import { insertIdentity } from './queries.ts'

/** User data an invitation adds to the identity provider's. */
interface Invited {
  id: string
  role: Role
  email: string | null
  emailProved: boolean
}

/**
 * Creates an account without a password for an external identity and links it, in the caller's transaction; pass
 * failures to `takenOr` of the users module.
 */
export async function addExternalAccount(
  trx: Executor,
  actor: Actor,
  providerId: ProviderId,
  identity: ExternalIdentity,
  { username, invitation }: { username: string; invitation: Invited | null },
): Promise<UserRow> {
  const id = uuidv7()
  const { email, emailVerified } = addressOf(identity, invitation)
  const account = {
    id,
    username,
    email,
    emailVerified,
    role: invitation?.role ?? 'member',
    displayName: identity.displayName,
    passwordHash: null,
  }
  const how = { registered: true, providerId, invitationId: invitation?.id ?? null }
  const user = await addAccount(trx, { ...actor, userId: id, username }, account, how)
  await bindIdentity(trx, id, providerId, identity)
  return user
}

/** An unverified address is not used: it could be anyone's, and would keep its owner from using it. */
function addressOf(
  identity: ExternalIdentity,
  invitation: Invited | null,
): { email: string | null; emailVerified: boolean } {
  const external = identity.emailVerified ? identity.email : null
  if (invitation === null || invitation.email === null) {
    return { email: external, emailVerified: external !== null }
  }
  const { email, emailProved } = invitation
  return { email, emailVerified: emailProved || email === external }
}

/** Throws a unique violation if the identity is linked, or the user has another one of this provider. */
export const bindIdentity = (
  trx: Executor,
  userId: string,
  providerId: ProviderId,
  identity: ExternalIdentity,
) =>
  insertIdentity(trx, {
    id: uuidv7(),
    provider_id: providerId,
    subject: identity.subject,
    user_id: userId,
    ...profileOf(identity),
  })

/** Stored for display, as the provider last sent it. */
export const profileOf = ({ displayName, email, emailVerified, avatar }: ExternalIdentity) => ({
  display_name: displayName,
  email,
  email_verified: emailVerified,
  avatar,
})
