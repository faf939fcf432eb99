import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/tables/index.ts'
import type { Leases } from '../../../plugins/work/leases.ts'
import type { Registries } from './lookup/lookup.ts'

declare module 'fastify' {
  interface FastifyInstance {
    registries: Registries
  }
}

/** Dependencies of expiry look-ups. */
export interface ExpiryContext {
  db: Kysely<Database>
  registries: Registries
  leases: Leases
  log: FastifyBaseLogger
}
