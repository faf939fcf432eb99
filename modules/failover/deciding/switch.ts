import type { Executor } from '../../../db/connection/connect.ts'
import { AppError } from '../../../plugins/http/errors.ts'
import { levelOf } from '../../../plugins/http/logging.ts'
import { callerLater } from '../../../plugins/security/access/caller-later.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { applyChanges, changesIntent, isOutdated, type RequestedChange } from '../../records/service.ts'
import type { FailoverContext } from '../context.ts'
import { listServed, type MonitorRow, type ServedRow } from '../queries.ts'
import { isUnsettled, servedAmong } from '../served.ts'
import { announceTrouble } from './announcements.ts'
import { settle } from './settle.ts'
import { hasOtherRecords, noteProblem, pauseMonitor } from './state-queries.ts'
import { putOffSwitch, takeSwitch, type Switch } from './tally-queries.ts'

/** What became of an attempt. `not_taken`: another instance switched, or the situation has changed. */
export type Attempt = 'switched' | 'not_taken' | 'busy' | 'records_changed' | 'failed'

/** Undoes a change that turns out not to be wanted in the transaction that would open it. */
class NotWanted extends Error {
  readonly attempt: Attempt
  constructor(attempt: Attempt) {
    super(attempt)
    this.attempt = attempt
  }
}

/** Who set the monitor up, with the permissions they have by now. Rejects if they may no longer use the service. */
export const authorOf = (
  { db, installation }: FailoverContext,
  { id, author_id: userId }: Pick<MonitorRow, 'id' | 'author_id'>,
): Promise<Caller> =>
  callerLater(db, installation, { userId, tokenId: null, origin: 'failover', ip: '', requestId: id })

/**
 * Switches an RRset to another alternative: one change, which takes the switch in the transaction that opens it. Records that
 * somebody else has changed are left alone. Rejects like any change of records.
 */
export async function switchTo(
  context: FailoverContext,
  caller: Caller,
  monitor: MonitorRow,
  { to, by }: Pick<Switch, 'to' | 'by'>,
): Promise<Attempt> {
  const { id, domain_id: domainId, name, type, alternatives, revision, turn, active: from } = monitor
  const wanted = alternatives[to]
  if (!wanted) return 'not_taken'
  const rows = await listServed(context.db, [id])
  if (isUnsettled(rows)) return 'busy'
  if (servedAmong(rows, alternatives) !== from) return 'records_changed'
  const intent = await changesIntent(context, caller, domainId, [
    { action: 'set', recordType: type, name, values: wanted.values },
  ])
  const requests = pinned(intent.requests, rows)
  if (requests === null) return 'records_changed'
  const known = rows.map((row) => `${row.id} ${row.version}`)
  const take = async (trx: Executor, changeId: string) => {
    if (await hasOtherRecords(trx, monitor, known, changeId)) throw new NotWanted('records_changed')
    const taken = await takeSwitch(trx, { id, revision, turn, from, to, by }, changeId, context.times)
    if (!taken) throw new NotWanted('not_taken')
  }
  try {
    const awaited = { kind: 'failover', id, take } as const
    const applied = await applyChanges(context, { ...caller, origin: 'failover' }, domainId, {
      ...intent,
      requests,
      awaited,
    })
    if (applied.changeId === null) return 'records_changed'
    await settle(context, id)
    return applied.failure === null ? 'switched' : 'failed'
  } catch (error) {
    if (error instanceof NotWanted) return error.attempt
    if (isOutdated(error)) return 'records_changed'
    throw error
  }
}

/** The requests for exactly the records that were read; null if there are others. New values are proxied like the old. */
function pinned(requests: readonly RequestedChange[], rows: readonly ServedRow[]): RequestedChange[] | null {
  const versions = new Map(rows.map(({ id, version }) => [id, version]))
  const proxied = rows.length > 0 && rows.every((row) => row.proxied)
  const result: RequestedChange[] = []
  for (const request of requests) {
    if (request.action === 'create') {
      result.push(proxied ? { ...request, proxied } : request)
      continue
    }
    const version = versions.get(request.recordId)
    if (version === undefined) return null
    result.push({ ...request, version })
  }
  return result
}

/** Switches as the checks have decided, with the rights of the author; what stands in the way is stored and announced. */
export async function switchAutomatically(
  context: FailoverContext,
  monitor: MonitorRow,
  decided: Pick<Switch, 'to' | 'by'>,
): Promise<void> {
  let attempt: Attempt
  try {
    attempt = await switchTo(context, await authorOf(context, monitor), monitor, decided)
  } catch (error) {
    if (isForbidden(error)) return pause(context, monitor, 'author')
    if (!(error instanceof AppError))
      context.log[levelOf(error)]({ err: error, monitorId: monitor.id }, 'failover failed')
    await putOffSwitch(context.db, monitor.id, context.times)
    if (error instanceof AppError && !isBusy(error)) await tellProblem(context, monitor, 'not_applied')
    return
  }
  if (attempt === 'records_changed') await pause(context, monitor, 'records_changed')
}

/** Another change of the name is under way. */
const isBusy = ({ extra }: AppError): boolean => extra['reason'] === 'names_busy'

/** No permission, or the domain is no longer visible. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof AppError &&
  (error.code === 'forbidden' || error.code === 'not_found' || error.code === 'second_factor_required')

/** Ends automatic switching, and announces why. */
export async function pause(
  { db }: FailoverContext,
  monitor: MonitorRow,
  reason: 'records_changed' | 'author',
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (await pauseMonitor(trx, monitor, reason))
      await announceTrouble(trx, 'failover.paused', monitor, reason)
  })
}

/** Stores why it can't switch, and announces it once. */
export async function tellProblem(
  { db }: FailoverContext,
  monitor: MonitorRow,
  problem: 'no_alternative' | 'not_applied',
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (await noteProblem(trx, monitor.id, problem))
      await announceTrouble(trx, 'failover.failed', monitor, problem)
  })
}
