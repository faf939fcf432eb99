import { setTimeout as sleep } from 'node:timers/promises'
import { OutboundError, type Http } from '../../plugins/http.ts'
import type { Metrics } from '../../plugins/metrics.ts'
import type { Secrets } from '../../plugins/secrets.ts'
import type { Tcp } from '../../plugins/tcp.ts'
import type { Breakers, BreakerState } from './breaker.ts'
import { ProviderError, type DnsAdapter, type Provider } from './contract.ts'
import type { ProviderLimits } from './limits.ts'
import { providerByKey } from './registry.ts'
import type { Turns } from './turns.ts'

/** What reaching a provider needs of the app. */
export interface ProviderContext {
  http: Http
  tcp: Tcp
  secrets: Secrets
  metrics: Metrics
  breakers: Breakers
  turns: Turns
  providerLimits: ProviderLimits
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
const BACKOFF_MS = 250

/** Binds sealed credentials to their row. */
export const credentialContext = (configId: string) => `provider_configs/${configId}`

/** Opens the account of a configuration; makes no call yet. Its calls reject while its breaker is open, unless `tries`. */
export function openConnection(
  context: ProviderContext,
  config: StoredConfig,
  { tries = false }: { tries?: boolean } = {},
): ProviderConnection {
  const { breakers, turns } = context
  const provider = providerByKey(config.provider)
  const sealed = context.secrets.open(config.credentials, credentialContext(config.id))
  const credentials = JSON.parse(sealed) as Record<string, string>
  const account = openAccount(context, provider, credentials)
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
      await breakers.note(config, error)
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

  return { provider, call, change: (work) => call((adapter) => tryChange(() => work(adapter))) }
}

/** The same of credentials that are stored nowhere. */
export function openAccount(
  { http, tcp, metrics, providerLimits: { budgetMs, maxZoneRecords } }: ProviderContext,
  provider: Provider,
  credentials: Record<string, string>,
): Account & { lastTry: number } {
  // What is begun must have time to end: of what is cut off nobody knows whether it happened.
  const lastTry = Date.now() + budgetMs * 0.75
  const adapter = provider.open(credentials, {
    http,
    tcp,
    signal: AbortSignal.timeout(budgetMs),
    maxZoneRecords,
  })
  const count = (result: string) => metrics.providerCalls.inc({ provider: provider.key, result })
  return {
    provider,
    lastTry,
    async call(work) {
      for (let tries = 1; ; tries++) {
        try {
          const answer = await work(adapter)
          count('ok')
          return answer
        } catch (error) {
          count(error instanceof ProviderError ? error.kind : 'error')
          const pause = pauseBefore(error, tries)
          if (pause === null || Date.now() + pause >= lastTry) throw error
          await sleep(pause)
        }
      }
    },
  }
}

/** Milliseconds to wait before another try, or null when there is no point in one. */
function pauseBefore(error: unknown, tries: number): number | null {
  if (!(error instanceof ProviderError) || error.outcome !== 'not_applied') return null
  // However often: what is in its way ends by itself.
  if (error.kind === 'locked') return backoff(Math.min(tries, MAX_TRIES))
  if (tries >= MAX_TRIES) return null
  if (error.kind === 'rate_limited') return (error.retryAfter ?? 1) * 1000
  if (error.kind !== 'unavailable' || isLasting(error.cause)) return null
  if (error.retryAfter !== undefined) return error.retryAfter * 1000
  return backoff(tries)
}

const backoff = (tries: number) => BACKOFF_MS * 2 ** (tries - 1) * (0.5 + Math.random())

const isLocked = (error: unknown): boolean => error instanceof ProviderError && error.kind === 'locked'

/** An address that may not be called: another try ends the same. */
const isLasting = (cause: unknown): boolean => cause instanceof OutboundError && cause.kind === 'blocked'
