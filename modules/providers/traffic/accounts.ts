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

/** An account as its instance keeps it. */
interface Share extends AccountShare {
  limiter: SharedLimiter
}

/** What the adapters of one account share, whichever request or configuration they are opened for. */
export interface Accounts {
  shareOf(provider: Provider, credentials: Record<string, string>): AccountShare
}

/** The rest is forgotten: who calls seldom is not limited. */
const MAX_ACCOUNTS = 1_000
const MAX_PAUSE_MS = 3_600_000
const WORTH_TELLING_MS = 500
/** Seconds after which others hear of calls. */
const TELLING_SECONDS = 1
// A message between instances has 8,000 bytes.
const MAX_TOLD = 50

export default fp(
  async (app) => {
    const instance = crypto.randomUUID()
    const shares = new LRUCache<string, Share>({ max: MAX_ACCOUNTS })
    const untold = new Map<string, { read: number; write: number }>()
    const pausedUntil = new LRUCache<string, number>({ max: MAX_ACCOUNTS })

    app.events.on('provider.paused', ({ accountId, milliseconds }) => {
      const until = systemClock.now() + milliseconds
      pausedUntil.set(accountId, Math.max(pausedUntil.get(accountId) ?? 0, until))
    })

    app.events.on('provider.called', ({ instance: caller, calls }) => {
      if (caller === instance) return
      for (const [accountId, reads, writes] of calls) {
        const limiter = shares.get(accountId)?.limiter
        limiter?.countOthers('read', reads)
        limiter?.countOthers('write', writes)
      }
    })

    app.work.everyInstance(TELLING_SECONDS, 'calls of providers', async () => {
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
      until: () => pausedUntil.get(accountId) ?? 0,
      set(wanted) {
        const milliseconds = Math.min(wanted, MAX_PAUSE_MS)
        // Of calls that were under way together each is refused.
        const known = (pausedUntil.get(accountId) ?? 0) - systemClock.now()
        if (milliseconds - known < WORTH_TELLING_MS) return
        app.log.warn({ provider, milliseconds }, 'a provider wants fewer calls: the account is left alone')
        app.events.emit('provider.paused', { accountId, milliseconds })
      },
    })

    app.decorate('providerAccounts', {
      shareOf({ key, rates = [] }, credentials) {
        const input = Object.entries(credentials).sort(([a], [b]) => (a < b ? -1 : 1))
        const accountId = app.secrets.derive('provider-account', JSON.stringify([key, input]))
        const share =
          shares.get(accountId) ??
          // What is not limited by us is not counted.
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

/** Of an account that nobody has used yet. */
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
