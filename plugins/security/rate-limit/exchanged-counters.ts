import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import { LRUCache } from 'lru-cache'
import type { Executor } from '../../../db/connection/connect.ts'
import { addCounts } from './queries.ts'
import { digest } from './store.ts'

interface Counter {
  /** Hash of the key. */
  id: Buffer
  /** Over all instances, as of the last exchange. */
  known: number
  /** Counted here since then. */
  own: number
  /** Milliseconds since 1970. */
  endsAt: number
}

/** Others are dropped: clients with few requests are not limited. */
const MAX_COUNTERS = 20_000
/** Share of the limit below which a count since the last exchange is not worth a row. */
const WORTH = 0.05

/**
 * Counts every request in memory and exchanges the counts with other instances through the database. In
 * total, at most a second's worth too many pass, plus WORTH per instance.
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
    // In the same order on all instances, so that they don't deadlock.
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
