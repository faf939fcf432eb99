import type { FastifyBaseLogger } from 'fastify'
import type { Http } from '../../plugins/outbound/http.ts'
import type { Tcp } from '../../plugins/outbound/tcp.ts'

/** What an adapter has to work with: it lives for one request, and shares the account's part with the others. */
export interface AdapterContext extends AccountShare {
  http: Http
  /** For providers that speak another protocol than HTTP. */
  tcp: Tcp
  /** Ends every call of this adapter: the budget of the request it serves. */
  signal: AbortSignal
  /** Ends waits before a call that was not made yet; when the service stops that is earlier than `signal`. */
  waiting: AbortSignal
  /** Milliseconds since 1970. Nothing is begun later: of what is cut off nobody knows whether it happened. */
  deadline: number
  /** How often a call is made at most that left nothing behind. */
  maxTries: number
  /** An adapter refuses more records of one zone by `tooLarge`, before they take time and memory. */
  maxZoneRecords: number
  clock: Clock
  /** Never given a credential, nor the body of an answer. */
  log: Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn'>
}

/** What all adapters share that are opened with the same credentials; forgotten where it is not used for long. */
export interface AccountShare {
  /** Says which credentials, and nothing of what they are. The same on all instances. */
  accountId: string
  /** What `make` made when it was first asked for; each function has its own. */
  state<T extends object>(make: () => T): T
  limiter: Limiter
}

/** Keeps all adapters of an account within what the provider allows. */
export interface Limiter {
  /**
   * Resolves when a call may be made. Rejects with ProviderError: `rate_limited` when that would be later than the
   * deadline, with the seconds until then, and `timeout` when `waiting` ends the wait.
   */
  turn(of: 'read' | 'write', context: Pick<AdapterContext, 'clock' | 'waiting' | 'deadline'>): Promise<void>
  /** What an answer said: so many more calls until so many milliseconds are over. */
  note(report: RateReport): void
  /** The provider wants no calls of this account for so many milliseconds: all instances leave it alone. */
  pause(milliseconds: number): void
}

export interface RateReport {
  remaining: number
  resetMs: number
}

/** The time, and waiting; tests have their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Rejects with the signal's reason when it is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}
