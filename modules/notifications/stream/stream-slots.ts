import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/tables/index.ts'
import { AppError } from '../../../plugins/http/errors.ts'
import { levelOf } from '../../../plugins/http/logging.ts'
import {
  LEASE_SECONDS,
  releaseSlots,
  renewSlots,
  STREAMS_OF_A_USER,
  takeSlot,
} from './stream-slots-queries.ts'

/** The slots of this instance's open streams; users have a number of them on all instances together. */
export interface StreamSlots {
  /** Takes a slot, and answers what gives it back. Rejects with 429 when the user has none left. */
  take(userId: string): Promise<() => void>
  /** Keeps the slots that are held; to be called several times in LEASE_SECONDS. */
  renew(): Promise<void>
  /** Resolves when all that was given back is free. */
  released(): Promise<void>
}

interface Options {
  db: Kysely<Database>
  /** For what no request waits for. */
  jobsDb: Kysely<Database>
  log: FastifyBaseLogger
}

const tooManyStreams = () =>
  new AppError(
    429,
    'rate_limited',
    `A user may have ${STREAMS_OF_A_USER} streams open at a time; close one first`,
    { headers: { 'retry-after': String(LEASE_SECONDS) } },
  )

export function createStreamSlots({ db, jobsDb, log }: Options): StreamSlots {
  const held = new Set<string>()
  const ended: string[] = []
  let releasing: Promise<void> | null = null

  /** What could not be released is not renewed either, and free when its lease is over. */
  async function release(): Promise<void> {
    try {
      while (ended.length > 0) await releaseSlots(jobsDb, ended.splice(0))
    } catch (error) {
      log[levelOf(error)]({ err: error }, 'slots of ended streams')
    } finally {
      releasing = null
    }
  }

  function giveBack(id: string): void {
    held.delete(id)
    ended.push(id)
    releasing ??= release()
  }

  return {
    async take(userId) {
      const id = crypto.randomUUID()
      // Whoever is overtaken as often as there are slots finds none.
      for (let tries = 0; tries < STREAMS_OF_A_USER; tries++) {
        if (!(await takeSlot(db, userId, id))) continue
        held.add(id)
        return () => giveBack(id)
      }
      throw tooManyStreams()
    },
    async renew() {
      if (held.size > 0) await renewSlots(jobsDb, [...held])
    },
    async released() {
      await releasing
    },
  }
}
