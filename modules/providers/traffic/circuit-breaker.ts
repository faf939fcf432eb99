import fp from 'fastify-plugin'
import { bookkeeping } from '../../../db/connection/effects.ts'
import { OutboundError } from '../../../plugins/outbound/http.ts'
import { levelOf } from '../../../plugins/http/logging.ts'
import { BREAKERS_DUE, closeCircuit, noteUnreachable, secondsToTry, takeTry } from './queries.ts'
import { ProviderError } from '../contract.ts'
import { ProviderPaused } from '../errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    circuitBreakers: CircuitBreakers
  }
}

/** A stored provider connection with its circuit breaker's state when it was opened. */
export interface GuardedConfig {
  id: string
  breaker_failures: number
  breaker_next_try: Date | null
}

/**
 * Circuit breakers: all instances pause a connection that was unreachable several times in a row. Then one
 * call tests it, and any answer closes the breaker.
 */
export interface CircuitBreakers {
  /** Rejects with ProviderPaused while the connection is paused. */
  pass(config: GuardedConfig): Promise<void>
  /** Counts the result of a call; `error` undefined: success. */
  note(config: GuardedConfig, error?: unknown): Promise<void>
}

export default fp(
  async (app) => {
    // Not the transaction in which the connection may have been opened.
    const { db } = app
    app.dueTimes.bound(BREAKERS_DUE)
    app.decorate('circuitBreakers', {
      async pass({ id, breaker_next_try: nextTry }) {
        if (nextTry === null || (await bookkeeping(() => takeTry(db, id)))) return
        const seconds = await secondsToTry(db, id)
        if (seconds !== null) throw new ProviderPaused(Math.max(1, Math.ceil(seconds)))
      },
      async note(config, error) {
        const failed = isUnreachable(error)
        if (!failed && config.breaker_failures === 0) return
        // The call's own result counts, whether or not this can be stored.
        const note = failed ? noteUnreachable : closeCircuit
        await bookkeeping(() => note(db, config.id)).catch((fault: unknown) =>
          app.log[levelOf(fault)](
            { err: fault, providerConfigId: config.id },
            'circuit breaker state not stored',
          ),
        )
      },
    } satisfies CircuitBreakers)
  },
  { name: 'circuit-breakers', dependencies: ['db', 'work'] },
)

/**
 * No connection, or no answer in time; any answer means the server was reached. That our own time for a request is over
 * says nothing about the provider: a slow one was called many times in it.
 */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof ProviderError) || !(error.cause instanceof OutboundError)) return false
  if (error.cause.kind === 'aborted') return false
  if (error.kind === 'timeout') return true
  return error.kind === 'unavailable' && !error.cause.sent && error.cause.kind !== 'blocked'
}
