import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Stopping } from '../../../plugins/http/graceful-shutdown.ts'
import { noteWrite } from '../../../db/connection/effects.ts'
import type { Http } from '../../../plugins/outbound/http.ts'
import type { Metrics } from '../../../plugins/metrics.ts'
import type { Secrets } from '../../../plugins/security/secrets.ts'
import type { Tcp } from '../../../plugins/outbound/tcp.ts'
import type { Accounts } from './accounts.ts'
import type { CircuitBreakers, GuardedConfig } from './circuit-breaker.ts'
import { systemClock } from './clock.ts'
import { IncompleteList, ProviderError, type DnsAdapter, type Provider } from '../contract.ts'
import { withDefaults } from '../configs/credentials.ts'
import { ServiceStopping } from '../errors.ts'
import type { ProviderLimits } from './limits.ts'
import { backoff } from './retries.ts'
import type { ProviderRegistry } from '../registry.ts'
import type { WriteLock } from './write-lock.ts'

/** What calling a provider needs from the app. */
export interface ProviderContext {
  http: Http
  tcp: Tcp
  secrets: Secrets
  metrics: Metrics
  circuitBreakers: CircuitBreakers
  writeLock: WriteLock
  providerAccounts: Accounts
  providerLimits: ProviderLimits
  log: FastifyBaseLogger
  providerRegistry: ProviderRegistry
  stopping: Stopping
}

/** The part of a stored provider connection needed to open it. */
interface StoredConfig extends GuardedConfig {
  provider: string
  credentials: Buffer
  in_turn_until: Date | null
}

/** An open connection, with the time one request can spend there. */
export interface Account {
  provider: Provider
  /** Milliseconds since 1970, after which nothing starts and no wait continues. */
  lastTry: number
  /** Signals of the shutdown. */
  stopping: Pick<Stopping, 'begun' | 'cutOff'>
  /** Runs a call of the adapter, whose client retries each request. Rejects with ProviderError. */
  call<T>(work: Work<T>): Promise<T>
}

/** The connection of a stored configuration. A call is repeated only if none of its requests can be. */
export interface ProviderConnection extends Account {
  /**
   * Runs a call that changes something; if the provider accepts one change at a time, after earlier ones of
   * all instances.
   */
  change<T>(work: Work<T>): Promise<T>
}

type Work<T> = (adapter: DnsAdapter) => Promise<T>

/** Attempts of a request, or of a call that reads an incomplete list. Those of a locked call end only with the budget. */
const MAX_TRIES = 3

/** Binds encrypted credentials to their row. */
export const credentialContext = (configId: string) => `provider_configs/${configId}`

/**
 * Opens a stored provider connection without calling it. Its calls reject while its circuit breaker is open,
 * unless `tries`. `limits` replaces those of the app.
 */
export function openConnection(
  context: ProviderContext,
  config: StoredConfig,
  { tries = false, limits }: { tries?: boolean; limits?: ProviderLimits } = {},
): ProviderConnection {
  const { circuitBreakers, writeLock } = context
  const provider = context.providerRegistry.byKey(config.provider)
  const sealed = context.secrets.open(config.credentials, credentialContext(config.id))
  const credentials = withDefaults(provider.credentialSchema, JSON.parse(sealed) as Record<string, string>)
  const account = openAccount(context, provider, credentials, limits)
  const { lastTry, stopping } = account
  const place = `${provider.key} ${provider.serverOf?.(credentials) ?? config.id}`
  let inTurn = config.in_turn_until !== null && config.in_turn_until.getTime() > Date.now()
  let passed = tries

  /** Rejects while the circuit breaker is open, and reports the result of the call. */
  async function guarded<T>(work: Work<T>): Promise<T> {
    if (!passed) await circuitBreakers.pass(config)
    passed = true
    try {
      const answer = await account.call(work)
      await circuitBreakers.note(config)
      return answer
    } catch (error) {
      // An abort by this service says nothing about the provider.
      if (!context.stopping.cutOff.aborted) await circuitBreakers.note(config, error)
      throw error
    }
  }

  /** Repeats the call while another change blocks it, or a list changes while it is read. */
  async function call<T>(work: Work<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await guarded(work)
      } catch (error) {
        const isWorth = isLocked(error) || (error instanceof IncompleteList && tries < MAX_TRIES)
        const pause = backoff(tries)
        if (!isWorth || Date.now() + pause >= lastTry) throw error
        await sleep(pause, undefined, { signal: stopping.begun }).catch(() => {
          throw new ServiceStopping(error)
        })
      }
    }
  }

  async function tryChange<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await (inTurn ? writeLock.take(place, lastTry, work) : work())
    } catch (error) {
      if (isLocked(error)) {
        inTurn = true
        await writeLock.learn(config.id)
      }
      throw error
    }
  }

  return {
    provider,
    lastTry,
    stopping,
    call,
    change: (work) => noteWrite(() => call((adapter) => tryChange(() => work(adapter))), changedNothing),
  }
}

const changedNothing = (error: unknown) => error instanceof ProviderError && error.outcome === 'not_applied'

const tracer = trace.getTracer('zonekeeper.providers')

/** Opens credentials that are not stored. */
export function openAccount(
  { http, tcp, metrics, providerAccounts, providerLimits, log, stopping }: ProviderContext,
  provider: Provider,
  credentials: Record<string, string>,
  { budgetMs, maxZoneRecords }: ProviderLimits = providerLimits,
): Account {
  // A call must have time to finish, because the outcome of an aborted one is unknown.
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
      parallelWrites: provider.parallelWrites ?? 1,
      clock: systemClock,
      log,
    })
  let adapter: Promise<DnsAdapter> | undefined
  const labels = { provider: provider.key }
  const count = (result: string) => metrics.providerCalls.inc({ ...labels, result })
  return {
    provider,
    lastTry,
    stopping,
    async call(work) {
      const measure = metrics.providerSeconds.startTimer(labels)
      const span = tracer.startSpan(`provider ${provider.key}`, { kind: SpanKind.CLIENT })
      try {
        const answer = await work(await (adapter ??= open()))
        count('ok')
        return answer
      } catch (error) {
        const kind = error instanceof ProviderError ? error.kind : 'error'
        count(kind)
        span.setAttribute('error.type', kind).setStatus({ code: SpanStatusCode.ERROR })
        throw isStopped(error, stopping.begun) ? new ServiceStopping(error) : error
      } finally {
        measure()
        span.end()
      }
    },
  }
}

/** Whether a transient failure without effect happened during shutdown. */
const isStopped = (error: unknown, stop: AbortSignal): boolean =>
  stop.aborted &&
  error instanceof ProviderError &&
  error.outcome === 'not_applied' &&
  ['rate_limited', 'locked', 'unavailable', 'timeout'].includes(error.kind)

const isLocked = (error: unknown): boolean => error instanceof ProviderError && error.kind === 'locked'
