import type { Kysely } from 'kysely'
import type { Database } from '../../db/tables.ts'
import type { EventBus } from '../../plugins/events.ts'
import type { Mail } from '../../plugins/mail.ts'
import type { Site } from '../../plugins/site.ts'
import type { StreamHub } from '../../plugins/sse.ts'
import type { NotificationStore } from './store/contract.ts'

/** What notifications need of the app. */
export interface NotificationContext {
  db: Kysely<Database>
  events: EventBus
  mail: Mail
  site: Site
  sse: StreamHub
  store: NotificationStore
}
