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

/** The slots of this instance's open streams, which limit the streams of a user on all instances together. */
export interface StreamSlots {
  /** Takes a slot and returns how to give it back. Rejects with 429 if the user has none left. */
  take(userId: string): Promise<() => void>
  /** Renews the held slots; called several times in LEASE_SECONDS. */
  renew(): Promise<void>
  /** Resolves when all slots given back are free. */
  released(): Promise<void>
}

interface Options {
  db: Kysely<Database>
  /** For work that no request waits for. */
  jobsDb: Kysely<Database>
  log: FastifyBaseLogger
}

const tooManyStreams = () =>
  new AppError(
    429,
    'rate_limited',
    `Limit of ${STREAMS_OF_A_USER} open streams per user reached; close one first`,
    { headers: { 'retry-after': String(LEASE_SECONDS) } },
  )

export function createStreamSlots({ db, jobsDb, log }: Options): StreamSlots {
  const held = new Set<string>()
  const ended: string[] = []
  let releasing: Promise<void> | null = null

  /** Slots not released are no longer renewed, and are free when their lease ends. */
  async function release(): Promise<void> {
    try {
      while (ended.length > 0) await releaseSlots(jobsDb, ended.splice(0))
    } catch (error) {
      log[levelOf(error)]({ err: error }, 'stream slots not released')
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
      // A stream overtaken once for each slot finds none.
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
