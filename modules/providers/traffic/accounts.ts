import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import { systemClock } from './clock.ts'
import type { AccountShare, Clock } from '../context.ts'
import type { Provider, Rate } from '../contract.ts'
import { createLimiter, type Pauses, type SharedLimiter } from './limiter.ts'

declare module 'fastify' {
  interface FastifyInstance {
    providerAccounts: Accounts
  }
}

/** An account's state on this instance. */
interface Share extends AccountShare {
  limiter: SharedLimiter
}

/** State shared by the adapters of one account, for any request or connection. */
export interface Accounts {
  shareOf(provider: Provider, credentials: Record<string, string>): AccountShare
}

/** Others are dropped: accounts with few calls are not limited. */
const MAX_ACCOUNTS = 1_000
/** Pauses of accounts, and of zones where a limit is one of the zone. */
const MAX_PAUSES = 10_000
const MAX_PAUSE_MS = 3_600_000
const WORTH_TELLING_MS = 500
/** Interval of reports about calls to other instances, in seconds. */
const TELLING_SECONDS = 1
// A NOTIFY message holds 8,000 bytes.
const MAX_TOLD = 50

export default fp(
  async (app) => {
    const instance = crypto.randomUUID()
    const shares = new LRUCache<string, Share>({ max: MAX_ACCOUNTS })
    const untold = new Map<string, { read: number; write: number }>()
    const pausedUntil = new LRUCache<string, number>({ max: MAX_PAUSES })

    app.events.on('provider.paused', ({ accountId, calls, milliseconds }) => {
      const until = systemClock.now() + milliseconds
      const key = `${accountId} ${calls}`
      pausedUntil.set(key, Math.max(pausedUntil.get(key) ?? 0, until))
    })

    app.events.on('provider.called', ({ instance: caller, calls }) => {
      if (caller === instance) return
      for (const [accountId, reads, writes] of calls) {
        const limiter = shares.get(accountId)?.limiter
        limiter?.countOthers('read', reads)
        limiter?.countOthers('write', writes)
      }
    })

    app.work.everyInstance(TELLING_SECONDS, 'provider calls', async () => {
      const calls = Array.from(untold, ([id, { read, write }]): [string, number, number] => [id, read, write])
      untold.clear()
      for (let at = 0; at < calls.length; at += MAX_TOLD)
        app.events.emit('provider.called', { instance, calls: calls.slice(at, at + MAX_TOLD) })
    })

    const counting = (accountId: string) => (of: 'read' | 'write') => {
      const calls = untold.get(accountId) ?? { read: 0, write: 0 }
      calls[of]++
      untold.set(accountId, calls)
    }

    const pausesOf = (provider: string, accountId: string): Pauses => ({
      until: (calls) => pausedUntil.get(`${accountId} ${calls}`) ?? 0,
      set(calls, wanted) {
        const milliseconds = Math.min(wanted, MAX_PAUSE_MS)
        // Concurrent calls are refused one by one.
        const known = (pausedUntil.get(`${accountId} ${calls}`) ?? 0) - systemClock.now()
        if (milliseconds - known < WORTH_TELLING_MS) return
        app.log.warn({ provider, calls, milliseconds }, 'provider account paused after a rate limit answer')
        app.events.emit('provider.paused', { accountId, calls, milliseconds })
      },
    })

    app.decorate('providerAccounts', {
      shareOf({ key, rates = [] }, credentials) {
        const input = Object.entries(credentials).sort(([a], [b]) => (a < b ? -1 : 1))
        const accountId = app.secrets.derive('provider-account', JSON.stringify([key, input]))
        const share =
          shares.get(accountId) ??
          // Accounts without a known limit are not counted.
          createShare(
            accountId,
            rates,
            pausesOf(key, accountId),
            systemClock,
            rates.length > 0 ? counting(accountId) : undefined,
          )
        shares.set(accountId, share)
        return share
      },
    } satisfies Accounts)
  },
  { name: 'provider-accounts', dependencies: ['events', 'secrets', 'work'] },
)

/** An account that was not used yet. */
export function createShare(
  accountId: string,
  rates: readonly Rate[],
  pauses: Pauses,
  clock: Clock,
  made?: (of: 'read' | 'write') => void,
): Share {
  const states = new Map<() => object, object>()
  return {
    accountId,
    limiter: createLimiter(rates, pauses, clock, made),
    state<T extends object>(make: () => T): T {
      const state = (states.get(make) as T | undefined) ?? make()
      states.set(make, state)
      return state
    },
  }
}
