import type { Kysely } from 'kysely'
import { levelOf } from '../../../plugins/http/logging.ts'
import type { Database } from '../../../db/tables/index.ts'
import type { QueueOptions } from '../../../plugins/work/queue.ts'
import { ProviderError, type ProviderErrorKind } from '../../providers/contract.ts'
import { toldOf } from '../../providers/errors.ts'
import type { RecordContext } from '../context.ts'
import { READ_BUDGETS } from '../sync/zone-memory.ts'
import { findingColumns, updatedFindings } from './zones/findings.ts'
import { bringChange } from './one-change.ts'
import { openMirror, type OpenMirror } from './open.ts'
import { lockMirror, noteFailure, noteSuccess } from './queries.ts'
import {
  claimDueMirrors,
  endChange,
  endChangesUpTo,
  holdsMirror,
  nextChange,
  type QueuedChange,
} from './queue-queries.ts'
import { announceState } from './state.ts'
import { compareZone, sendComparison, type Comparison } from './zones/whole-zone.ts'

/** Mirrors that get changes at the same time on one instance. */
const CONCURRENCY = 8
const POLL_SECONDS = 1
const MAX_PAUSE_SECONDS = 60
const MAX_FAILED_PAUSE_SECONDS = 600
/** The longest that a provider may ask to wait. */
export const MAX_RETRY_AFTER_SECONDS = 3_600

/** Failures that a person has to end. */
const LASTING: ReadonlySet<ProviderErrorKind> = new Set([
  'auth',
  'forbidden',
  'not_found',
  'quota',
  'too_large',
  'rejected',
  'conflict',
])

/** Another instance has taken the mirror over because this one stood still. */
class LeaseLost extends Error {}

/** The queue of mirrors: the changes of each are applied there one after the other, in the order in which they were settled. */
export const mirrorQueue = (context: RecordContext): QueueOptions<string> => {
  const { db, leases, log } = context
  return {
    name: 'mirrors',
    concurrency: CONCURRENCY,
    pollSeconds: POLL_SECONDS,
    dueTimes: [{ table: 'mirrors', column: 'due_at', longest: MAX_RETRY_AFTER_SECONDS }],
    claim: (limit) => claimDueMirrors(db, limit, leases.holder),
    ...leases.ofQueue('mirror', (mirrorId: string) => mirrorId),
    run: (mirrorId, { stopping }) => catchUp(context, mirrorId, stopping),
    async backoff(mirrorId, error) {
      log[levelOf(error)]({ err: error, mirrorId }, 'mirror not updated')
      const failure = { error: 'The service failed', code: 'service_fault', failed: false }
      await noteFailure(db, mirrorId, { ...failure, seconds: MAX_PAUSE_SECONDS }).catch(() => {})
      await leases.end('mirror', mirrorId)
      return 'later'
    },
  }
}

/** Applies changes until none is left, one fails, or the service stops. */
async function catchUp(
  context: RecordContext,
  mirrorId: string,
  stopping: AbortSignal,
): Promise<'later' | void> {
  const { db, leases } = context
  const requireLease = async () => {
    if (!(await holdsMirror(db, mirrorId, leases.holder))) throw new LeaseLost()
  }
  while (!stopping.aborted) {
    const next = await nextChange(db, mirrorId)
    const open = next && (await openMirror(context, next))
    if (!open) return 'later'
    try {
      await (next.change_id === null ? bringZone : bringOne)(context, open, next, requireLease)
    } catch (error) {
      if (error instanceof LeaseLost) return 'later'
      if (!(error instanceof ProviderError)) throw error
      // Nothing was sent; another instance continues.
      if (!stopping.aborted) await storeFailure(db, open, error)
      return 'later'
    }
  }
}

type Work = (
  context: RecordContext,
  open: OpenMirror,
  next: QueuedChange,
  requireLease: () => Promise<void>,
) => Promise<void>

const bringOne: Work = async (context, open, next, requireLease) => {
  const { concerned, findings } = await bringChange(context, open, next, requireLease)
  await storeProgress(context.db, open, next.seq, updatedFindings(open.mirror, concerned, findings))
}

const bringZone: Work = async (context, open, next, requireLease) => {
  const mode = next.deletes > 0 ? 'replace' : 'merge'
  const comparison = await compareZone(context, open, mode, { budgets: READ_BUDGETS.background })
  const deletes = comparison.plan.steps.filter(({ action }) => action === 'delete').length
  if (deletes > next.deletes)
    throw new ProviderError(
      'rejected',
      `This would delete ${deletes} records there; compare and sync the mirror`,
    )
  await requireLease()
  const findings = await sendComparison(open, comparison)
  await storeWhole(context.db, open, comparison, findings)
}

/** Stores that a mirror holds what a comparison planned, and that it has got the changes up to then. */
export const storeWhole = (
  db: Kysely<Database>,
  open: OpenMirror,
  comparison: Comparison,
  findings: Comparison['findings'],
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    if (!(await lockMirror(trx, open.mirror.id))) return
    const { warnings } = comparison.plan
    const kept = warnings.reduce((sum, { code, params }) => sum + keptBy(code, params), 0)
    await endChangesUpTo(trx, open.mirror.id, comparison.upTo)
    const set = {
      ...findingColumns(findings),
      differences: kept,
      ...(comparison.nameServers.length > 0 && { name_servers: comparison.nameServers }),
    }
    await noteSuccess(trx, open.mirror.id, set, { applied: true, compared: true })
    await announceState(trx, open.mirror.id, { domain: open.domain, provider: open.host.provider.name })
  })

/** Records that exist only there and were kept. */
const keptBy = (code: string, params: Record<string, unknown>): number =>
  code === 'kept_there' ? 1 : code === 'more_kept_there' ? Number(params['count']) : 0

const storeProgress = (
  db: Kysely<Database>,
  { mirror, domain, host }: OpenMirror,
  seq: string,
  findings: ReturnType<typeof updatedFindings>,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    if (!(await lockMirror(trx, mirror.id))) return
    await endChange(trx, mirror.id, seq)
    await noteSuccess(trx, mirror.id, findings, { applied: true })
    await announceState(trx, mirror.id, { domain, provider: host.provider.name })
  })

const storeFailure = (
  db: Kysely<Database>,
  { mirror, domain, host }: OpenMirror,
  error: ProviderError,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    if (!(await lockMirror(trx, mirror.id))) return
    const failed = LASTING.has(error.kind)
    const usual = Math.min(
      failed ? MAX_FAILED_PAUSE_SECONDS : MAX_PAUSE_SECONDS,
      2 ** Math.min(mirror.tries, 10),
    )
    const seconds = Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(usual, error.retryAfter ?? 0))
    const { message, code } = toldOf(error)
    await noteFailure(trx, mirror.id, { error: message, code, failed, seconds })
    await announceState(trx, mirror.id, { domain, provider: host.provider.name })
  })
