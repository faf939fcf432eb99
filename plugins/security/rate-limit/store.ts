import { createHash } from 'node:crypto'
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Executor } from '../../../db/connection/connect.ts'
import { countRequest } from './queries.ts'
import type { SharedCounters } from './redis.ts'

type Count = FastifyRateLimitStore['incr']

/**
 * Counters in Redis, for all instances together. Where there is none, and while it is away, the limit of all requests
 * counts by `countAll`; the narrower limits of single routes count in the database, for all.
 */
export function createStore(
  db: Executor,
  redis: SharedCounters | null,
  countAll: Count,
): FastifyRateLimitStoreCtor {
  return class implements FastifyRateLimitStore {
    readonly incr = countShared(redis, '', countAll)

    child(limit: object): FastifyRateLimitStore {
      const { routeInfo } = limit as { routeInfo: { method?: string; url?: string } }
      const route = `${routeInfo.method ?? ''} ${routeInfo.url ?? ''}`
      const incr = countShared(redis, route, countInDatabase(db, route))
      return { incr, child: (inner) => this.child(inner) }
    }
  }
}

function countShared(redis: SharedCounters | null, route: string, otherwise: Count): Count {
  if (redis === null) return otherwise
  return (key, callback, windowMs, max) => {
    if (!redis.answers) return otherwise(key, callback, windowMs, max)
    redis.count(digest(route, key).toString('base64url'), windowMs).then(
      (count) => callback(null, count),
      () => otherwise(key, callback, windowMs, max),
    )
  }
}

const countInDatabase =
  (db: Executor, route: string): Count =>
  (key, callback, windowMs) => {
    countRequest(db, digest(route, key), windowMs).then((count) => callback(null, count), callback)
  }

/** Keys hold what clients sent, of any length. */
export const digest = (route: string, key: string): Buffer =>
  createHash('sha256').update(`${route} ${key}`).digest()
