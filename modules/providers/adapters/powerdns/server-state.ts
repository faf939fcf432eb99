import { LRUCache } from 'lru-cache'
import type { Http } from '../../../../plugins/http.ts'

/** How one RRset is read with its disabled records (see reader.ts), and how long that took. */
export interface SingleRead {
  by: 'filter' | 'search'
  ms: number
}

/** What all adapters share that work on one server: an adapter lives only for one request. */
export interface ServerState {
  /** `until`: milliseconds since 1970. */
  single: { read: SingleRead | null; until: number } | undefined
}

const MAX_SERVERS = 1000

const states = new WeakMap<Http, LRUCache<string, ServerState>>()

export function stateOf(http: Http, baseUrl: string): ServerState {
  const servers = states.get(http) ?? new LRUCache<string, ServerState>({ max: MAX_SERVERS })
  states.set(http, servers)
  const known = servers.get(baseUrl)
  if (known !== undefined) return known
  const state: ServerState = { single: undefined }
  servers.set(baseUrl, state)
  return state
}
