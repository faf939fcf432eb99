import type { FailoverContext } from '../context.ts'
import { RETRY_SECONDS } from '../times.ts'
import { announceSwitch, announceTrouble } from './announcements.ts'
import { noteProblem, settleSwitches } from './state-queries.ts'

const AT_ONCE = 100

/**
 * Settles switches whose change has ended, and announces them; each once, on whichever instance. `id`: only that monitor.
 * A switch whose instance died in the middle is settled when its change has been reconciled.
 */
export async function settle({ db, times }: FailoverContext, id?: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const row of await settleSwitches(trx, AT_ONCE, RETRY_SECONDS * times.second, id)) {
      const { change_status: status, actor_id: userId, actor_name: username, ...monitor } = row
      const by = row.switched_by === 'hand' && userId !== null ? { userId, username } : null
      if (status === 'applied') await announceSwitch(trx, monitor, by)
      else if (status === 'partial') await announceTrouble(trx, 'failover.failed', monitor, 'partial')
      else if (await noteProblem(trx, monitor.id, 'not_applied'))
        await announceTrouble(trx, 'failover.failed', monitor, 'not_applied')
    }
  })
}
