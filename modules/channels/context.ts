import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/tables/index.ts'
import type { EventBus } from '../../plugins/events/index.ts'
import type { Leases } from '../../plugins/work/leases.ts'
import type { Secrets } from '../../plugins/security/secrets.ts'
import type { RetryPolicy } from './delivery/retries.ts'
import type { HttpAccess } from './senders/contract.ts'

/** When channels send, retry and give up. */
export interface ChannelTiming extends RetryPolicy {
  /** Limit of one exchange with a receiver. */
  timeoutMs: number
  /** How often to look for due deliveries that no event announced. */
  sweepSeconds: number
  /** Whether deliveries are sent automatically; tests may do it themselves. */
  automatic: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    channelTiming: ChannelTiming
  }
}

/** What channels need of the app. */
export interface ChannelContext extends HttpAccess {
  db: Kysely<Database>
  events: EventBus
  leases: Leases
  secrets: Secrets
  log: FastifyBaseLogger
  channelTiming: ChannelTiming
}
