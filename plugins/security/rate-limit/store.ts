import { createHash } from 'node:crypto'
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Executor } from '../../../db/connection/connect.ts'
import { countRequest } from './queries.ts'

type Count = FastifyRateLimitStore['incr']

/** The limit of all requests counts by `countAll`; the narrower limits of single routes count in the database, for all. */
export function createStore(db: Executor, countAll: Count): FastifyRateLimitStoreCtor {
  return class implements FastifyRateLimitStore {
    readonly incr = countAll

    child(limit: object): FastifyRateLimitStore {
      const { routeInfo } = limit as { routeInfo: { method?: string; url?: string } }
      const route = `${routeInfo.method ?? ''} ${routeInfo.url ?? ''}`
      return { incr: countInDatabase(db, route), child: (inner) => this.child(inner) }
    }
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
