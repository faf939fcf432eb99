import { normalizeIP } from '@fastify/rate-limit'
import { LRUCache } from 'lru-cache'

/** Bounds the work of an instance, across all clients. */
export interface Bounds {
  /** Whether one more unauthenticated message of that address is answered. */
  admits(ip: string): boolean
  /** Look-ups of keys. */
  lookUps: Slots
  /** Updates, by key. */
  updates: Slots
  /** Zone transfers, by key. */
  transfers: Slots
}

/** Answers to unauthenticated messages, per second: of one network, and of all together. */
const NETWORK_RATE = 10
const TOTAL_RATE = 500
const NETWORKS = 10_000
const IPV6_PREFIX = 64

export function createBounds(now: () => number = Date.now): Bounds {
  const networks = new LRUCache<string, Bucket>({ max: NETWORKS })
  const total = createBucket(TOTAL_RATE, now)
  return {
    admits(ip) {
      const network = normalizeIP(ip, IPV6_PREFIX)
      let bucket = networks.get(network)
      if (!bucket) networks.set(network, (bucket = createBucket(NETWORK_RATE, now)))
      return bucket.take() && total.take()
    },
    lookUps: createSlots({ each: 32, all: 32, waiting: 256 }),
    updates: createSlots({ each: 8, all: 64, waiting: 64 }),
    transfers: createSlots({ each: 2, all: 4, waiting: 8 }),
  }
}

interface Bucket {
  /** Whether there was one left. */
  take(): boolean
}

/** Fills at `rate` a second, up to twice as many. */
function createBucket(rate: number, now: () => number): Bucket {
  let left = 2 * rate
  let at = now()
  return {
    take() {
      const time = now()
      left = Math.min(2 * rate, left + ((time - at) / 1000) * rate)
      at = time
      if (left < 1) return false
      left--
      return true
    },
  }
}

/** Work that runs or waits, by key. */
export interface Slots {
  /** Waits for a slot, and returns what ends its use; null, at once, if too many wait already. */
  enter(key: string): Promise<(() => void) | null>
}

/** `each`: running per key; `all`: running; `waiting`: waiting per key. */
export function createSlots({ each, all, waiting }: { each: number; all: number; waiting: number }): Slots {
  const running = new Map<string, number>()
  const queue: { key: string; begin: (end: () => void) => void }[] = []
  let total = 0

  const count = (key: string) => running.get(key) ?? 0
  const isFree = (key: string) => total < all && count(key) < each

  function begin(key: string): () => void {
    total++
    running.set(key, count(key) + 1)
    return () => {
      total--
      if (count(key) === 1) running.delete(key)
      else running.set(key, count(key) - 1)
      const next = queue.findIndex((one) => isFree(one.key))
      const [one] = next === -1 ? [] : queue.splice(next, 1)
      one?.begin(begin(one.key))
    }
  }

  return {
    async enter(key) {
      if (isFree(key)) return begin(key)
      if (queue.filter((one) => one.key === key).length >= waiting) return null
      return new Promise((resolve) => queue.push({ key, begin: resolve }))
    },
  }
}
