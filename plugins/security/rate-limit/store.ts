import { createHash } from 'node:crypto'
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Executor } from '../../../db/connection/connect.ts'
import { countRequest } from './queries.ts'

type Count = FastifyRateLimitStore['incr']

/** Options of one route's limit. The plugin documents `routeInfo`, but its types omit it. */
type RouteLimit = Parameters<FastifyRateLimitStore['child']>[0] & {
  routeInfo: { method?: string; url?: string }
}

/**
 * Counts all requests with `countAll`; limits of single routes are counted in the database, shared by all
 * instances.
 */
export function createStore(db: Executor, countAll: Count): FastifyRateLimitStoreCtor {
  return class implements FastifyRateLimitStore {
    readonly incr = countAll

    child({ routeInfo: { method = '', url = '' } }: RouteLimit): FastifyRateLimitStore {
      const route = `${method} ${url}`
      return { incr: countInDatabase(db, route), child: (inner: RouteLimit) => this.child(inner) }
    }
  }
}

const countInDatabase =
  (db: Executor, route: string): Count =>
  (key, callback, windowMs) => {
    countRequest(db, digest(route, key), windowMs).then((total) => callback(null, total), callback)
  }

/** Hashes a key, because keys contain client text of any length. */
export const digest = (route: string, key: string): Buffer =>
  createHash('sha256').update(`${route} ${key}`).digest()
