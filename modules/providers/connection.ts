import { setTimeout as sleep } from 'node:timers/promises'
import { OutboundError, type Http } from '../../plugins/http.ts'
import type { Metrics } from '../../plugins/metrics.ts'
import type { Secrets } from '../../plugins/secrets.ts'
import type { Breakers, BreakerState } from './breaker.ts'
import { ProviderError, type DnsAdapter, type Provider } from './contract.ts'
import type { ProviderLimits } from './limits.ts'
import { providerByKey } from './registry.ts'

/** What reaching a provider needs of the app. */
export interface ProviderContext {
  http: Http
  secrets: Secrets
  metrics: Metrics
  breakers: Breakers
  providerLimits: ProviderLimits
}

/** A stored configuration, as far as opening it needs. */
interface StoredConfig extends BreakerState {
  provider: string
  credentials: Buffer
}

/** An open account at a provider, with the time that one request may spend there. */
export interface ProviderConnection {
  provider: Provider
  /**
   * Runs a call of the adapter, again after a failure that passes and left nothing behind: after the time
   * the provider says, or with backoff and jitter, as long as the budget lasts. Rejects with ProviderError.
   */
  call<T>(work: (adapter: DnsAdapter) => Promise<T>): Promise<T>
}

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
  const credentials = context.secrets.open(config.credentials, credentialContext(config.id))
  const account = openAccount(
    context,
    providerByKey(config.provider),
    JSON.parse(credentials) as Record<string, string>,
  )
  let passed = tries
  return {
    provider: account.provider,
    async call(work) {
      if (!passed) await context.breakers.pass(config)
      passed = true
      try {
        const answer = await account.call(work)
        await context.breakers.note(config)
        return answer
      } catch (error) {
        await context.breakers.note(config, error)
        throw error
      }
    },
  }
}

/** The same of credentials that are stored nowhere. */
export function openAccount(
  { http, metrics, providerLimits: { budgetMs, maxZoneRecords } }: ProviderContext,
  provider: Provider,
  credentials: Record<string, string>,
): ProviderConnection {
  const deadline = Date.now() + budgetMs
  const adapter = provider.open(credentials, { http, signal: AbortSignal.timeout(budgetMs), maxZoneRecords })
  const count = (result: string) => metrics.providerCalls.inc({ provider: provider.key, result })
  return {
    provider,
    async call(work) {
      for (let tries = 1; ; tries++) {
        try {
          const answer = await work(adapter)
          count('ok')
          return answer
        } catch (error) {
          count(error instanceof ProviderError ? error.kind : 'error')
          const pause = pauseBefore(error, tries)
          if (pause === null || Date.now() + pause >= deadline) throw error
          await sleep(pause)
        }
      }
    },
  }
}

/** Milliseconds to wait before another try, or null when there is no point in one. */
function pauseBefore(error: unknown, tries: number): number | null {
  if (!(error instanceof ProviderError) || error.outcome !== 'not_applied' || tries >= MAX_TRIES) return null
  if (error.kind === 'rate_limited') return (error.retryAfter ?? 1) * 1000
  if (error.kind !== 'unavailable' || isLasting(error.cause)) return null
  if (error.retryAfter !== undefined) return error.retryAfter * 1000
  return BACKOFF_MS * 2 ** (tries - 1) * (0.5 + Math.random())
}

/** An address that may not be called: another try ends the same. */
const isLasting = (cause: unknown): boolean => cause instanceof OutboundError && cause.kind === 'blocked'
