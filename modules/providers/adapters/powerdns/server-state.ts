import type { Http } from '../../../../plugins/http.ts'
import { ProviderError } from '../../contract.ts'

/** How to read one RRset with its disabled records; see reader.ts. */
export type Way = 'filter' | 'search' | 'zone'

/** What all adapters share that work on one server: an adapter lives only for one request. */
export interface ServerState {
  way: { is: Way; until: number } | undefined
  /** Settles when the last write in line is done; never rejects. */
  lastWrite: Promise<void>
}

const MAX_SERVERS = 1000

const states = new WeakMap<Http, Map<string, ServerState>>()

export function stateOf(http: Http, baseUrl: string): ServerState {
  const servers = states.get(http) ?? new Map<string, ServerState>()
  states.set(http, servers)
  const known = servers.get(baseUrl)
  if (known !== undefined) return known
  if (servers.size >= MAX_SERVERS) servers.clear()
  const state: ServerState = { way: undefined, lastWrite: Promise.resolve() }
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
