import { requireDomain, mayChange, recordScopeOf } from '../../domains/access/access.ts'
import type { FailoverContext } from '../context.ts'
import { listServed, type MonitorRow } from '../queries.ts'
import { isUnsettled, servedAmong } from '../served.ts'
import { listWatching } from './state-queries.ts'
import { authorOf, isForbidden, pause } from './switch.ts'

const AT_ONCE = 100

/**
 * Pauses monitors whose records somebody else has changed, and those whose author may no longer change them: better found out
 * before the outage than in it.
 */
export async function upkeep(context: FailoverContext, stopping: AbortSignal): Promise<void> {
  let after: string | null = null
  while (!stopping.aborted) {
    const monitors: MonitorRow[] = await listWatching(context.db, after, AT_ONCE)
    if (monitors.length === 0) return
    const served = Map.groupBy(
      await listServed(
        context.db,
        monitors.map(({ id }) => id),
      ),
      ({ monitor_id: id }) => id,
    )
    for (const monitor of monitors) {
      const rows = served.get(monitor.id) ?? []
      if (!(await mayStill(context, monitor))) await pause(context, monitor, 'author')
      else if (!isUnsettled(rows) && servedAmong(rows, monitor.alternatives) !== monitor.active)
        await pause(context, monitor, 'records_changed')
    }
    after = monitors.at(-1)?.id ?? null
  }
}

async function mayStill(context: FailoverContext, monitor: MonitorRow): Promise<boolean> {
  try {
    const author = await authorOf(context, monitor)
    const domain = await requireDomain(context.db, author, monitor.domain_id, 'write')
    return mayChange(recordScopeOf(domain, author), monitor)
  } catch (error) {
    if (isForbidden(error)) return false
    throw error
  }
}
