import type { FastifyInstance } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { levelOf } from '../http/logging.ts'
import { LEASE_SECONDS } from './leases.ts'
import { createQueue } from './queue.ts'
import { claimTasks, finishTask, renewTasks, storeTasks, TASKS_DUE } from './tasks-queries.ts'
import type { Timers } from './timers.ts'

/** May be repeated when its instance dies. Stops early, with what is left to the next turn, when the signal aborts. */
export type Task = (stopping: AbortSignal) => Promise<unknown>

/** Recurring work, done by one instance of several at each turn. */
export interface Tasks {
  /** Runs `task` every `seconds`, counted from 1970, so a minute's turns come at its beginning. */
  every(seconds: number, name: string, task: Task): void
  /** Runs a task here and now: for scripts and tests. */
  run(name: string): Promise<void>
  /** Begins to run tasks when they are due; an instance that is never started runs none. */
  start(): void
}

/** Tasks at the same time on one instance. */
const CONCURRENCY = 4
const POLL_SECONDS = 2
/** A failed task is run again then, or at its next turn if that comes first. */
const RETRY_SECONDS = 30
/** For `run`. */
const RUN_MS = 60_000

/** Each task is a row of `scheduled_tasks` with the time of its next turn. */
export function createTasks(app: FastifyInstance, timers: Timers): Tasks {
  const { jobsDb: db } = app
  const holder = uuidv7()
  const tasks = new Map<string, { seconds: number; task: Task }>()
  let isStarted = false
  let areStored = false

  async function claim(limit: number, running: string[]): Promise<string[]> {
    if (!isStarted) return []
    if (!areStored) {
      await storeTasks(
        db,
        [...tasks].map(([name, { seconds }]) => ({ name, seconds })),
      )
      areStored = true
    }
    const names = [...tasks.keys()].filter((name) => !running.includes(name))
    return names.length === 0 ? [] : claimTasks(db, { names, holder, limit, seconds: LEASE_SECONDS })
  }

  async function run(name: string, stopping: AbortSignal): Promise<void> {
    const found = tasks.get(name)
    if (!found) throw new Error(`No scheduled task ${name}`)
    let result = 'failed'
    try {
      await found.task(stopping)
      result = 'ok'
    } finally {
      app.metrics.jobs.inc({ queue: name, result })
    }
  }

  const queue = createQueue<string>(app, timers, {
    name: 'scheduled tasks',
    concurrency: CONCURRENCY,
    pollSeconds: POLL_SECONDS,
    claim,
    renew: (names) => renewTasks(db, { names, holder, seconds: LEASE_SECONDS }),
    async run(name, { stopping }) {
      await run(name, stopping)
      await finishTask(db, { name, holder })
    },
    async backoff(name, error) {
      app.log[levelOf(error)]({ err: error, task: name }, 'scheduled task failed')
      await finishTask(db, { name, holder, retrySeconds: RETRY_SECONDS })
    },
    dueTimes: [TASKS_DUE],
  })

  return {
    every(seconds, name, task) {
      tasks.set(name, { seconds, task })
      areStored = false
    },
    run: (name) => run(name, AbortSignal.timeout(RUN_MS)),
    start() {
      isStarted = true
      queue
        .wake()
        .catch((error: unknown) => app.log[levelOf(error)]({ err: error }, 'scheduled tasks not started yet'))
    },
  }
}
