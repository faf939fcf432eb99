import type { FastifyBaseLogger } from 'fastify'
import { AppError } from '../../../plugins/http/errors.ts'
import { levelOf } from '../../../plugins/http/logging.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { requireDomain } from '../../domains/access/access.ts'
import type { RecordContext } from '../context.ts'
import { syncInBackground } from './sync.ts'
import { scheduleNextSync } from './sync-queries.ts'

/** Imports new domains from their providers. */
export interface FirstReadings {
  /**
   * Imports the records of a new domain. Resolves when that is done or has failed (which is stored with the domain), or
   * after half the provider budget of a request: then the import continues in the background.
   */
  read(caller: Caller, domainId: string): Promise<void>
  /** Resolves when no import is in progress, or after `ms`. */
  idle(ms: number): Promise<void>
}

/** Imports that fail or end with this process are repeated by the automatic sync, which the registration scheduled. */
export function createFirstReadings(context: RecordContext, log: FastifyBaseLogger): FirstReadings {
  const inProgress = new Set<Promise<void>>()

  async function readNow(caller: Caller, domainId: string): Promise<void> {
    const domain = await requireDomain(context.db, caller, domainId, 'read')
    const provider = context.providerRegistry.byId(domain.provider_id)
    if (provider?.capabilities.truth === 'local') return
    // The automatic sync of another instance imports it.
    if (!(await context.leases.take('sync', domainId))) return
    try {
      await syncInBackground(context, domain, caller)
      await scheduleNextSync(context.db, domainId)
    } finally {
      await context.leases.end('sync', domainId)
    }
  }

  return {
    async read(caller, domainId) {
      const reading = readNow(caller, domainId)
        .catch((error: unknown) => {
          // Failures of the provider are stored with the domain.
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

/** Resolves with the work, or after `ms`. */
async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}
