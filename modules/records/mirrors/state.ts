import type { Executor } from '../../../db/connection/connect.ts'
import { announce } from '../../../plugins/events/outbox/announce.ts'
import type { DomainRow } from '../../domains/access/access.ts'
import { findMirrorById, updateMirror, type QueuedMirror } from './queries.ts'

export type MirrorState = 'in_step' | 'behind' | 'failed' | 'differs'

/** A mirror that has waited this long for a change is announced. */
export const LONG_BEHIND_SECONDS = 900

/** How a mirror relates to its domain. */
export function stateOf({ failed, behind, lacks, differences }: QueuedMirror): MirrorState {
  if (failed) return 'failed'
  if (behind > 0) return 'behind'
  return lacks || (differences ?? 0) > 0 ? 'differs' : 'in_step'
}

/**
 * Announces a state that people should know of, once, and its end. In the transaction that changed the mirror, which locks
 * its row.
 */
export async function announceState(
  trx: Executor,
  mirrorId: string,
  {
    domain,
    provider,
    isLong = false,
  }: { domain: Pick<DomainRow, 'id' | 'name'>; provider: string; isLong?: boolean },
): Promise<void> {
  const mirror = await findMirrorById(trx, mirrorId)
  if (!mirror) return
  const state = stateOf(mirror)
  const about = { domainId: domain.id, domainName: domain.name, mirrorId, provider }
  const by = { actorId: null }
  const told = async (announced: QueuedMirror['announced']) => updateMirror(trx, mirrorId, { announced })
  if (state === 'failed' && mirror.announced !== 'failed') {
    await told('failed')
    const { error, error_code: errorCode } = mirror
    const failure = { error: error ?? '', errorCode, errorParams: null }
    await announce(trx, 'domain.mirror_failed', { metadata: { ...about, ...failure }, ...by })
  } else if (state === 'behind' && isLong && mirror.announced === null) {
    await told('behind')
    const since = mirror.behind_since?.toISOString() ?? ''
    const metadata = { ...about, changes: mirror.behind, since, error: mirror.error }
    await announce(trx, 'domain.mirror_behind', { metadata, ...by })
  } else if (state === 'differs' && mirror.announced !== 'differs') {
    await told('differs')
    const missing = mirror.findings.filter((finding) => finding.missing).length
    const differences = Math.max(missing, mirror.differences ?? 0)
    await announce(trx, 'domain.mirror_differs', { metadata: { ...about, differences }, ...by })
  } else if (state === 'in_step' && mirror.announced !== null) {
    await told(null)
    await announce(trx, 'domain.mirror_in_step', { metadata: about, ...by })
  }
}
