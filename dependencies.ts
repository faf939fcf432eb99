import type { FastifyBaseLogger } from 'fastify'
import type { Connection } from './db/connection/connect.ts'
import type { ChannelTiming } from './modules/channels/context.ts'
import type { FailoverTimes } from './modules/failover/times.ts'
import type { Provider } from './modules/providers/contract.ts'
import type { ReconcileTimes } from './modules/records/reconcile/times.ts'
import type { HashCost } from './plugins/security/password-hashes.ts'

/** Dependencies the app uses but does not own: the caller opens and closes them. */
export interface Dependencies {
  connection: Connection
  secretKeys: readonly Buffer[]
  /** No other instance uses this database. */
  alone: boolean
  /** The kinds of DNS providers, if not the built-in ones. */
  providers?: readonly Provider[]
  /** Milliseconds one request may spend at a DNS provider. */
  providerBudgetMs?: number
  /** When providers are asked about unknown outcomes, if not the default. */
  reconcileTimes?: Partial<ReconcileTimes>
  /** How fast time passes for failover monitors, if not as it does: for tests. */
  failoverTimes?: FailoverTimes
  /** Record changes one request makes itself; larger ones continue as an operation. */
  largeChange?: number
  /** Milliseconds between two queries to one registry. */
  registrySpacingMs?: number
  /** Where delegated name servers listen, if not on port 53: for tests. */
  nameServerPort?: number
  /** Event loop delay in milliseconds above which requests are refused; 0: never refuse. */
  maxEventLoopDelayMs?: number
  /** Timeouts, retries and limits of channels, if not the default. */
  channelTiming?: Partial<ChannelTiming>
  /** Cost of password hashes, if not the secure default: for tests. */
  passwordCost?: HashCost
  /** Compiles all route schemas before the start, so that an invalid one stops it: for CI. */
  compileAtStart?: boolean
  /** The folder of the console with a trailing slash, if not that of the build. */
  consoleDist?: string
  log?: FastifyBaseLogger
}
