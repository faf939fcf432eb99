import { LRUCache } from 'lru-cache'
import type { Http } from '../../../../plugins/http.ts'
import { ProviderError } from '../../contract.ts'

/** How one RRset is read with its disabled records (see reader.ts), and how long that took. */
export interface SingleRead {
  by: 'filter' | 'search'
  ms: number
}

/** What all adapters share that work on one server: an adapter lives only for one request. */
export interface ServerState {
  /** `until`: milliseconds since 1970. */
  single: { read: SingleRead | null; until: number } | undefined
  /** Settles when the last write in line is done; never rejects. */
  lastWrite: Promise<void>
}

const MAX_SERVERS = 1000

const states = new WeakMap<Http, LRUCache<string, ServerState>>()

export function stateOf(http: Http, baseUrl: string): ServerState {
  const servers = states.get(http) ?? new LRUCache<string, ServerState>({ max: MAX_SERVERS })
  states.set(http, servers)
  const known = servers.get(baseUrl)
  if (known !== undefined) return known
  const state: ServerState = { single: undefined, lastWrite: Promise.resolve() }
  servers.set(baseUrl, state)
  return state
}

/**
 * One write after the other on each server: of two at the same time, PowerDNS on SQLite (its backend in
 * small installations) fails one with status 500, as both have read before either writes.
 */
export async function inTurn<T>(
  state: ServerState,
  signal: AbortSignal,
  write: () => Promise<T>,
): Promise<T> {
  const before = state.lastWrite
  const { promise: done, resolve: leave } = Promise.withResolvers<void>()
  state.lastWrite = before.then(() => done)
  try {
    await waitFor(before, signal)
    return await write()
  } finally {
    leave()
  }
}

async function waitFor(before: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(new ProviderError('timeout', 'PowerDNS is busy with earlier changes'))
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    await Promise.race([before, aborted])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
