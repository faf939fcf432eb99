import type { FastifyBaseLogger } from 'fastify'
import type { Redis } from 'ioredis'
import fp from 'fastify-plugin'
import { withinTimeLimit } from '../../../db/connection/time-limit.ts'

/** Counters that several instances share and that may be lost. */
export interface SharedCounters {
  /** False from when it refuses or does not answer in time until it answers again: then nobody should wait for it. */
  readonly answers: boolean
  /**
   * Counts one more under the key; answers how many there were in its window, and for how many milliseconds that still
   * goes on. Rejects within 250 ms.
   */
  count(key: string, windowMs: number): Promise<{ current: number; ttl: number }>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Null: nothing is shared but the database. */
    redis: SharedCounters | null
  }
}

const NAMESPACE = 'zonekeeper:limit:'
const CONNECT_MS = 2_000
const ANSWER_MS = 250
const LOOK_SECONDS = 1
const RECONNECT_MS = 500
/** A connection on which nothing has come for so long is replaced: it may be one that the network has forgotten. */
const SILENCE_MS = 5_000

/** In one step, or a counter could stay without an end. */
const COUNT = `
  local current = redis.call('INCR', KEYS[1])
  if current == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  return {current, redis.call('PTTL', KEYS[1])}
`

/** A Redis that is away delays nobody: after the first who waited in vain it is asked by a timer alone. */
export default fp<{ redisUrl: string | null }>(
  async (app, { redisUrl }) => {
    if (redisUrl === null) {
      app.decorate('redis', null)
      return
    }
    const { client, failure } = await connect(redisUrl, app.log)
    let answers = true

    function tell(failure: Error | null): void {
      if (answers === (failure === null)) return
      answers = failure === null
      if (failure)
        app.log.error({ reason: failure.message }, 'Redis does not answer: limits count without it')
      else app.log.info('Redis answers again')
    }

    async function count(key: string, windowMs: number) {
      try {
        const asked = client.eval(COUNT, 1, NAMESPACE + key, windowMs) as Promise<[number, number]>
        const [current, ttl] = await withinTimeLimit(asked, ANSWER_MS, noAnswer)
        tell(null)
        return { current, ttl }
      } catch (error) {
        tell(error as Error)
        throw error
      }
    }

    /** As requests ask: one that can be reached, but does not let us write, is of no use either. */
    const look = async () => void (await count('look', LOOK_SECONDS * 1000))

    if (failure) tell(failure)
    app.decorate('redis', {
      count,
      get answers() {
        return answers
      },
    } satisfies SharedCounters)
    // A failure is in the log once, by `tell`.
    app.timers.every(LOOK_SECONDS, 'Redis', () => look().catch(() => {}))
    app.addHook('onClose', async () => client.disconnect())
  },
  { name: 'redis', dependencies: ['timers'] },
)

const noAnswer = () => new Error(`no answer within ${ANSWER_MS} ms`)

/**
 * A connection that is opened again by itself, also when it can't be opened now: then with the reason. Loaded only
 * where there is a Redis.
 */
async function connect(
  url: string,
  log: FastifyBaseLogger,
): Promise<{ client: Redis; failure: Error | null }> {
  const { Redis } = await import('ioredis')
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    retryStrategy: () => RECONNECT_MS,
    // What could not be sent or was not answered fails: a count that is late is of no use.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  })
  let reason = noAnswer()
  client.on('error', (error: Error) => {
    reason = error
    log.debug({ err: error }, 'Redis')
  })
  return withinTimeLimit(client.connect(), CONNECT_MS, noAnswer).then(
    () => ({ client, failure: null }),
    () => ({ client, failure: reason }),
  )
}
