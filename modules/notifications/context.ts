import type { Kysely } from 'kysely'
import type { Installation } from '../../plugins/installation.ts'
import type { Database } from '../../db/tables/index.ts'
import type { StreamHub } from '../../plugins/events/sse.ts'
import type { StreamSlots } from './stream/stream-slots.ts'

/** What notifications need of the app. */
export interface NotificationContext {
  db: Kysely<Database>
  sse: StreamHub
  slots: StreamSlots
  installation: Installation
}
