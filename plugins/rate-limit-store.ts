import { createHash } from 'node:crypto'
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import { LRUCache } from 'lru-cache'
import type { Executor } from '../db/connect.ts'
import { countRequest } from './rate-limit-queries.ts'

type Count = FastifyRateLimitStore['incr']

const MAX_COUNTERS = 20_000

/**
 * Counters where there is no Redis. The limit of all requests counts in the memory of each instance; the
 * narrower limits of single routes count in the database, for all instances together.
 */
export function createStore(db: Executor): FastifyRateLimitStoreCtor {
  return class implements FastifyRateLimitStore {
    readonly incr = countInMemory()

    child(limit: object): FastifyRateLimitStore {
      const { routeInfo } = limit as { routeInfo: { method?: string; url?: string } }
      const route = `${routeInfo.method ?? ''} ${routeInfo.url ?? ''}`
      return { incr: countInDatabase(db, route), child: (inner) => this.child(inner) }
    }
  }
}

function countInMemory(): Count {
  const counters = new LRUCache<string, number>({ max: MAX_COUNTERS })
  return (key, callback, windowMs) => {
    const current = (counters.get(key) ?? 0) + 1
    counters.set(key, current, current === 1 ? { ttl: windowMs } : { noUpdateTTL: true })
    callback(null, { current, ttl: counters.getRemainingTTL(key) })
  }
}

/** Keys are hashed: they hold what clients sent, of any length. */
const countInDatabase =
  (db: Executor, route: string): Count =>
  (key, callback, windowMs) => {
    const hash = createHash('sha256').update(`${route} ${key}`).digest()
    countRequest(db, hash, windowMs).then((count) => callback(null, count), callback)
  }
