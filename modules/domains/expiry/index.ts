import type { FastifyPluginAsync } from 'fastify'
import { checkQueue } from './watch/checks.ts'
import { JITTER, OFTEN_DAYS, SELDOM_DAYS } from './dates.ts'
import { createRegistries, type Registries } from './lookup/lookup.ts'
import { LookupError } from './lookup/registration.ts'
import { OPEN_API, SIGNED_IN } from '../../../plugins/openapi/audience.ts'
import type { Metrics } from '../../../plugins/metrics.ts'
import { deletePassedTurns, TURNS_DUE } from './lookup/pacing-queries.ts'
import { sweepReminders } from './watch/reminders.ts'
import { expiryRoutes } from './routes.ts'

export interface ExpiryOptions {
  rdapBootstrapUrl: string
  whoisServer: string
  /** Milliseconds between two queries to one registry. */
  registrySpacingMs?: number | undefined
}

const TURN_SECONDS = 60
const UPKEEP_SECONDS = 3600

/** Expiry look-ups and reminders. */
export const expiry: FastifyPluginAsync<ExpiryOptions> = async (app, options) => {
  const registries = createRegistries({
    db: app.db,
    http: app.http,
    tcp: app.tcp,
    bootstrapUrl: options.rdapBootstrapUrl,
    whoisServer: options.whoisServer,
    spacingMs: options.registrySpacingMs,
    report: (error) => app.log.warn({ err: error }, 'list of RDAP servers not refreshed'),
  })
  app.decorate('registries', counted(registries, app.metrics))
  for (const audience of [SIGNED_IN, OPEN_API]) {
    await app.register(expiryRoutes, { prefix: audience.base, audience })
  }
  const { jobsDb: db, events, leases, log } = app
  const context = { db, events, registries: app.registries, leases, log }
  app.work.every(TURN_SECONDS, 'expiry.reminders', (stopping) => sweepReminders(context, stopping))
  const checks = app.work.queue(checkQueue(context))
  app.work.every(TURN_SECONDS, 'expiry.checks', () => checks.wake().then(() => checks.idle()))
  app.dueTimes.bound(TURNS_DUE)
  const longestDays = Math.max(SELDOM_DAYS, OFTEN_DAYS) * (1 + JITTER)
  app.dueTimes.bound({
    table: 'domains',
    column: 'expiry_check_due_at',
    longest: longestDays * 24 * 3_600,
  })
  app.work.every(UPKEEP_SECONDS, 'registry-turns.cleanup', () => deletePassedTurns(app.jobsDb))
}

/** Counts look-ups by source or failure. */
const counted = (registries: Registries, { lookups }: Metrics): Registries => ({
  async lookUp(name, options) {
    try {
      const found = await registries.lookUp(name, options)
      lookups.inc({ result: found.source })
      return found
    } catch (error) {
      lookups.inc({ result: error instanceof LookupError ? error.kind : 'error' })
      throw error
    }
  },
})
