import type { FastifyPluginAsync } from 'fastify'
import { runChecks } from './checks.ts'
import { createRegistries } from './lookup.ts'
import { sweepReminders } from './reminders.ts'
import { expiryRoutes } from './routes.ts'

export interface ExpiryOptions {
  rdapBootstrapUrl: string
  whoisServer: string
  /** Milliseconds between two questions to one registry. */
  registrySpacingMs?: number | undefined
}

const EVERY_MINUTE = '* * * * *'

/** Looking up when registrations end, and telling it in time. */
export const expiry: FastifyPluginAsync<ExpiryOptions> = async (app, options) => {
  app.decorate(
    'registries',
    createRegistries({
      http: app.http,
      tcp: app.tcp,
      bootstrapUrl: options.rdapBootstrapUrl,
      whoisServer: options.whoisServer,
      spacingMs: options.registrySpacingMs,
      report: (error) => app.log.warn({ err: error }, 'the list of RDAP servers was not refreshed'),
    }),
  )
  await app.register(expiryRoutes)
  app.jobs.define('expiry.reminders', (_data, signal) => sweepReminders(app, signal), {
    schedule: EVERY_MINUTE,
  })
  app.jobs.define('expiry.checks', (_data, signal) => runChecks(app, signal), { schedule: EVERY_MINUTE })
}
