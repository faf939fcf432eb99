import type { FastifyBaseLogger } from 'fastify'
import type { Http } from '../../plugins/outbound/http.ts'
import type { Tcp } from '../../plugins/outbound/tcp.ts'

/** What an adapter works with: it lives for one request, and shares the account's state with others. */
export interface AdapterContext extends AccountShare {
  http: Http
  /** For providers with another protocol than HTTP. */
  tcp: Tcp
  /** Aborts every call of this adapter: the budget of its request. */
  signal: AbortSignal
  /** Aborts waiting before a call; on shutdown that is earlier than `signal`. */
  waiting: AbortSignal
  /** Milliseconds since 1970. Nothing starts later, because the outcome of an aborted call is unknown. */
  deadline: number
  /** Maximum attempts of a request that had no effect. */
  maxTries: number
  /** An adapter refuses larger zones with `tooLarge`, before they take time and memory. */
  maxZoneRecords: number
  /** Writes of different names of a zone that may be in progress at the same time. */
  parallelWrites: number
  clock: Clock
  /** Never receives a credential or the body of an answer. */
  log: Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn'>
}

/** Shared by all adapters with the same credentials; dropped when unused for long. */
export interface AccountShare {
  /** Identifies the credentials without revealing them. The same on all instances. */
  accountId: string
  /** The result of `make` at its first call; each function has its own. */
  state<T extends object>(make: () => T): T
  limiter: Limiter
}

/** Keeps all adapters of an account within the provider's rate limit. */
export interface Limiter {
  /**
   * Resolves when a call can be made. Rejects with ProviderError: `rate_limited` if that is after the
   * deadline, with the seconds until then, and `timeout` if `waiting` aborts the wait. `zone`: the provider counts the call
   * for this zone.
   */
  turn(
    of: 'read' | 'write',
    context: Pick<AdapterContext, 'clock' | 'waiting' | 'deadline'>,
    zone?: string,
  ): Promise<void>
  /** Reported by an answer: so many more calls for so many milliseconds. */
  note(report: RateReport): void
  /**
   * The provider refuses a call for so many milliseconds. All instances pause what its limit covers: calls for this zone,
   * those of a provider that counts reads and writes apart, or all of the account.
   */
  pause(milliseconds: number, of: 'read' | 'write', zone?: string): void
}

export interface RateReport {
  remaining: number
  resetMs: number
}

/** Time and waiting; tests have their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Rejects with the signal's reason when it is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}
