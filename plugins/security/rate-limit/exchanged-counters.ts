import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import { LRUCache } from 'lru-cache'
import type { Executor } from '../../../db/connection/connect.ts'
import { addCounts } from './queries.ts'
import { digest } from './store.ts'

interface Counter {
  /** Hash of the key. */
  id: Buffer
  /** Of all instances, as of the last exchange. */
  known: number
  /** Counted here since. */
  own: number
  /** Milliseconds since 1970. */
  endsAt: number
}

/** The rest is forgotten: who asks seldom is not limited. */
const MAX_COUNTERS = 20_000
/** Of the limit: who has taken less of it here since the last exchange is not worth a row. */
const WORTH = 0.05

/**
 * Counts in memory, since each request does, and exchanges with the other instances by the database what was
 * counted: together they let at most a second's worth too much pass, and WORTH for each.
 */
export function createExchangedCounters(db: Executor, { max, windowMs }: { max: number; windowMs: number }) {
  const counters = new LRUCache<string, Counter>({ max: MAX_COUNTERS })

  const count: FastifyRateLimitStore['incr'] = (key, callback) => {
    const now = Date.now()
    let counter = counters.get(key)
    if (!counter || counter.endsAt <= now) {
      counter = { id: digest('', key), known: 0, own: 0, endsAt: now + windowMs }
      counters.set(key, counter)
    }
    counter.own++
    callback(null, { current: counter.known + counter.own, ttl: counter.endsAt - now })
  }

  async function exchange(): Promise<void> {
    // In one order on all instances, so that none waits for another in a circle.
    const sent = [...counters.values()]
      .filter(({ own }) => own > 0 && own >= max * WORTH)
      .map((counter) => ({ counter, own: counter.own }))
      .sort((a, b) => a.counter.id.compare(b.counter.id))
    if (sent.length === 0) return
    const totals = await addCounts(
      db,
      sent.map(({ counter, own }) => ({ key: counter.id, count: own })),
      windowMs,
    )
    const byKey = new Map(totals.map((total) => [total.key.toString('hex'), total]))
    for (const { counter, own } of sent) {
      const total = byKey.get(counter.id.toString('hex'))
      if (!total) continue
      counter.known = total.current
      counter.own -= own
      counter.endsAt = Date.now() + total.ttl
    }
  }

  return { count, exchange }
}
