import type { FastifyInstance } from 'fastify'
import { remembering, type Resolve } from './network/tools.ts'

/** What checking a domain needs of the app. Routes pass `app` itself. */
export type HealthContext = Pick<
  FastifyInstance,
  'db' | 'dns' | 'events' | 'http' | 'log' | 'providerRegistry'
> & {
  /** Asks the resolvers; without it, nothing is remembered from domain to domain. */
  resolve?: Resolve
}

/** The app as background work uses it: with the database connections of jobs, and answers remembered for some minutes. */
export const backgroundContext = ({
  jobsDb,
  dns,
  events,
  http,
  log,
  providerRegistry,
}: FastifyInstance): HealthContext => ({
  db: jobsDb,
  dns,
  events,
  http,
  log,
  providerRegistry,
  resolve: remembering(dns),
})
