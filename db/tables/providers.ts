import type { Generated } from 'kysely'

export interface ProviderConfigsTable {
  id: string
  provider: string
  name: string
  owner_id: string
  credentials: Buffer
  /** Of zones that are created with it; in lower case without final dots. */
  name_servers: Generated<string[]>
  /** Mail address; null: hostmaster at the zone. */
  hostmaster: string | null
  /** Calls in a row that did not reach it. */
  breaker_failures: Generated<number>
  /** Since when it is left alone; null: it is called as usual. */
  breaker_since: Date | null
  breaker_next_try: Date | null
  /** Until then changes go one after another; null: several at a time. */
  in_turn_until: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}
