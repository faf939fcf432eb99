import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import { violates } from '../../../../db/connection/errors.ts'
import { toAsciiName } from '../../../../dns/names/names.ts'
import {
  findLackingFactor,
  secondFactorRequired,
  unauthenticated,
  type Caller,
} from '../../../../plugins/security/access/index.ts'
import { mayComeFrom } from '../../../../plugins/security/access/token-grant.ts'
import { conflict, notFound } from '../../../../plugins/http/errors.ts'
import { recordScopeOf } from '../../../domains/access/access.ts'
import { recordAudit } from '../../../audit/service.ts'
import type { RecordContext } from '../../../records/service.ts'
import { CHALLENGE_LABEL, CHALLENGE_VALUE } from '../challenge.ts'
import { chosen, mayPlace, writable } from '../places.ts'
import { findDomains, findPlaces, findTexts, type FoundPlace } from '../queries.ts'
import { adoptTexts, changeTexts, refuseHidden } from '../service.ts'
import { badDomain, badRange, badValue, refused } from './errors.ts'
import {
  deleteRegistration,
  findOutdated,
  findRegistration,
  insertRegistration,
  registrationsOf,
  rememberValue,
  type Registration,
} from './queries.ts'

const MAX_REGISTRATIONS = 1_000

/** 40 characters of base64url, as in acme-dns. */
const PASSWORD_BYTES = 30
const PASSWORD = /^[A-Za-z0-9_-]{40}$/

const VALUE = new RegExp(CHALLENGE_VALUE)

/**
 * Creates a name for challenges below `base`, with credentials that can only set its TXT records. They are valid as long as
 * the token or session that created them. `base` is a name in a domain where the caller may write; by default the only
 * domain that they see.
 */
export async function register(
  context: RecordContext,
  caller: Caller,
  { base, allowfrom }: { base: string | undefined; allowfrom: string[] },
) {
  const { db, secrets } = context
  const bad = allowfrom.findIndex((range) => !ipaddr.isValidCIDR(range))
  if (bad >= 0) throw badRange(bad)
  const subdomain = randomUUID()
  const name = `${CHALLENGE_LABEL}.${subdomain}.${await baseOf(context, caller, base)}`
  const place = await placeOf(context, caller, name)
  await refuseHidden(context, place, recordScopeOf(place, caller))
  const id = uuidv7()
  const password = randomBytes(PASSWORD_BYTES).toString('base64url')
  await db.transaction().execute(async (trx) => {
    const row = {
      id,
      user_id: caller.userId,
      token_id: caller.token?.id ?? null,
      session_id: caller.token === null ? caller.sessionId : null,
      domain_id: place.domainId,
      name: place.host,
      subdomain,
      secret_hash: secrets.digest(password),
      allow_from: allowfrom,
      last_used_at: null,
    }
    const isRoom = await insertRegistration(trx, row, MAX_REGISTRATIONS).catch((error: unknown) => {
      throw violates(error, 'foreignKey') ? endedMeanwhile() : error
    })
    if (!isRoom) {
      throw conflict(`You have ${MAX_REGISTRATIONS} registrations, which is the limit; delete one first`, {
        reason: 'too_many_registrations',
        params: { maximum: MAX_REGISTRATIONS },
      })
    }
    await recordAudit(trx, caller, {
      action: 'acme_registration.created',
      target: { type: 'acme_registration', id, name },
      after: { domainId: place.domainId, allowfrom },
    })
  })
  return { username: id, password, fulldomain: name, subdomain, allowfrom }
}

const endedMeanwhile = () => unauthenticated('The token, the session or the domain was just removed')

async function baseOf({ db }: RecordContext, caller: Caller, base: string | undefined): Promise<string> {
  if (base !== undefined) {
    const read = toAsciiName(base)
    if (!read.ok) throw badDomain(read.reason)
    return read.name
  }
  const [only, another] = await findDomains(db, caller, 2)
  if (only && (!another || (only.own && !another.own))) return only.name
  throw badDomain(
    'must be in the path, /api/v1/acme-dns/<domain>/register, because the token covers more than one domain',
  )
}

const placeOf = async ({ db }: RecordContext, caller: Caller, name: string): Promise<FoundPlace> =>
  writable(chosen(await findPlaces(db, caller, name), caller, name), caller)

/**
 * Sets a value at the name of a registration and keeps the previous one, because a certificate for a name and its wildcard
 * needs two. Resolves after the provider has it. The current permissions of user and token apply.
 */
export async function update(
  context: RecordContext,
  { user, key }: { user: string | undefined; key: string | undefined },
  { subdomain, txt }: { subdomain: string; txt: string },
  from: { ip: string; requestId: string },
): Promise<{ txt: string }> {
  const registration = await authenticate(context, user, key)
  if (!registration) throw refused()
  const { id, restrictions, permissions, allow_from: allowFrom } = registration
  const fromThere =
    mayComeFrom(from.ip, restrictions ?? {}) &&
    (allowFrom.length === 0 || mayComeFrom(from.ip, { ipRanges: allowFrom }))
  const isPermitted = permissions === null || permissions.includes('acme:challenge')
  if (!fromThere || !isPermitted || subdomain !== registration.subdomain) throw refused()
  const { user_id: userId } = registration
  const lacking = await findLackingFactor(context.db, context.installation.requireSecondFactor, [userId])
  if (lacking.has(userId)) throw secondFactorRequired()
  if (!VALUE.test(txt)) throw badValue()
  // Without naming the record that hides it: the credentials cover only this name.
  await refuseHidden(context, registration)
  await rememberValue(context.db, id, txt)
  const caller = callerOf(registration, from)
  await adoptTexts(context, caller, registration)
  const remove = await findOutdated(context.db, registration)
  await changeTexts(context, caller, registration, { add: txt, remove, exact: true })
  return { txt }
}

/** Returns the registration of the credentials; null if they are wrong. */
export async function authenticate(
  { db, secrets, installation }: RecordContext,
  user = '',
  key = '',
): Promise<Registration | null> {
  if (!isUuid(user) || !PASSWORD.test(key)) return null
  const registration = await findRegistration(db, user, installation.maxTokenDays)
  const isRight = registration && timingSafeEqual(registration.secret_hash, secrets.digest(key))
  return isRight ? registration : null
}

const callerOf = (
  {
    user_id: userId,
    username,
    role,
    token_id: id,
    token_name,
    token_suffix,
    permissions,
    restrictions,
  }: Registration,
  from: { ip: string; requestId: string },
): Caller => ({
  userId,
  username,
  role,
  sessionId: '',
  token:
    id === null
      ? null
      : {
          id,
          name: token_name ?? '',
          suffix: token_suffix,
          permissions: permissions ?? [],
          restrictions: restrictions ?? {},
        },
  origin: 'acme',
  ...from,
})

/** Lists the caller's registrations; for a token, those it created. */
export async function listRegistrations({ db }: RecordContext, caller: Caller) {
  const rows = await registrationsOf(db, caller)
  return {
    registrations: rows.map((row) => ({
      id: row.id,
      domainId: row.domain_id,
      fulldomain: `${row.name}.${row.domain_name}`,
      subdomain: row.subdomain,
      allowfrom: row.allow_from,
      tokenId: row.token_id,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
    })),
  }
}

/** Deletes a registration, then its TXT records if the caller may still write them. */
export async function endRegistration(context: RecordContext, caller: Caller, id: string): Promise<void> {
  const { db } = context
  const { name, domainId } = await db.transaction().execute(async (trx) => {
    const deleted = await deleteRegistration(trx, caller, id)
    if (!deleted) throw notFound('registration', id)
    const fulldomain = `${deleted.name}.${deleted.domain_name}`
    await recordAudit(trx, caller, {
      action: 'acme_registration.deleted',
      target: { type: 'acme_registration', id, name: fulldomain },
    })
    return { name: fulldomain, domainId: deleted.domain_id }
  })
  const places = await findPlaces(db, caller, name)
  for (const place of places.filter((found) => found.domainId === domainId && isOpen(found, caller))) {
    await adoptTexts(context, caller, place)
    const remove = (await findTexts(db, place)).map((text) => text.id)
    if (remove.length > 0) await changeTexts(context, caller, place, { add: null, remove, exact: true })
  }
}

const isOpen = (place: FoundPlace, caller: Caller) => place.reached && mayPlace(place, caller)
