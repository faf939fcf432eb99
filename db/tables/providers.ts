import type { Generated } from 'kysely'

export interface ProviderConfigsTable {
  id: string
  provider: string
  name: string
  owner_id: string
  credentials: Buffer
  /** Name servers for zones created with it; lower case, without final dots. */
  name_servers: Generated<string[]>
  /** Email address; null means hostmaster at the zone. */
  hostmaster: string | null
  /** Addresses with ports, asked to verify changes instead of the delegated name servers. */
  verify_servers: Generated<string[]>
  /** Consecutive calls that failed to reach it. */
  breaker_failures: Generated<number>
  /** When it was paused; null while calls are allowed. */
  breaker_since: Date | null
  breaker_next_try: Date | null
  /** Until then changes are serialized; null if they may run concurrently. */
  in_turn_until: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}
