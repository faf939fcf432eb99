import type { Executor } from '../../../db/connection/connect.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { forbidden } from '../../../plugins/http/errors.ts'
import { announceAll } from '../../../plugins/events/outbox/announce.ts'
import { newEvent } from '../../../plugins/events/outbox/event.ts'
import type { NameChallenge } from '../../../schemas/name-challenge.ts'
import type { DomainContext } from '../context.ts'
import { findNamesakes, hasNamesakes, lockNames, type Namesake } from './namesake-queries.ts'

/**
 * Whoever manages a zone here controls the names in it. So a name that equals, contains or lies below another
 * user's domain can be registered only by an administrator, or by a user who proves control of the name in
 * public DNS.
 *
 * The refusal is the same in all three cases and says nothing about the other domain except that one
 * overlaps. Below a managed domain every name is refused alike, so nobody learns which names exist there.
 */
const LABEL = '_zonekeeper-challenge'
const PREFIX = 'zonekeeper-verification='

type ProofContext = Pick<DomainContext, 'db' | 'installation' | 'publicDns' | 'secrets' | 'log'>

/** Returns whether the caller has proved control of the name. Rejects with 403 if proof is required and missing. */
export async function proveName(context: ProofContext, caller: Caller, name: string): Promise<boolean> {
  if (!isDemanded(context, caller)) return true
  if (!(await hasNamesakes(context.db, caller.userId, name))) return false
  const challenge = challengeOf(context, caller, name)
  const found = await lookUp(context, challenge)
  if (found !== 'proof') throw proofRequired(name, { ...challenge, found })
  return true
}

/**
 * Locks the name for the registering transaction and returns overlapping domains of other users. Rejects with 403 if
 * one was registered since `proveName`.
 */
export async function holdName(
  trx: Executor,
  context: ProofContext,
  caller: Caller,
  { name, isProven }: { name: string; isProven: boolean },
): Promise<Namesake[]> {
  await lockNames(trx, name)
  const others = await findNamesakes(trx, caller.userId, name)
  if (others.length > 0 && !isProven)
    throw proofRequired(name, { ...challengeOf(context, caller, name), found: 'none' })
  return others
}

/** Notifies the owners of the other domains, each about one of their own. */
export const tellNamesakes = (
  trx: Executor,
  caller: Caller,
  registeredName: string,
  namesakes: readonly Namesake[],
): Promise<void> =>
  announceAll(
    trx,
    namesakes.map(({ id, name, owner_id }) =>
      newEvent('domain.overlapped', {
        metadata: { domainId: id, domainName: name, registeredName, username: caller.username },
        actorId: caller.userId,
        userIds: [owner_id],
      }),
    ),
  )

const isDemanded = ({ installation }: ProofContext, { role }: Caller) =>
  installation.namesakes === 'prove' && role !== 'admin'

/** Depends on SECRET_KEY, so replacing the key changes it. */
const challengeOf = ({ secrets }: ProofContext, { userId }: Caller, name: string) => ({
  name: `${LABEL}.${name}`,
  type: 'TXT' as const,
  value: PREFIX + secrets.derive('name proof', `${userId} ${name}`),
})

async function lookUp(
  { publicDns, log }: ProofContext,
  { name, value }: { name: string; value: string },
): Promise<NameChallenge['found'] | 'proof'> {
  try {
    const texts = await publicDns.texts(name)
    if (texts.some((text) => text.trim() === value)) return 'proof'
    return texts.length === 0 ? 'none' : 'other'
  } catch (error) {
    log.warn({ err: error, name }, 'name proof lookup failed')
    return 'unanswered'
  }
}

const FOUND: Record<NameChallenge['found'], string> = {
  none: 'This record does not exist in public DNS yet',
  other: 'This record has another value in public DNS',
  unanswered: 'The DNS lookup of this record failed',
}

const proofRequired = (name: string, challenge: NameChallenge) =>
  forbidden(
    `${name} overlaps with another user's domain. To prove that you control it, publish the TXT record ${challenge.name} with the value ${challenge.value} and try again, or ask an administrator. ${FOUND[challenge.found]}`,
    {
      reason: 'name_proof_required',
      params: { name, record: challenge.name, value: challenge.value },
      challenge,
    },
  )
