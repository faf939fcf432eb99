import type { Kysely } from 'kysely'
import type { Database } from '../../../db/tables/index.ts'
import { AppError, conflict } from '../../../plugins/http/errors.ts'
import { levelOf } from '../../../plugins/http/logging.ts'
import { announce } from '../../../plugins/events/outbox/announce.ts'
import { SERVICE, SYSTEM } from '../../../plugins/security/access/index.ts'
import type { QueueOptions } from '../../../plugins/work/queue.ts'
import { recordAudit } from '../../audit/service.ts'
import { requireDomain } from '../../domains/access/access.ts'
import { applyChanges } from '../apply/apply.ts'
import { requireReachable } from '../apply/provider/reachable.ts'
import type { RecordContext } from '../context.ts'
import { isPassing } from '../errors.ts'
import { isSwitchedSinceChange } from '../history/history-queries.ts'
import { toRequest } from '../history/states.ts'
import { auditOf } from '../scheduled/schedule.ts'
import {
  claimDue,
  findChangeToRevert,
  findSettledReverts,
  markEnded,
  markWarned,
  putOff,
  renewConfirmations,
  startClocks,
  takeUnconfirmed,
  type ConfirmationRow,
  type DueRow,
} from './queries.ts'
import { sinceChange, toLeft, type Since } from './since.ts'
import { pauseAfter } from './times.ts'

const CONCURRENCY = 4
const POLL_SECONDS = 1
const SETTLED_AT_ONCE = 100

/** The queue of changes that nobody has confirmed yet: warns at half the time, and reverts them at its end. */
export const confirmationQueue = (context: RecordContext): QueueOptions<DueRow> => ({
  name: 'confirmations',
  concurrency: CONCURRENCY,
  pollSeconds: POLL_SECONDS,
  claim: (limit) => claimDue(context.db, limit),
  renew: (rows) =>
    renewConfirmations(
      context.db,
      rows.map(({ change_id }) => change_id),
    ),
  run: (row) => (row.is_over ? takeBack(context, row) : warn(context.db, row)),
})

async function warn(db: Kysely<Database>, row: DueRow): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const change = await findChangeToRevert(trx, row.change_id)
    if (!change || !(await markWarned(trx, row.change_id))) return
    await announce(trx, 'change.unconfirmed', { metadata: metadataOf(change, row), actorId: null })
  })
}

type RevertedChange = NonNullable<Awaited<ReturnType<typeof findChangeToRevert>>>

const metadataOf = (change: RevertedChange, { confirm_by }: ConfirmationRow) => ({
  domainId: change.domain_id,
  domainName: change.name,
  changeId: change.id,
  author: change.actor_name,
  confirmBy: confirm_by?.toISOString() ?? '',
})

/**
 * Reverts what is still as the change left it, as a change of its own. The wait is taken in the transaction that opens the
 * revert, so either that or a confirmation wins. Made by the service: the author may have lost their permission since.
 */
async function takeBack(context: RecordContext, row: DueRow): Promise<void> {
  const { change_id: changeId, domain_id: domainId } = row
  const change = await findChangeToRevert(context.db, changeId)
  if (!change) return
  try {
    const { open } = await sinceChange(context.db, domainId, changeId)
    const domain = await requireDomain(context.db, SERVICE, domainId, 'write')
    await requireReachable(context, domain, open.map(toLeft))
    const isForeign = await isSwitchedSinceChange(context.db, change)
    const take = async (trx: Kysely<Database>, revertId: string) => {
      if (!(await takeUnconfirmed(trx, changeId, revertId))) throw decided()
    }
    const requests = open.flatMap((item) => requestsOf(item, isForeign))
    const applied = await applyChanges(context, SERVICE, domainId, {
      kind: 'requests',
      source: 'revert',
      verbatim: true,
      // What others change meanwhile is left alone.
      separate: true,
      requests,
      awaited: { kind: 'unconfirmed', id: changeId, take },
    })
    if (applied.changeId === null) await endWithout(context, row)
  } catch (error) {
    await noteFailure(context, row, error)
  }
  await settleReverts(context, changeId)
}

/** With the version that was looked at, so that a newer change is not overwritten. */
const requestsOf = (item: Since['open'][number], isForeign: boolean) =>
  toRequest(item.record_id, item.current, item.before, isForeign).map((request) =>
    request.action === 'create' || item.version === null ? request : { ...request, version: item.version },
  )

const decided = () =>
  conflict('This change no longer waits for a confirmation', { reason: 'not_unconfirmed' })

async function noteFailure(context: RecordContext, row: ConfirmationRow, error: unknown): Promise<void> {
  const { change_id: changeId, tries } = row
  if (!(error instanceof AppError))
    context.log[levelOf(error)]({ err: error, changeId }, 'unconfirmed change not reverted yet')
  if (isPassing(error) && (await putOff(context.db, row, pauseAfter(tries + 1)))) return
  await endWithout(context, row)
}

/** Ends the wait of a change that no revert was made for. */
async function endWithout(context: RecordContext, row: ConfirmationRow): Promise<void> {
  const since = await sinceChange(context.db, row.domain_id, row.change_id)
  const isBack = since.open.length === 0 && since.changed.length === 0
  await end(context, row, isBack ? 'reverted' : 'not_reverted', since, null)
}

/** Ends the wait of changes whose revert has an outcome, or tries the revert again. `changeId`: only that one. */
export async function settleReverts(context: RecordContext, changeId?: string): Promise<void> {
  for (const row of await findSettledReverts(context.db, SETTLED_AT_ONCE, changeId)) {
    const since = await sinceChange(context.db, row.domain_id, row.change_id)
    const isOwn = row.reverted_by === null
    if (since.open.length === 0) {
      await end(context, row, 'reverted', since, isOwn ? row.revert_change_id : undefined)
    } else if (!(await putOff(context.db, row, isOwn ? pauseAfter(row.tries) : 0))) {
      await end(context, row, 'not_reverted', since, null)
    }
  }
}

/** `revertId`: the revert by the service; null without one; undefined if a user has reverted it and knows. */
async function end(
  { db }: RecordContext,
  row: ConfirmationRow,
  how: 'reverted' | 'not_reverted',
  { open, changed }: Since,
  revertId: string | null | undefined,
): Promise<void> {
  const left = (how === 'reverted' ? changed : [...open, ...changed]).map(toLeft)
  await db.transaction().execute(async (trx) => {
    const change = await findChangeToRevert(trx, row.change_id)
    if (!change || !(await markEnded(trx, row, how, left)) || revertId === undefined) return
    if (revertId === null && how === 'reverted') return
    const metadata = {
      ...metadataOf(change, row),
      revertId,
      left: left.slice(0, MAX_TOLD).map(({ name, type }) => ({ name, recordType: type })),
    }
    const { domain_id: id, name } = change
    if (how === 'reverted')
      await recordAudit(
        trx,
        SYSTEM,
        auditOf('change.reverted', { id, name }, { changeId: row.change_id, revertId, left: left.length }),
      )
    await announce(trx, `change.${how}`, { metadata, actorId: null })
  })
}

/** Most records that an event names. */
const MAX_TOLD = 20

/** Lets the time of applied changes run, and ends that of reverted ones; in the background, for instances that died. */
export async function settleConfirmations(context: RecordContext): Promise<void> {
  await startClocks(context.db)
  await settleReverts(context)
}
