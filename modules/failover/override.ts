import { conflict, forbidden } from '../../plugins/http/errors.ts'
import { keepingResult } from '../../plugins/http/idempotency/key.ts'
import type { Caller } from '../../plugins/security/access/index.ts'
import { awaitsApproval } from './approval.ts'
import { healthBy } from './deciding/decision.ts'
import { votesOf } from './deciding/evaluate.ts'
import { approveMonitor, findServed, holdMonitor, resumeMonitor } from './deciding/state-queries.ts'
import { switchTo } from './deciding/switch.ts'
import { findTally } from './deciding/tally-queries.ts'
import { isPerson } from './queries.ts'
import { servedAmong } from './served.ts'
import {
  auditedOf,
  noteAudit,
  readMonitor,
  requireIdle,
  requireMonitor,
  requireRevision,
  requireWritable,
  type SettingsContext,
} from './service.ts'
import { mayWrite } from './mapper.ts'

/* What people decide about a monitor. */

/**
 * Switches to an alternative, and stays there until somebody resumes the monitor. Rejects with 409 if the alternative is down
 * by its checks, unless `force`.
 */
export async function switchByHand(
  context: SettingsContext,
  caller: Caller,
  id: string,
  { to: wanted, force = false }: { to: string; force?: boolean },
) {
  const { db, times } = context
  const row = await requireWritable(db, caller, id)
  if (awaitsApproval(row))
    throw conflict('A second person must approve the alternatives first', { reason: 'failover_unapproved' })
  requireIdle(row)
  const to = row.alternatives.findIndex(({ name }) => name === wanted)
  if (to === -1)
    throw conflict(`There is no alternative ${wanted}`, {
      reason: 'failover_values',
      params: { name: row.name, recordType: row.type },
    })
  const tally = await findTally(db, id, times)
  const votes = tally && votesOf(tally)[to]
  if (!force && tally && votes && healthBy(votes, tally.living) === 'down')
    throw conflict(`${wanted} fails its checks; with \`force\` it is served anyway`, {
      reason: 'failover_failing',
      params: { name: wanted },
    })
  if (to !== row.active) {
    const attempt = await switchTo(context, caller, row, { to, by: 'hand' })
    if (attempt === 'records_changed')
      throw conflict(`The records of ${row.name} ${row.type} were changed by somebody else; resume first`, {
        reason: 'failover_values',
        params: { name: row.name, recordType: row.type },
      })
    if (attempt === 'not_taken' || attempt === 'busy')
      throw conflict('A switch is in progress; try again', { reason: 'failover_busy' })
  }
  return keepingResult(db, caller, async (trx) => {
    const now = await requireWritable(trx, caller, id, { lock: true })
    if (to === row.active) await holdMonitor(trx, id)
    await noteAudit(trx, caller, 'failover.switched', auditedOf(now), { to: wanted })
    return readMonitor(context, trx, caller, id)
  })
}

/** Ends automatic switching until somebody resumes it. */
export const pauseByHand = (context: SettingsContext, caller: Caller, id: string) =>
  keepingResult(context.db, caller, async (trx) => {
    const row = await requireWritable(trx, caller, id, { lock: true })
    await holdMonitor(trx, id)
    await noteAudit(trx, caller, 'failover.paused', auditedOf(row))
    return readMonitor(context, trx, caller, id)
  })

/** Lets it switch automatically again, from the alternative that is served now. Rejects with 409 if none is. */
export const resume = (context: SettingsContext, caller: Caller, id: string) =>
  keepingResult(context.db, caller, async (trx) => {
    const row = await requireWritable(trx, caller, id, { lock: true })
    requireIdle(row)
    const active = servedAmong(await findServed(trx, row), row.alternatives)
    if (active === null)
      throw conflict(
        `The records of ${row.name} ${row.type} match no alternative; change them or the monitor`,
        { reason: 'failover_values', params: { name: row.name, recordType: row.type } },
      )
    await resumeMonitor(trx, id, active)
    await noteAudit(trx, caller, 'failover.resumed', auditedOf(row))
    return readMonitor(context, trx, caller, id)
  })

/** Approves the alternatives and the check of a revision, where the domain requires a review. */
export const approve = (context: SettingsContext, caller: Caller, id: string, revision: number) =>
  keepingResult(context.db, caller, async (trx) => {
    const row = await requireMonitor(trx, caller, id, { lock: true })
    if (row.author_id === caller.userId)
      throw conflict('A failover monitor must be approved by another person than its author', {
        reason: 'own_monitor',
      })
    if (!mayWrite(row, caller)) throw forbidden('You need write permission for what the monitor switches')
    // A person could approve their own monitor through a machine account that they hold a token of.
    if (!(await isPerson(trx, caller.userId))) throw forbidden('Only a person can approve a failover monitor')
    requireRevision(row, revision)
    await approveMonitor(trx, id, caller)
    await noteAudit(trx, caller, 'failover.approved', auditedOf(row), { revision })
    return readMonitor(context, trx, caller, id)
  })
