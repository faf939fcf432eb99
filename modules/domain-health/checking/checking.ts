import { levelOf } from '../../../plugins/http/logging.ts'
import type { QueueOptions } from '../../../plugins/work/queue.ts'
import { checkDomain } from './check.ts'
import { checksDue, claimDue, putOff, renewClaims, type DueDomain } from './check-queries.ts'
import type { HealthContext } from '../context.ts'
import { LONGEST_SECONDS } from './night.ts'
import { findCheckedDomain } from '../queries.ts'
import { storeCheck } from '../store.ts'

/** Checks at the same time on one instance. */
const CONCURRENCY = 8
const POLL_SECONDS = 30
/** After a failure of the check itself. */
const PAUSE_SECONDS = 1_800

/** The queue of domains to be checked; every instance takes its share. */
export const checkQueue = (context: HealthContext): QueueOptions<DueDomain> => ({
  name: 'domain-health.checks',
  concurrency: CONCURRENCY,
  claim: (limit) => claimDue(context.db, limit),
  renew: (rows) => renewClaims(context.db, rows),
  run: async ({ domain_id: id }, { stopping }) => {
    const domain = await findCheckedDomain(context.db, id)
    if (!domain) return
    const checked = await checkDomain(context, domain, stopping)
    // What was cut off by the end of the service says nothing; another instance takes it.
    if (!stopping.aborted) await storeCheck(context.db, domain, checked)
  },
  async backoff({ domain_id: id }, error) {
    context.log[levelOf(error)]({ err: error, domainId: id }, 'health check failed')
    await putOff(context.db, id, PAUSE_SECONDS)
  },
  pollSeconds: POLL_SECONDS,
  wokenBy: ['health.due'],
  dueTimes: [checksDue(LONGEST_SECONDS)],
})
