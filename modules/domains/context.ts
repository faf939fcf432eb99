import type { Kysely } from 'kysely'
import type { Database } from '../../db/tables/index.ts'
import type { EventBus } from '../../plugins/events/index.ts'
import type { Installation } from '../../plugins/installation.ts'
import type { PublicDns } from '../../plugins/outbound/public-dns.ts'
import type { ProviderContext } from '../providers/traffic/connection.ts'

/** Dependencies of domain services. */
export interface DomainContext extends ProviderContext {
  db: Kysely<Database>
  events: EventBus
  installation: Installation
  publicDns: PublicDns
}
