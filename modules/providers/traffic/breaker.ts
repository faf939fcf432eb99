import fp from 'fastify-plugin'
import { bookkeeping } from '../../../db/connection/effects.ts'
import { OutboundError } from '../../../plugins/outbound/http.ts'
import { levelOf } from '../../../plugins/http/logging.ts'
import { BREAKERS_DUE, closeBreaker, noteUnreachable, secondsToTry, takeTry } from './breaker-queries.ts'
import { ProviderError } from '../contract.ts'
import { ProviderPaused } from '../errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    breakers: Breakers
  }
}

/** A stored configuration, as far as its breaker goes: as it was when the connection was opened. */
export interface BreakerState {
  id: string
  breaker_failures: number
  breaker_next_try: Date | null
}

/**
 * Circuit breakers: an account that could not be reached several times in a row is left alone for a while, by all
 * instances together. Then one call tries it, and closes the breaker when it gets any answer.
 */
export interface Breakers {
  /** Rejects with ProviderPaused while the account is left alone. */
  pass(config: BreakerState): Promise<void>
  /** Counts how a call ended; `error` undefined: well. */
  note(config: BreakerState, error?: unknown): Promise<void>
}

export default fp(
  async (app) => {
    // Not the transaction in which a connection may have been opened.
    const { db } = app
    app.dueTimes.bound(BREAKERS_DUE)
    app.decorate('breakers', {
      async pass({ id, breaker_next_try: nextTry }) {
        if (nextTry === null || (await bookkeeping(() => takeTry(db, id)))) return
        const seconds = await secondsToTry(db, id)
        if (seconds !== null) throw new ProviderPaused(Math.max(1, Math.ceil(seconds)))
      },
      async note(config, error) {
        const failed = isUnreachable(error)
        if (!failed && config.breaker_failures === 0) return
        // What came of the call itself counts, whether it can be written down or not.
        const note = failed ? noteUnreachable : closeBreaker
        await bookkeeping(() => note(db, config.id)).catch((fault: unknown) =>
          app.log[levelOf(fault)]({ err: fault, providerConfigId: config.id }, 'a breaker was not noted'),
        )
      },
    } satisfies Breakers)
  },
  { name: 'provider-breakers', dependencies: ['db', 'work'] },
)

/** No connection, or no answer in time; whatever a server says has reached it. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof ProviderError) || !(error.cause instanceof OutboundError)) return false
  if (error.kind === 'timeout') return true
  return error.kind === 'unavailable' && !error.cause.sent && error.cause.kind !== 'blocked'
}
