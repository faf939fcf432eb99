import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { EventName } from '../../schemas/events/events.ts'
import { levelOf } from '../http/logging.ts'
import type { DueTime } from './due-times-queries.ts'
import { RENEWAL_SECONDS } from './leases.ts'
import type { Timers } from './timers.ts'

/** How a run learns that the service stops. */
export interface StopSignals {
  /** Nothing new is begun. */
  stopping: AbortSignal
  /** The drain time is over: calls to the outside are ended, and what became of them is stored. */
  cutOff: AbortSignal
}

/**
 * Rows with a due time, worked on by whichever instance claims them. A claim lasts LEASE_SECONDS and is renewed during
 * the run, so another instance takes over what a dead one had claimed. An instance that stands still that long loses its
 * claims too: a run must tolerate being repeated.
 */
export interface QueueOptions<Row> {
  name: string
  /** Runs at the same time on this instance. */
  concurrency: number
  /** Claims up to `limit` due rows (`for update skip locked`). `running`: the rows this instance is working on. */
  claim: (limit: number, running: Row[]) => Promise<Row[]>
  /** Extends the claims on these rows. */
  renew?: (rows: Row[]) => Promise<unknown>
  /** Does the work and stores its outcome. `later`: nothing more is due, as far as the run can tell. */
  run: (row: Row, signals: StopSignals) => Promise<'later' | void>
  /** Gives the claim back after a run that did not fail. Never rejects. */
  release?: (row: Row) => Promise<unknown>
  /**
   * Logs a failed run and stores when the row is due again; without it, that is when the claim lapses. Resolves with `later`
   * like `run`.
   */
  backoff?: (row: Row, error: unknown) => Promise<unknown>
  /** How often to look for due rows that no event announced; without it, only `wake` looks. */
  pollSeconds?: number
  /** Events that announce due rows. */
  wokenBy?: readonly EventName[]
  /** How long running work may take to finish when the service stops, before it is cut off. Default 4,000 ms. */
  drainMs?: number
  /** The columns that hold due times and claims, see `DueTimes`. */
  dueTimes?: readonly DueTime[]
}

export interface Queue {
  /** Claims what is due, up to the concurrency; resolves when it has begun. */
  wake(): Promise<void>
  /** Resolves when nothing is due or running. */
  idle(): Promise<void>
}

const DRAIN_MS = 4_000
/** Time for a run that was cut off to store its outcome; the process has 10 s in all to stop. */
const OUTCOME_MS = 5_000

export function createQueue<Row extends object | string>(
  app: FastifyInstance,
  timers: Timers,
  options: QueueOptions<Row>,
): Queue {
  const { name, concurrency, claim, renew, run, release, backoff, pollSeconds, drainMs = DRAIN_MS } = options
  const running = new Map<Row, Promise<void>>()
  const [stopping, cutOff] = [new AbortController(), new AbortController()]
  const signals = { stopping: stopping.signal, cutOff: cutOff.signal }
  let isReady = false
  let claiming = Promise.resolve()
  let isClaiming = false
  /** Set by each wake, also by one that finds no room, so that none is lost. */
  let isWoken = false

  const report = (error: unknown) => app.log[levelOf(error)]({ err: error, queue: name }, 'work queue failed')

  function wake(): Promise<void> {
    isWoken = true
    if (!isClaiming) claiming = claimDue()
    return claiming
  }

  const canClaim = () => isReady && isWoken && running.size < concurrency && !stopping.signal.aborted

  async function claimDue(): Promise<void> {
    isClaiming = true
    try {
      while (canClaim()) {
        isWoken = false
        const rows = await claim(concurrency - running.size, [...running.keys()])
        for (const row of rows) running.set(row, work(row))
      }
    } finally {
      isClaiming = false
    }
  }

  async function work(row: Row): Promise<void> {
    const isMoreDue = await attempt(row).catch((error: unknown) => report(error))
    running.delete(row)
    if (isMoreDue || isWoken) wake().catch(report)
  }

  async function attempt(row: Row): Promise<boolean> {
    try {
      const outcome = await run(row, signals)
      await release?.(row)
      return outcome !== 'later'
    } catch (error) {
      if (!backoff) throw error
      return (await backoff(row, error)) !== 'later'
    }
  }

  async function idle(): Promise<void> {
    await claiming.catch(() => {})
    await Promise.all(running.values())
    if (isClaiming || running.size > 0) await idle()
  }

  for (const dueTime of options.dueTimes ?? []) app.dueTimes.bound(dueTime)
  if (renew) {
    timers.everyInstance(RENEWAL_SECONDS, `claims of ${name}`, async () => {
      if (running.size > 0) await renew([...running.keys()])
    })
  }
  if (pollSeconds !== undefined) timers.everyInstance(pollSeconds, name, wake)
  for (const event of options.wokenBy ?? []) app.events.on(event, wake)

  // Not before all that takes part in the work is registered.
  app.addHook('onReady', async () => void (isReady = true))
  let drained = Promise.resolve()
  app.addHook('preClose', async () => {
    stopping.abort()
    setTimeout(() => cutOff.abort(), drainMs).unref()
    drained = sleep(drainMs + OUTCOME_MS, undefined, { ref: false })
  })
  app.addHook('onClose', () => Promise.race([idle(), drained]))
  return { wake, idle }
}
