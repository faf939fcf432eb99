import type { FastifyInstance } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { bookkeeping } from '../../db/connection/effects.ts'
import { isUnavailable } from '../../db/connection/errors.ts'
import { levelOf } from '../http/logging.ts'
import { endAllLeases, endLease, renewLeases, takeLease, type LeaseKind } from './leases-queries.ts'
import type { Timers } from './timers.ts'

/** How long a claim of a dead instance lasts. */
export const LEASE_SECONDS = 10
/** Renewed several times per lease, so that a late renewal loses nothing. */
export const RENEWAL_SECONDS = 2

/** Ids held by this instance, all renewed by one statement. */
export interface Held {
  add(id: string): void
  delete(id: string): void
  ids(): string[]
}

/**
 * Claims on subjects that have no due time of their own, such as a domain during its sync. A lease lasts LEASE_SECONDS
 * and is renewed until it ends. An instance that stands still that long loses its leases too: the work must tolerate
 * being repeated.
 */
export interface Leases {
  /** The id of this instance in its leases. */
  holder: string
  /** Takes the lease; false when another has it. */
  take(kind: LeaseKind, subject: string): Promise<boolean>
  /** Renews from now on a lease that a statement has taken in the name of `holder`. */
  keep(kind: LeaseKind, subject: string): void
  /** Gives the lease back, if need be when the database answers again. Never rejects: at worst the lease lapses. */
  end(kind: LeaseKind, subject: string): Promise<void>
  /** The parts of a work queue whose `claim` takes leases in the name of `holder`. */
  ofQueue<Row>(
    kind: LeaseKind,
    subjectOf: (row: Row) => string,
  ): { renew: (rows: Row[]) => Promise<unknown>; release: (row: Row) => Promise<void> }
  /** Renews claims in a table of the caller's: calls `renew` with the ids held. */
  renewing(name: string, renew: (ids: string[]) => Promise<unknown>): Held
}

/** `alone`: no other instance uses the database, so the leases found at the start belong to nobody. */
export function createLeases(app: FastifyInstance, timers: Timers, alone: boolean): Leases {
  const { db, jobsDb } = app
  const holder = uuidv7()

  const renewing: Leases['renewing'] = (name, renew) => {
    const ids = new Set<string>()
    timers.everyInstance(RENEWAL_SECONDS, `claims of ${name}`, async () => {
      if (ids.size > 0) await renew([...ids])
    })
    return { add: (id) => void ids.add(id), delete: (id) => void ids.delete(id), ids: () => [...ids] }
  }
  const keyOf = (kind: LeaseKind, subject: string) => `${kind} ${subject}`
  const renew = (keys: string[]) => renewLeases(jobsDb, holder, keys, LEASE_SECONDS)
  const held = renewing('leases', renew)

  /** Ended while the database was unavailable, with the time (milliseconds since 1970) from which they may have lapsed. */
  const owed = new Map<string, { kind: LeaseKind; subject: string; until: number }>()

  async function giveBack(kind: LeaseKind, subject: string, until: number): Promise<void> {
    await bookkeeping(() => endLease(db, { kind, subject, holder })).catch((error: unknown) => {
      if (isUnavailable(error)) owed.set(keyOf(kind, subject), { kind, subject, until })
      app.log[levelOf(error)]({ err: error, kind, subject }, 'lease not given back')
    })
  }

  async function end(kind: LeaseKind, subject: string): Promise<void> {
    held.delete(keyOf(kind, subject))
    await giveBack(kind, subject, Date.now() + (LEASE_SECONDS - RENEWAL_SECONDS) * 1000)
  }

  timers.everyInstance(1, 'leases to give back', async () => {
    const due = new Map(owed)
    owed.clear()
    for (const [key, { kind, subject, until }] of due) {
      // Once it may have lapsed, it may also have been taken again.
      if (Date.now() < until && !held.ids().includes(key)) await giveBack(kind, subject, until)
    }
  })

  app.dueTimes.bound({ table: 'leases', column: 'until', longest: LEASE_SECONDS })
  if (alone) app.addHook('onReady', () => endAllLeases(jobsDb))

  return {
    holder,
    async take(kind, subject) {
      const taken = await bookkeeping(() => takeLease(db, { kind, subject, holder, seconds: LEASE_SECONDS }))
      if (!taken) return false
      held.add(keyOf(kind, subject))
      owed.delete(keyOf(kind, subject))
      return true
    },
    keep: (kind, subject) => held.add(keyOf(kind, subject)),
    end,
    ofQueue: (kind, subjectOf) => ({
      renew: (rows) => renew(rows.map((row) => keyOf(kind, subjectOf(row)))),
      release: (row) => end(kind, subjectOf(row)),
    }),
    renewing,
  }
}
