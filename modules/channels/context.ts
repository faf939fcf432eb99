import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/tables.ts'
import type { Jobs } from '../../plugins/jobs.ts'
import type { Secrets } from '../../plugins/secrets.ts'
import type { Patience } from './retries.ts'
import type { Reach } from './senders/contract.ts'

/** How channels wait, try and give up. */
export interface ChannelTiming extends Patience {
  /** For one exchange with a receiver. */
  timeoutMs: number
  /** Between two looks for what waits and has nobody who works on it. */
  sweepSeconds: number
}

declare module 'fastify' {
  interface FastifyInstance {
    channelTiming: ChannelTiming
  }
}

/** What channels need of the app. */
export interface ChannelContext extends Reach {
  db: Kysely<Database>
  secrets: Secrets
  jobs: Jobs
  log: FastifyBaseLogger
  channelTiming: ChannelTiming
}
