import type { Updateable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../db/connection/connect.ts'
import type { UsersTable } from '../../db/tables/index.ts'
import { requiresFactor, type Caller } from '../../plugins/security/access/index.ts'
import { conflict, invalid, notFound } from '../../plugins/http/errors.ts'
import { keepingResult } from '../../plugins/http/idempotency/key.ts'
import { requireMatch } from '../../plugins/http/if-match.ts'
import { announce } from '../../plugins/events/outbox/announce.ts'
import type { AccountKind, Role, User } from '../../schemas/people/user.ts'
import { differences, recordAudit } from '../audit/service.ts'
import {
  addAccount,
  askToConfirm,
  endSignIns,
  hashNewPassword,
  takenOr,
  type AccountContext,
} from './accounts.ts'
import { issueMailToken, WELCOME_SECONDS } from './mail-links/mail-tokens.ts'
import { toUser } from './mapper.ts'
import {
  emailChangedMail,
  factorsRemovedMail,
  passwordChangedMail,
  welcomeMail,
} from './mail-links/messages.ts'
import {
  countUsers,
  deletePersonalTokens,
  deleteSecondFactors,
  findUserById,
  findUserView,
  listUserViews,
  lockAdministrators,
  lockUser,
  updateUser,
  type Page,
  type UserFilter,
  type UserRow,
} from './queries.ts'

const target = ({ id, username }: UserRow) => ({ type: 'user', id, name: username })

export async function listUsers({ db }: AccountContext, { page, limit, ...filter }: UserFilter & Page) {
  const [rows, total] = await Promise.all([
    listUserViews(db, filter, { page, limit }),
    countUsers(db, filter),
  ])
  return { users: rows.map(toUser), total, page, limit }
}

export async function readUser({ db }: Pick<AccountContext, 'db'>, id: string): Promise<User> {
  const row = await findUserView(db, id)
  if (!row) throw notFound('user', id)
  return toUser(row)
}

interface UserInput {
  kind: AccountKind
  username: string
  password?: string
  email?: string | null
  role: Role
  displayName?: string | null
}

/**
 * Creates an account. With a password, the administrator passes it on; without one, the user chooses it
 * through a mailed link, which also verifies the address. A machine account has neither.
 */
export async function createUser(context: AccountContext, caller: Caller, input: UserInput): Promise<User> {
  const { db, secrets, mail, installation } = context
  const username = input.username.toLowerCase()
  const email = input.email?.toLowerCase() ?? null
  const { kind, password } = input
  if (kind === 'machine') refuseWaysIn(input)
  else if (password === undefined && (email === null || !mail.configured)) {
    const message = 'is required, unless email is configured and "email" is set for a link to choose one'
    throw invalid({ path: '/password', code: 'required', message })
  }
  const passwordHash = password === undefined ? null : await hashNewPassword(context, password, username)
  const account = {
    id: uuidv7(),
    kind,
    username,
    email,
    emailVerified: false,
    role: input.role,
    displayName: input.displayName ?? null,
    passwordHash,
  }
  return keepingResult(db, caller, async (trx) => {
    const invited = kind === 'person' && passwordHash === null
    const user = await addAccount(trx, caller, account, { invited })
    if (email !== null && passwordHash !== null) await askToConfirm(context, trx, user, email)
    if (email !== null && passwordHash === null) {
      const link = { purpose: 'password_reset', userId: user.id, email, seconds: WELCOME_SECONDS } as const
      const token = (await issueMailToken(trx, secrets, link)) as string
      await mail.send(trx, email, welcomeMail(installation.url, username, token), WELCOME_SECONDS)
    }
    return readUser({ db: trx }, account.id)
  }).catch((error: unknown) => {
    throw takenOr(error)
  })
}

/** Fields that would allow signing in. */
function refuseWaysIn(given: { email?: string | null; password?: string }): void {
  const field = given.password === undefined ? 'email' : 'password'
  if (given[field] == null) return
  throw invalid({
    path: `/${field}`,
    code: 'machine_account',
    message: 'is not allowed for a machine account',
  })
}

interface UserChanges {
  username?: string
  role?: Role
  email?: string | null
  displayName?: string | null
  disabled?: boolean
  password?: string
  keepTokens?: boolean
}

/**
 * Takes effect with the next request. A new password or disabling ends all sessions; a new password also
 * revokes personal tokens unless they are kept.
 */
export async function changeUser(
  context: AccountContext,
  caller: Caller,
  id: string,
  changes: UserChanges,
): Promise<User> {
  const { db, events } = context
  const known = await findUserById(db, id)
  if (!known) throw notFound('user', id)
  if (changes.username !== undefined && changes.username.toLowerCase() !== known.username) {
    throw invalid({ path: '/username', code: 'fixed', message: 'can not change' })
  }
  if (known.account_kind === 'machine') refuseWaysIn(changes)
  const passwordHash =
    changes.password === undefined ? null : await hashNewPassword(context, changes.password, known.username)
  await events
    .transaction(db, async (trx, tell) => {
      const administrators = await lockAdministrators(trx)
      const before = await lockUser(trx, id)
      if (!before) throw notFound('user', id)
      await requireMatch(caller, () => readUser({ db: trx }, id))
      const set = columnsOf(before, changes, passwordHash)
      const loses = (set.role ?? before.role) !== 'admin' || (set.disabled_at ?? before.disabled_at) !== null
      if (loses) refuseLastAdministrator(administrators, id)
      const after = (await updateUser(trx, id, set)) as UserRow
      const ends = passwordHash !== null || (after.disabled_at !== null && before.disabled_at === null)
      const sessionIds = ends ? await endSignIns(trx, id) : []
      tell('user.changed', { userId: id })
      if (sessionIds.length > 0) tell('session.ended', { sessionIds })
      const endsTokens = passwordHash !== null && changes.keepTokens !== true
      const endedTokens = endsTokens ? await deletePersonalTokens(trx, id) : 0
      await recordChange(trx, caller, before, after)
      if (passwordHash !== null) {
        const details = { tokens: endedTokens }
        await recordAudit(trx, caller, {
          action: 'user.password_set',
          target: target(after),
          before: details,
        })
      }
      await announceChange(context, trx, before, after, passwordHash !== null)
    })
    .catch((error: unknown) => {
      throw takenOr(error)
    })
  return readUser(context, id)
}

/** Notifies the user, at the old and new address, of an administrator's change. */
async function announceChange(
  context: AccountContext,
  trx: Executor,
  before: UserRow,
  after: UserRow,
  newPassword: boolean,
): Promise<void> {
  const { mail, installation } = context
  const { id, username, email } = after
  if (email !== before.email) {
    if (before.email !== null)
      await mail.send(trx, before.email, emailChangedMail(installation.url, username))
    if (email !== null) await askToConfirm(context, trx, after, email)
  }
  if (newPassword) {
    // The administrator's location is not shown to the user.
    const metadata = { username, ip: null }
    await announce(trx, 'account.password_changed', { metadata, actorId: null, userIds: [id] })
    if (email !== null) await mail.send(trx, email, passwordChangedMail(installation.url, username))
  }
}

function columnsOf(
  before: UserRow,
  { role, email, displayName, disabled }: UserChanges,
  passwordHash: string | null,
): Updateable<UsersTable> {
  const address = email?.toLowerCase() ?? null
  const isDisabled = before.disabled_at !== null
  return {
    ...(role !== undefined && { role }),
    // An address entered by an administrator is unverified until its owner confirms it.
    ...(email !== undefined && address !== before.email && { email: address, email_verified: false }),
    ...(displayName !== undefined && { display_name: displayName }),
    ...(disabled !== undefined && disabled !== isDisabled && { disabled_at: disabled ? new Date() : null }),
    ...(passwordHash !== null && { password_hash: passwordHash }),
  }
}

async function recordChange(trx: Executor, caller: Caller, before: UserRow, after: UserRow): Promise<void> {
  const view = ({ email, email_verified, role, display_name, disabled_at }: UserRow) => ({
    email,
    emailVerified: email_verified,
    role,
    displayName: display_name,
    disabled: disabled_at !== null,
  })
  const changed = differences(view(before), view(after))
  if (Object.keys(changed.after).length > 0) {
    await recordAudit(trx, caller, { action: 'user.updated', target: target(after), ...changed })
  }
}

/** Locks the enabled administrators who are people; one must remain besides the user being removed. */
export function refuseLastAdministrator(administrators: { id: string }[], id: string): void {
  if (administrators.length === 1 && administrators[0]?.id === id) {
    throw conflict('This is the last enabled administrator who can sign in; create another one first', {
      reason: 'last_administrator',
    })
  }
}

/** Ends all sessions of the user. */
export async function endSessionsOf(
  { db, events }: AccountContext,
  caller: Caller,
  id: string,
): Promise<void> {
  await events.transaction(db, async (trx, tell) => {
    const user = await lockUser(trx, id)
    if (!user) throw notFound('user', id)
    const sessionIds = await endSignIns(trx, id)
    if (sessionIds.length > 0) tell('session.ended', { sessionIds })
    await recordAudit(trx, caller, {
      action: 'user.sessions_ended',
      target: target(user),
      before: { sessions: sessionIds.length },
    })
  })
}

/**
 * Removes all second factors and passkeys of a user who lost them, and notifies the user by email.
 * Administrators who must have a second factor can't remove their own (409).
 */
export async function removeSecondFactors(
  { db, events, mail, installation }: AccountContext,
  caller: Caller,
  id: string,
): Promise<void> {
  await events.transaction(db, async (trx, tell) => {
    await lockUser(trx, id)
    const user = await findUserView(trx, id)
    if (!user) throw notFound('user', id)
    const { role, account_kind: kind } = user
    if (id === caller.userId && requiresFactor(installation.requireSecondFactor, { role, kind })) {
      throw conflict('Your account must have a second factor; another administrator can remove it', {
        reason: 'second_factor_required',
      })
    }
    await deleteSecondFactors(trx, id)
    await recordAudit(trx, caller, {
      action: 'user.second_factor_removed',
      target: target(user),
      before: { methods: toUser(user).twoFactor.methods },
    })
    if (user.email !== null) {
      await mail.send(trx, user.email, factorsRemovedMail(installation.url, user.username))
    }
    tell('user.changed', { userId: id })
  })
}
