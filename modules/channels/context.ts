import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/tables/index.ts'
import type { EventBus } from '../../plugins/events/index.ts'
import type { Leases } from '../../plugins/work/leases.ts'
import type { Secrets } from '../../plugins/security/secrets.ts'
import type { RetryPolicy } from './delivery/retries.ts'
import type { HttpAccess } from './senders/contract.ts'

/** How channels wait, try and give up. */
export interface ChannelTiming extends RetryPolicy {
  /** For one exchange with a receiver. */
  timeoutMs: number
  /** Between two looks for what waits and has nobody who works on it. */
  sweepSeconds: number
  /** Whether what waits is sent by itself; tests may do it by hand. */
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
