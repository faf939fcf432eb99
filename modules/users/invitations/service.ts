import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { invalid, notFound } from '../../../plugins/http/errors.ts'
import { requireMatch } from '../../../plugins/http/if-match.ts'
import type { Secrets } from '../../../plugins/security/secrets.ts'
import type { Role } from '../../../schemas/people/user.ts'
import { recordAudit } from '../../audit/service.ts'
import type { AccountContext } from '../accounts.ts'
import { invitationMail } from '../mail-links/messages.ts'
import type { Page } from '../queries.ts'
import {
  countInvitations,
  findInvitation,
  insertInvitation,
  lockInvitation,
  invitationCounts,
  listInvitations,
  revokeInvitation,
  takeInvitation,
  type InvitationRow,
} from './queries.ts'

/** 144 bits can't be guessed, so a plain hash is enough. */
const CODE_BYTES = 18
const PREFIX_LENGTH = 6

interface InvitationInput {
  role: Role
  email?: string | null
  maxUses: number
  expiresAt?: string | null
}

/**
 * Creates an invitation and returns its code once; with an address and email configured, it is also sent
 * there.
 */
export async function createInvitation(context: AccountContext, caller: Caller, input: InvitationInput) {
  const { db, secrets, mail, installation } = context
  const { role, maxUses } = input
  const email = input.email?.toLowerCase() ?? null
  const expiresAt = input.expiresAt ? new Date(input.expiresAt) : null
  if (expiresAt && expiresAt.getTime() <= Date.now()) {
    throw invalid({ path: '/expiresAt', code: 'in_past', message: 'must be in the future' })
  }
  if (email !== null && maxUses > 1) {
    throw invalid({
      path: '/maxUses',
      code: 'max_uses_with_email',
      message: 'must be 1 with "email", because an address belongs to one account',
    })
  }
  const id = uuidv7()
  const code = randomBytes(CODE_BYTES).toString('base64url')
  const mailed = email !== null && mail.configured
  await db.transaction().execute(async (trx) => {
    await insertInvitation(trx, {
      id,
      code_hash: secrets.digest(code),
      code_prefix: code.slice(0, PREFIX_LENGTH),
      role,
      email,
      mailed,
      max_uses: maxUses,
      created_by: caller.userId,
      expires_at: expiresAt,
    })
    await recordAudit(trx, caller, {
      action: 'invitation.created',
      target: { type: 'invitation', id, name: code.slice(0, PREFIX_LENGTH) },
      after: { role, email, maxUses, expiresAt: expiresAt?.toISOString() ?? null, mailed },
    })
    if (mailed) await mail.send(trx, email, invitationMail(installation.url, code, expiresAt))
  })
  return { ...(await readInvitation(context, id)), code }
}

export async function listAllInvitations({ db }: AccountContext, paging: Page) {
  const [rows, total] = await Promise.all([listInvitations(db, paging), countInvitations(db)])
  return { invitations: rows.map(toInvitation), total, page: paging.page, limit: paging.limit }
}

export async function readInvitation({ db }: Pick<AccountContext, 'db'>, id: string) {
  const row = await findInvitation(db, id)
  if (!row) throw notFound('invitation', id)
  return toInvitation(row)
}

/** Ends the invitation; accounts registered with it stay. */
export async function endInvitation(context: AccountContext, caller: Caller, id: string): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await lockInvitation(trx, id)
    await requireMatch(caller, () => readInvitation({ db: trx }, id))
    const revoked = await revokeInvitation(trx, id)
    if (!revoked) throw notFound('invitation', id)
    await recordAudit(trx, caller, {
      action: 'invitation.revoked',
      target: { type: 'invitation', id, name: revoked.code_prefix },
    })
  })
}

/** The same answer for every invalid code, so it doesn't reveal which codes existed. */
const invitationRefused = () =>
  invalid({
    path: '/inviteCode',
    code: 'invitation_over',
    message: 'is not valid: unknown, expired, revoked or used up',
  })

interface TakenInvitation {
  id: string
  role: Role
  /** The address the account must have; null: any. */
  email: string | null
  /** Whether having the code proves access to that mailbox. */
  emailProved: boolean
}

/** Checks the code before the slow part of registering; `redeemInvitation` decides. Throws a 400. */
export async function expectInvitation(db: Executor, secrets: Secrets, code: string): Promise<void> {
  if (!(await invitationCounts(db, secrets.digest(code)))) throw invitationRefused()
}

/** Takes one use in the transaction that creates the account. Throws a 400. */
export async function redeemInvitation(
  trx: Executor,
  secrets: Secrets,
  code: string,
): Promise<TakenInvitation> {
  const taken = await takeInvitation(trx, secrets.digest(code))
  if (!taken) throw invitationRefused()
  return { id: taken.id, role: taken.role, email: taken.email, emailProved: taken.mailed }
}

function statusOf(row: InvitationRow): 'active' | 'used' | 'expired' | 'revoked' {
  if (row.revoked_at) return 'revoked'
  if (row.uses >= row.max_uses) return 'used'
  return row.expires_at && row.expires_at.getTime() <= Date.now() ? 'expired' : 'active'
}

const toInvitation = (row: InvitationRow) => ({
  id: row.id,
  codePrefix: row.code_prefix,
  role: row.role,
  email: row.email,
  mailed: row.mailed,
  status: statusOf(row),
  maxUses: row.max_uses,
  uses: row.uses,
  createdBy: { id: row.created_by, username: row.creator },
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
  revokedAt: row.revoked_at?.toISOString() ?? null,
})
