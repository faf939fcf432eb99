import type { FastifyInstance } from 'fastify'
import type { ProviderContext } from '../providers/traffic/connection.ts'

/** Dependencies of domain services. */
export type DomainContext = ProviderContext &
  Pick<FastifyInstance, 'db' | 'events' | 'installation' | 'listedZones' | 'publicDns'>
