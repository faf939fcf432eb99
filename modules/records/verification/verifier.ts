import { levelOf } from '../../../plugins/http/logging.ts'
import type { CheckedServer } from '../../../db/tables/index.ts'
import { rrsetKey, type RRsetKey } from '../../../dns/names/rrset.ts'
import { announce } from '../../../plugins/events/outbox/announce.ts'
import type { Dns } from '../../../plugins/outbound/dns/index.ts'
import type { Held } from '../../../plugins/work/leases.ts'
import type { QueueOptions } from '../../../plugins/work/queue.ts'
import type { RecordContext } from '../context.ts'
import { decidingNames, expectedOf, isSameExpectation, type Expected } from './expected.ts'
import {
  claimDue,
  findDueDomains,
  findVerifiedDomain,
  hasFailedBefore,
  isAnyLocked,
  recordsAt,
  releaseVerifications,
  storeRound,
  touchedRRsets,
  unmanagedAt,
  type DueVerification,
  type VerificationRow,
} from './queries.ts'
import { askServers } from './round.ts'
import type { NameServers } from './servers.ts'
import { isGivenUp, LONGEST_PAUSE_SECONDS, pauseAfter } from './times.ts'
import { areAgreed, areIncomparable, verdictOf } from './verdict.ts'

/** Domains that are verified at the same time on one instance; nearly all of it is waiting for answers. */
const CONCURRENCY = 16
const POLL_SECONDS = 1

export interface VerifierContext extends Pick<RecordContext, 'db' | 'providerRegistry' | 'log'> {
  dns: Dns
  nameServers: NameServers
  /** Verifications this instance is working on. */
  openVerifications: Held
}

type VerifiedDomain = NonNullable<Awaited<ReturnType<typeof findVerifiedDomain>>>

/** The queue of domains with changes to verify: what is due is asked together. */
export const verificationQueue = (context: VerifierContext): QueueOptions<string> => ({
  name: 'verifications',
  concurrency: CONCURRENCY,
  pollSeconds: POLL_SECONDS,
  dueTimes: [{ table: 'verifications', column: 'due_at', longest: LONGEST_PAUSE_SECONDS }],
  claim: (limit, running) => findDueDomains(context.db, { except: running, limit }),
  run: (domainId, { stopping }) => verifyDomain(context, domainId, stopping),
  async backoff(domainId, error) {
    context.log[levelOf(error)]({ err: error, domainId }, 'changes not verified')
    return 'later'
  },
})

async function verifyDomain(
  context: VerifierContext,
  domainId: string,
  stopping: AbortSignal,
): Promise<void> {
  const { db, openVerifications } = context
  const rows = await claimDue(db, domainId)
  const ids = rows.map(({ change_id }) => change_id)
  for (const id of ids) openVerifications.add(id)
  try {
    const domain = rows.length > 0 ? await findVerifiedDomain(db, domainId) : undefined
    if (domain) await makeRound(context, domain, rows, stopping)
  } catch (error) {
    if (!stopping.aborted) throw error
    await releaseVerifications(db, ids)
  } finally {
    for (const id of ids) openVerifications.delete(id)
  }
}

/** What a round found out about the domain. */
interface Round {
  domain: VerifiedDomain
  servers: CheckedServer[]
  expected: ReadonlyMap<string, Expected>
  /** The records changed meanwhile, or are about to: what differs may be right already. */
  isMoving: boolean
}

async function makeRound(
  context: VerifierContext,
  domain: VerifiedDomain,
  rows: readonly DueVerification[],
  stopping: AbortSignal,
): Promise<void> {
  const { db, dns } = context
  const ids = rows.map(({ change_id }) => change_id)
  const touched = await touchedRRsets(db, domain.id, ids)
  // Records that exist only here are served elsewhere, from another source.
  const isLocal = context.providerRegistry.byId(domain.provider_id)?.capabilities.truth === 'local'
  const current = touched.filter(({ is_replaced }) => !is_replaced)
  const wanted = isLocal ? [] : await expectations(context, domain, current)
  const servers = wanted.length > 0 ? await serversOf(context, domain, stopping) : []
  const checked = await askServers(dns, servers, wanted, stopping)
  const isMoving =
    !isSameExpectation(wanted, isLocal ? [] : await expectations(context, domain, current)) ||
    (await isAnyLocked(
      db,
      domain.id,
      wanted.map(({ name }) => name),
    ))
  const expected = new Map(wanted.map((rrset) => [rrsetKey(rrset), rrset]))
  const round = { domain, servers: checked, expected, isMoving }
  const byChange = Map.groupBy(touched, ({ change_id }) => change_id)
  for (const row of rows) await finish(context, round, row, byChange.get(row.change_id) ?? [])
}

async function expectations(
  { db }: VerifierContext,
  { id, name }: VerifiedDomain,
  keys: readonly RRsetKey[],
) {
  const distinct = new Map(keys.map((key) => [rrsetKey(key), key]))
  const names = decidingNames(keys.map((key) => key.name))
  const [held, unmanaged] = await Promise.all([recordsAt(db, id, names), unmanagedAt(db, id, names)])
  return expectedOf(name, [...distinct.values()], held, unmanaged)
}

async function serversOf(
  { db, nameServers }: VerifierContext,
  { id, name, verify_servers: verifyServers, name_servers: ofConnection }: VerifiedDomain,
  signal: AbortSignal,
) {
  const atApex = (await recordsAt(db, id, ['@'])).filter(({ type, enabled }) => type === 'NS' && enabled)
  const namedServers = atApex.length > 0 ? atApex.map(({ value }) => value) : ofConnection
  return nameServers.of({ name, verifyServers, namedServers }, signal)
}

/** Stores what the round means for one change, and announces a failure. */
async function finish(
  { db }: VerifierContext,
  { domain, servers, expected, isMoving }: Round,
  row: DueVerification,
  touched: readonly (RRsetKey & { is_replaced: boolean })[],
): Promise<void> {
  const keys = new Set(touched.filter(({ is_replaced }) => !is_replaced).map(rrsetKey))
  const isOwn = (key: RRsetKey) => keys.has(rrsetKey(key))
  const compared = [...keys].some((key) => expected.has(key))
  const own = compared ? servers.map((server) => ({ ...server, other: server.other.filter(isOwn) })) : []
  const verdicts = own.map((server) => verdictOf(server, isOwn))
  const rounds = row.rounds + 1
  const reached = row.reached || own.some(({ state }) => !['no_answer', 'unavailable'].includes(state))

  const status = (): VerificationRow['status'] => {
    if (keys.size === 0) return 'superseded'
    if (!compared || areIncomparable(own, verdicts)) return 'not_comparable'
    if (areAgreed(verdicts)) return 'verified'
    if (isGivenUp({ rounds, reached }, domain.verify === 'require')) return 'unreachable'
    if (!row.is_over || isMoving) return 'waiting'
    return reached ? 'failed' : 'unreachable'
  }
  const result = { status: status(), servers: own, reached, pauseSeconds: pauseAfter(rounds) }
  await db.transaction().execute(async (trx) => {
    const isStored = await storeRound(trx, row, result)
    if (!isStored || result.status !== 'failed' || domain.verify === 'off') return
    // A zone that its servers never had is announced once, not with every change.
    if (await hasFailedBefore(trx, domain.id, row.change_id)) return
    const states = own.map(({ server }, i) => ({ server, state: verdicts[i]?.state }))
    const counted = states.filter(({ state }) => state !== 'not_comparable')
    const others = counted.filter(({ state }) => state !== 'agrees')
    const metadata = {
      domainId: domain.id,
      domainName: domain.name,
      changeId: row.change_id,
      agreeing: counted.length - others.length,
      servers: counted.length,
      others: [...new Set(others.map(({ server }) => server))],
    }
    await announce(trx, 'change.verification_failed', { metadata, actorId: null })
  })
}
