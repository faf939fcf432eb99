import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import fp from 'fastify-plugin'
import type { Executor } from '../../db/connection/connect.ts'
import { isUnavailable } from '../../db/connection/errors.ts'
import { JOBS_DUE } from './jobs-queries.ts'
import { levelOf } from '../http/logging.ts'

declare module 'fastify' {
  interface FastifyInstance {
    jobs: Jobs
  }
}

export interface QueueOptions {
  /**
   * How many of this queue's jobs run at a time on one instance; with a key, those of one key never run at
   * the same time anywhere. Default 1.
   */
  concurrency?: number
  /** When it runs by itself: cron, in UTC. One instance does it. */
  schedule?: string
}

export interface SendOptions {
  /**
   * Of this key at most one job waits and one runs: sending while one waits adds nothing, sending while
   * one runs makes it run once more. Jobs of a queue that have none count as of one key.
   */
  key?: string
}

/** The handler of a job; it must bear to be run again, since a job of an instance that died is taken over. */
export type JobHandler<D> = (data: D, signal: AbortSignal) => Promise<void>

/** Work that some instance does, once, whatever the number of instances: queues in the database. */
interface Jobs {
  /** Declares a queue and who works on it; before the start. */
  define<D extends object>(queue: string, handler: JobHandler<D>, options?: QueueOptions): void
  /** Queues a job, in the transaction of `db` when there is one. Without a runner nothing waits. */
  send(queue: string, data: object, options?: SendOptions & { db?: Executor }): Promise<void>
  /** Runs a queue's handler here and now, past the queue: for scripts and tests. */
  run(queue: string, data?: object): Promise<void>
  /** Begins to work. An instance that is never started queues nothing and works on nothing. */
  start(connection: pg.ClientConfig): Promise<void>
}

/** A job whose instance says nothing for that long is given to another. */
const HEARTBEAT_SECONDS = 10
const HEARTBEAT_REFRESH_SECONDS = 3
const SUPERVISE_SECONDS = 5
/** New jobs are announced; retries, and what a lost announcement left, lie no longer than that. */
const POLLING_SECONDS = 10
const POOL_SIZE = 2
/** More than any of the queue's own statements takes. */
const ANSWER_MS = 15_000
/** Between two tries to start while the database is away. */
const RETRY_MS = 1_000
/** What is running when the service stops has that long. */
const STOP_MS = 5_000

interface Queue {
  handler: JobHandler<never>
  options: QueueOptions
}

export default fp(
  async (app) => {
    const queues = new Map<string, Queue>()
    let starting: Promise<PgBoss> | null = null
    let closed = false

    async function boot(connection: pg.ClientConfig): Promise<PgBoss> {
      // Large, and nothing that the first answer needs.
      const { PgBoss } = await import('pg-boss')
      // A connection that does not answer is given up: it may lead to a server that another has replaced.
      const bounded: pg.ClientConfig = { ...connection, query_timeout: ANSWER_MS }
      const boss = new PgBoss({
        ...(bounded as object),
        application_name: 'zonekeeper jobs',
        max: POOL_SIZE,
        useListenNotify: true,
        superviseIntervalSeconds: SUPERVISE_SECONDS,
        // Without that each queue is only looked at once a minute.
        monitorIntervalSeconds: SUPERVISE_SECONDS,
      })
      boss.on('error', (error) => app.log[levelOf(error)]({ err: error }, 'job queue'))
      try {
        await boss.start()
        for (const [name, { handler, options }] of queues) await open(boss, name, handler, options)
        for (const due of JOBS_DUE) app.dueTimes.bound(due)
        return boss
      } catch (error) {
        await boss.stop({ graceful: false }).catch(() => {})
        throw error
      }
    }

    /** The service serves already: that the database goes away at this very moment must not end it. */
    async function bootWhenItAnswers(connection: pg.ClientConfig): Promise<PgBoss> {
      for (;;) {
        try {
          return await boot(connection)
        } catch (error) {
          if (closed || !isUnavailable(error)) throw error
          app.log.warn({ reason: (error as Error).message }, 'the job queue waits for the database')
          await sleep(RETRY_MS)
        }
      }
    }

    async function open(boss: PgBoss, name: string, handler: JobHandler<never>, options: QueueOptions) {
      await boss.createQueue(name, {
        // One waits of each key; that one runs is the workers' to see to. With `stately` a job that waits for
        // its own key would keep those of other keys behind it waiting.
        policy: 'short',
        notify: true,
        // The work itself knows when to try again.
        retryLimit: 1,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        deleteAfterSeconds: 3_600,
      })
      await boss.work<object>(
        name,
        {
          localConcurrency: options.concurrency ?? 1,
          groupConcurrency: 1,
          notifyPollingIntervalSeconds: POLLING_SECONDS,
          heartbeatRefreshSeconds: HEARTBEAT_REFRESH_SECONDS,
        },
        async (jobs) => {
          for (const job of jobs) {
            try {
              await work(name, handler, job.data, job.signal)
            } catch (error) {
              app.log[levelOf(error)]({ err: error, queue: name }, 'job failed')
              throw error
            }
          }
        },
      )
      if (options.schedule !== undefined) {
        await boss.schedule(name, options.schedule, {}, { tz: 'UTC', group: { id: name } })
      }
    }

    async function work(queue: string, handler: JobHandler<never>, data: object, signal: AbortSignal) {
      let result = 'failed'
      try {
        await handler(data as never, signal)
        result = 'ok'
      } finally {
        app.metrics.jobs.inc({ queue, result })
      }
    }

    app.decorate('jobs', {
      define: (queue, handler, options = {}) => {
        queues.set(queue, { handler, options })
      },
      send: async (queue, data, { key, db } = {}) => {
        if (starting === null) return
        const boss = await starting
        const { fromKysely } = await import('pg-boss')
        await boss.send(queue, data, {
          ...(key !== undefined && { singletonKey: key }),
          group: { id: key ?? queue },
          // Not on the queue's own connections, which wait for a database that stands still.
          db: fromKysely(db ?? app.db),
        })
      },
      run: async (queue, data = {}) => {
        const found = queues.get(queue)
        if (!found) throw new Error(`No queue ${queue}`)
        await work(queue, found.handler, data, AbortSignal.timeout(60_000))
      },
      start: async (connection) => {
        if (closed) return
        starting ??= bootWhenItAnswers(connection)
        await starting
      },
    } satisfies Jobs)

    app.addHook('onClose', async () => {
      closed = true
      const boss = await starting?.catch(() => null)
      await boss?.stop({ graceful: true, timeout: STOP_MS })
    })
  },
  { name: 'jobs', dependencies: ['db', 'metrics', 'due-times'] },
)
