import type { FastifyInstance } from 'fastify'

/** What checking a domain needs of the app. Routes pass `app` itself. */
export type HealthContext = Pick<FastifyInstance, 'db' | 'events' | 'log' | 'providerRegistry'>

/** The app as background work uses it: with the database connections of jobs. */
export const backgroundContext = ({
  jobsDb,
  events,
  log,
  providerRegistry,
}: FastifyInstance): HealthContext => ({
  db: jobsDb,
  events,
  log,
  providerRegistry,
})
