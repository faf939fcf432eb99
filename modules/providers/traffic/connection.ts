import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Stopping } from '../../../plugins/http/graceful-shutdown.ts'
import { noteWrite } from '../../../db/connection/effects.ts'
import type { Http } from '../../../plugins/outbound/http.ts'
import type { Metrics } from '../../../plugins/metrics.ts'
import type { Secrets } from '../../../plugins/security/secrets.ts'
import type { Tcp } from '../../../plugins/outbound/tcp.ts'
import type { Accounts } from './accounts.ts'
import type { Breakers, BreakerState } from './breaker.ts'
import { systemClock } from './clock.ts'
import { ProviderError, type DnsAdapter, type Provider } from '../contract.ts'
import { withDefaults } from '../configs/credentials.ts'
import { ServiceStopping } from '../errors.ts'
import type { ProviderLimits } from './limits.ts'
import { backoff, pauseBefore } from './repeats.ts'
import type { ProviderRegistry } from '../registry.ts'
import type { Turns } from './turns.ts'

/** What reaching a provider needs of the app. */
export interface ProviderContext {
  http: Http
  tcp: Tcp
  secrets: Secrets
  metrics: Metrics
  breakers: Breakers
  turns: Turns
  providerAccounts: Accounts
  providerLimits: ProviderLimits
  log: FastifyBaseLogger
  providerRegistry: ProviderRegistry
  stopping: Stopping
}

/** A stored configuration, as far as opening it needs. */
interface StoredConfig extends BreakerState {
  provider: string
  credentials: Buffer
  in_turn_until: Date | null
}

/** An open account, with the time that one request may spend there. */
export interface Account {
  provider: Provider
  /** Milliseconds since 1970, after which nothing is begun or waited for any more. */
  lastTry: number
  /** How the service stops. */
  stopping: Pick<Stopping, 'begun' | 'cutOff'>
  /**
   * Runs a call of the adapter, again after a failure that passes and left nothing behind: after the time
   * the provider says, or with backoff and jitter, as long as the budget lasts. Rejects with ProviderError.
   */
  call<T>(work: Work<T>): Promise<T>
}

/** The account of a stored configuration. */
export interface ProviderConnection extends Account {
  /**
   * The same for a call that changes something: where the provider takes one change at a time, after those of all
   * instances that wait for it.
   */
  change<T>(work: Work<T>): Promise<T>
}

type Work<T> = (adapter: DnsAdapter) => Promise<T>

const MAX_TRIES = 3

/** Binds sealed credentials to their row. */
export const credentialContext = (configId: string) => `provider_configs/${configId}`

/** Opens the account of a configuration; makes no call yet. Its calls reject while its breaker is open, unless `tries`. `limits`: in place of those of the app. */
export function openConnection(
  context: ProviderContext,
  config: StoredConfig,
  { tries = false, limits }: { tries?: boolean; limits?: ProviderLimits } = {},
): ProviderConnection {
  const { breakers, turns } = context
  const provider = context.providerRegistry.byKey(config.provider)
  const sealed = context.secrets.open(config.credentials, credentialContext(config.id))
  const credentials = withDefaults(provider.credentialSchema, JSON.parse(sealed) as Record<string, string>)
  const account = openAccount(context, provider, credentials, limits)
  const place = `${provider.key} ${provider.serverOf?.(credentials) ?? config.id}`
  let inTurn = config.in_turn_until !== null && config.in_turn_until.getTime() > Date.now()
  let passed = tries

  /** Rejects while the breaker is open, and tells it how the call ends. */
  async function call<T>(work: Work<T>): Promise<T> {
    if (!passed) await breakers.pass(config)
    passed = true
    try {
      const answer = await account.call(work)
      await breakers.note(config)
      return answer
    } catch (error) {
      // What we cut off ourselves says nothing of the provider.
      if (!context.stopping.cutOff.aborted) await breakers.note(config, error)
      throw error
    }
  }

  async function tryChange<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await (inTurn ? turns.take(place, account.lastTry, work) : work())
    } catch (error) {
      if (isLocked(error)) {
        inTurn = true
        await turns.learn(config.id)
      }
      throw error
    }
  }

  const { lastTry, stopping } = account
  return {
    provider,
    lastTry,
    stopping,
    call,
    change: (work) => noteWrite(() => call((adapter) => tryChange(() => work(adapter))), changedNothing),
  }
}

const changedNothing = (error: unknown) => error instanceof ProviderError && error.outcome === 'not_applied'

/** The same of credentials that are stored nowhere. */
export function openAccount(
  { http, tcp, metrics, providerAccounts, providerLimits, log, stopping }: ProviderContext,
  provider: Provider,
  credentials: Record<string, string>,
  { budgetMs, maxZoneRecords }: ProviderLimits = providerLimits,
): Account {
  // What is begun must have time to end: of what is cut off nobody knows whether it happened.
  const lastTry = Date.now() + budgetMs * 0.75
  const budget = AbortSignal.timeout(budgetMs)
  const signal = AbortSignal.any([budget, stopping.cutOff])
  const open = () =>
    provider.open(credentials, {
      ...providerAccounts.shareOf(provider, credentials),
      http,
      tcp,
      signal,
      waiting: AbortSignal.any([budget, stopping.begun]),
      deadline: lastTry,
      maxTries: MAX_TRIES,
      maxZoneRecords,
      clock: systemClock,
      log,
    })
  let adapter: Promise<DnsAdapter> | undefined
  const count = (result: string) => metrics.providerCalls.inc({ provider: provider.key, result })
  return {
    provider,
    lastTry,
    stopping,
    async call(work) {
      for (let tries = 1; ; tries++) {
        try {
          const answer = await work(await (adapter ??= open()))
          count('ok')
          return answer
        } catch (error) {
          count(error instanceof ProviderError ? error.kind : 'error')
          if (isStopped(error, stopping.begun)) throw new ServiceStopping(error)
          const pause = pauseAfter(error, tries)
          if (pause === null || Date.now() + pause >= lastTry) throw error
          await sleep(pause, undefined, { signal: stopping.begun }).catch(() => {
            throw new ServiceStopping(error)
          })
        }
      }
    },
  }
}

/** Whether a failure that left nothing behind, and would pass, comes while the service stops. */
const isStopped = (error: unknown, stop: AbortSignal): boolean =>
  stop.aborted &&
  error instanceof ProviderError &&
  error.outcome === 'not_applied' &&
  ['rate_limited', 'locked', 'unavailable', 'timeout'].includes(error.kind)

/** Milliseconds to wait before another try, or null when there is no point in one. */
function pauseAfter(error: unknown, tries: number): number | null {
  // However often: what is in its way ends by itself.
  if (isLocked(error)) return backoff(tries)
  if (error instanceof ProviderError && error.repeated) return null
  return pauseBefore(error, tries, MAX_TRIES)
}

const isLocked = (error: unknown): boolean => error instanceof ProviderError && error.kind === 'locked'
