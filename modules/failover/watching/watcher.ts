import type { FastifyInstance } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { levelOf } from '../../../plugins/http/logging.ts'
import { checkTargets } from '../checks/check.ts'
import type { CheckResult } from '../checks/result.ts'
import { targetsOf } from '../targets.ts'
import type { MonitorRow } from '../queries.ts'
import { TICK_SECONDS, type FailoverTimes } from '../times.ts'
import { advance, NO_STREAK, type Streak } from './streaks.ts'
import {
  forgetInstance,
  listRevisions,
  monitorsOfIds,
  noteInstance,
  storeVerdicts,
  type Verdict,
} from './verdict-queries.ts'

/** Alternatives checked at the same time on this instance. */
const CONCURRENCY = 20
/** Checks in the history of an alternative. */
const HISTORY = 60
/** The first checks after the start of an instance are spread over this part of the interval. */
const SPREAD = 0.5
/** How often all monitors are listed, in case the news of one was lost. */
const LIST_MS = 60_000
/** Where time passes faster. */
const LEAST_TICK_SECONDS = 0.1

interface Watched {
  row: MonitorRow
  streaks: Streak[]
  verdicts: Verdict[]
  /** On the clock of performance.now(). */
  dueAt: number
  isRunning: boolean
}

/** After each round of checks of a monitor on this instance. */
export type AfterChecks = (monitorId: string) => Promise<unknown>

/**
 * Checks the alternatives of all monitors on this instance, and stores its verdicts. Every instance does so. Streaks are kept
 * in memory: an instance that starts has no opinion yet.
 */
export function watchMonitors(
  app: FastifyInstance,
  { second }: FailoverTimes,
  afterChecks: AfterChecks,
): void {
  const { jobsDb: db, probe, dns, events, log } = app
  const instanceId = uuidv7()
  const watched = new Map<string, Watched>()
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()
  let inFlight = 0
  const waiting: (() => void)[] = []
  let isReady = false
  let isKnown = false
  /** Monitors that may have changed since they were read. */
  let news = new Set<string>()
  /** Events may have been missed. */
  let isStale = true
  /** When all are listed again, on the clock of performance.now(). */
  let listAt = 0

  async function tick(): Promise<void> {
    if (!isReady || stopping.signal.aborted) return
    await readNews()
    if (watched.size > 0) await noteInstance(db, instanceId)
    isKnown ||= watched.size > 0
    const now = performance.now()
    for (const one of watched.values()) {
      if (one.isRunning || one.dueAt > now) continue
      one.isRunning = true
      one.dueAt = now + one.row.interval_seconds * second * 1000
      const run = round(one)
        .catch((error: unknown) =>
          log[levelOf(error)]({ err: error, monitorId: one.row.id }, 'failover check failed'),
        )
        .finally(() => {
          one.isRunning = false
          running.delete(run)
        })
      running.add(run)
    }
  }

  /** Asks nothing while no monitor changes and events arrive. */
  async function readNews(): Promise<void> {
    const now = performance.now()
    const isWhole = isStale || !events.connected || now >= listAt
    if (!isWhole && news.size === 0) return
    const read = news
    news = new Set()
    isStale = false
    try {
      await adopt(isWhole ? null : [...read])
      if (isWhole) listAt = now + LIST_MS
    } catch (error) {
      for (const id of read) news.add(id)
      isStale ||= isWhole
      throw error
    }
  }

  /** Begins with new and changed monitors among these (null: all), and ends with removed ones. */
  async function adopt(ids: readonly string[] | null): Promise<void> {
    const listed = await listRevisions(db, ids)
    const current = new Map(listed.map(({ id, revision }) => [id, revision]))
    for (const id of ids ?? watched.keys()) if (!current.has(id)) watched.delete(id)
    const changed = [...current].filter(([id, revision]) => watched.get(id)?.row.revision !== revision)
    if (changed.length === 0) return
    const rows = await monitorsOfIds(
      db,
      changed.map(([id]) => id),
    )
    // One new monitor is checked at once; many, as after a start, over some time.
    const spread = rows.length > CONCURRENCY ? SPREAD : 0
    for (const row of rows) {
      const delay = Math.random() * spread * row.interval_seconds * second * 1000
      watched.set(row.id, {
        row,
        streaks: row.alternatives.map(() => NO_STREAK),
        verdicts: row.alternatives.map(() => ({ ...NO_VERDICT, history: [] })),
        dueAt: performance.now() + delay,
        isRunning: false,
      })
    }
  }

  async function round(one: Watched): Promise<void> {
    const { row } = one
    const results = await Promise.all(
      row.alternatives.map((alternative) =>
        inTurn(() => checkTargets({ probe, dns }, row.probe, targetsOf(alternative), stopping.signal)),
      ),
    )
    // What ended with the service says nothing, and changed monitors start over.
    if (stopping.signal.aborted || watched.get(row.id) !== one) return
    one.streaks = results.map(({ ok }, at) => advance(one.streaks[at] ?? NO_STREAK, ok, row))
    one.verdicts = results.map((result, at) => verdictOf(result, one.streaks[at], one.verdicts[at]))
    if (await storeVerdicts(db, instanceId, row, one.verdicts)) await afterChecks(row.id)
    // Changed, or removed with its domain.
    else news.add(row.id)
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (inFlight < CONCURRENCY) inFlight++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else inFlight--
    }
  }

  events.on('failover.changed', ({ monitorId }) => void news.add(monitorId))
  events.on('events.missed', () => void (isStale = true))
  app.work.everyInstance(
    Math.max(LEAST_TICK_SECONDS, TICK_SECONDS * Math.min(1, second)),
    'failover checks',
    tick,
  )
  app.addHook('onReady', async () => void (isReady = true))
  app.addHook('preClose', async () => stopping.abort())
  app.addHook('onClose', async () => {
    await Promise.all(running)
    // The others then need not wait for it to be missed.
    if (isKnown)
      await forgetInstance(db, instanceId).catch((error: unknown) =>
        log[levelOf(error)]({ err: error }, 'instance not taken back'),
      )
  })
}

const NO_VERDICT: Verdict = {
  state: 'unknown',
  latencyMs: null,
  reason: null,
  detail: null,
  history: [],
  certificateExpires: null,
}

function verdictOf(result: CheckResult, streak = NO_STREAK, before = NO_VERDICT): Verdict {
  const check = { at: new Date().toISOString(), ok: result.ok === true, ms: result.ms }
  return {
    state: streak.state,
    latencyMs: result.ms,
    reason: result.reason,
    detail: result.detail,
    history: [...before.history, check].slice(-HISTORY),
    certificateExpires: result.certificateExpires,
  }
}
