import type { FastifyBaseLogger } from 'fastify'
import { AppError } from '../../../plugins/http/errors.ts'
import { levelOf } from '../../../plugins/http/logging.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { requireDomain } from '../../domains/access/access.ts'
import type { RecordContext } from '../context.ts'
import { syncNewDomain } from './sync.ts'
import { scheduleNextSync } from './sync-queries.ts'

/** Reads new domains from their providers. */
export interface FirstReadings {
  /**
   * Reads the records of a new domain. Resolves when they are read, when that failed (which is noted with the domain), or
   * after half of what a request may spend at a provider: then reading continues in the background.
   */
  read(caller: Caller, domainId: string): Promise<void>
  /** Resolves when no reading is in progress, or after `ms`. */
  idle(ms: number): Promise<void>
}

/**
 * What fails here, or ends with this process, is still due as an automatic sync: the registration has noted that in its
 * own transaction.
 */
export function createFirstReadings(context: RecordContext, log: FastifyBaseLogger): FirstReadings {
  const inProgress = new Set<Promise<void>>()

  async function readNow(caller: Caller, domainId: string): Promise<void> {
    const domain = await requireDomain(context.db, caller, domainId, 'read')
    const provider = context.providerRegistry.byId(domain.provider_id)
    if (provider?.capabilities.truth === 'local') return
    // Another instance's automatic sync has begun to.
    if (!(await context.leases.take('sync', domainId))) return
    try {
      await syncNewDomain(context, caller, domain)
      await scheduleNextSync(context.db, domainId)
    } finally {
      await context.leases.end('sync', domainId)
    }
  }

  return {
    async read(caller, domainId) {
      const reading = readNow(caller, domainId)
        .catch((error: unknown) => {
          // Failures of the provider are noted with the domain.
          if (error instanceof AppError) return
          log[levelOf(error)]({ err: error, domainId }, 'first sync of a domain failed')
        })
        .finally(() => inProgress.delete(reading))
      inProgress.add(reading)
      await within(reading, context.providerLimits.budgetMs / 2)
    },
    idle: (ms) => within(Promise.all(inProgress), ms),
  }
}

/** Resolves with the work, or after so many milliseconds. */
async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}
