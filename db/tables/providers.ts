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
  created_at: Generated<Date>
  updated_at: Generated<Date>
}
