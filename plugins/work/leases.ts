import fp from 'fastify-plugin'
import { v7 as uuidv7 } from 'uuid'
import { bookkeeping } from '../../db/connection/effects.ts'
import { endAllLeases, endLease, renewLeases, takeLease, type LeaseKind } from './leases-queries.ts'
import { levelOf } from '../http/logging.ts'

declare module 'fastify' {
  interface FastifyInstance {
    leases: Leases
  }
}

/** What lasts no longer than this after the death of an instance. */
export const LEASE_SECONDS = 10
/** Several times in a lease, so that one that comes late ends nothing. */
const RENEWAL_SECONDS = 2

/** Ids of what this instance holds; all of them are renewed by one statement. */
export interface Held {
  add(id: string): void
  delete(id: string): void
  ids(): string[]
}

/**
 * Leases are short, and renewed as long as the work goes on: those of an instance that dies are over LEASE_SECONDS
 * later. One that stands still for that long loses them too, so the work itself must bear to be done twice.
 */
export interface Leases {
  /** This instance, as its leases name it. */
  holder: string
  /** Takes the lease; false when somebody else has it. */
  take(kind: LeaseKind, subject: string): Promise<boolean>
  /** Renews a lease that a statement of the caller's has taken in the name of `holder`. */
  keep(kind: LeaseKind, subject: string): void
  /** Gives it back. Never rejects: what can't be given back is over by itself. */
  end(kind: LeaseKind, subject: string): Promise<void>
  /** The same for what has its lease in a table of its own: `renew` is called with what is held. */
  renewing(name: string, renew: (ids: string[]) => Promise<unknown>): Held
}

export default fp<{ alone: boolean }>(
  async (app, { alone }) => {
    const { db, jobsDb } = app
    const holder = uuidv7()

    const renewing: Leases['renewing'] = (name, renew) => {
      const ids = new Set<string>()
      app.timers.every(RENEWAL_SECONDS, `leases of ${name}`, async () => {
        if (ids.size > 0) await renew([...ids])
      })
      return { add: (id) => void ids.add(id), delete: (id) => void ids.delete(id), ids: () => [...ids] }
    }
    const keyOf = (kind: LeaseKind, subject: string) => `${kind} ${subject}`
    const held = renewing('work', (keys) => renewLeases(jobsDb, holder, keys, LEASE_SECONDS))

    app.decorate('leases', {
      holder,
      async take(kind, subject) {
        const lease = { kind, subject, holder, seconds: LEASE_SECONDS }
        const taken = await bookkeeping(() => takeLease(db, lease))
        if (taken) held.add(keyOf(kind, subject))
        return taken
      },
      keep: (kind, subject) => held.add(keyOf(kind, subject)),
      async end(kind, subject) {
        held.delete(keyOf(kind, subject))
        await bookkeeping(() => endLease(db, { kind, subject, holder })).catch((error: unknown) =>
          app.log[levelOf(error)]({ err: error, kind, subject }, 'a lease could not be given back'),
        )
      },
      renewing,
    } satisfies Leases)

    app.dueTimes.bound({ table: 'leases', column: 'until', longest: LEASE_SECONDS })

    // Whoever held one is gone: no other instance works on this database.
    if (alone) app.addHook('onReady', () => endAllLeases(jobsDb))
  },
  { name: 'leases', dependencies: ['db', 'timers', 'due-times'] },
)
