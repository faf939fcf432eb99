import type { RunnerContext } from './context.ts'
import { doJob } from './job.ts'
import { noteProgress, takeSubjects, takeNext } from './run-queries.ts'

/** Large changes done at the same time, on each instance: each holds a whole plan in memory. Of one user one. */
const AT_ONCE = 2

/** When the service stops, what is being sent goes on for so long. */
const CLOSING_MS = 4_000

/** Does what waits: those of a domain one after another, by one instance at a time, which has the domain's lease; one over many domains
 * has a lease of its own. */
interface Runner {
  /** Begins with the domains for which something waits that nobody does. */
  begin(): Promise<void>
  /** Writes down how far each is. */
  noteProgress(): Promise<void>
  /** Begins nothing more; what has begun is cut off soon. */
  stop(): void
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
}

export function createRunner(context: RunnerContext): Runner {
  const { db, leases, works, report } = context
  const { holder } = leases
  /** By who asked. */
  const busy = new Map<string, Promise<void>>()
  /** By operation: how many changes are done. */
  const progress = new Map<string, number>()
  const [stopping, cutOff] = [new AbortController(), new AbortController()]
  const signals = { stopping: stopping.signal, cutOff: cutOff.signal }
  let beginning = false

  /** Those of the user one after another, until the next is another's, or has to wait. */
  async function workOn(subject: string, userId: string): Promise<void> {
    while (!stopping.signal.aborted) {
      const job = await takeNext(db, { subject, userId, kinds: [...works.keys()], holder })
      if (!job) return
      const run = { ...signals, progress: (done: number) => void progress.set(job.id, done) }
      const isOver = await doJob(context, job, run).finally(() => progress.delete(job.id))
      if (!isOver) return
    }
  }

  return {
    async begin() {
      const limit = AT_ONCE - busy.size
      if (beginning || limit <= 0 || stopping.signal.aborted) return
      beginning = true
      try {
        const wanted = { kinds: [...works.keys()], except: [...busy.keys()], limit, holder }
        for (const { subject, userId } of await takeSubjects(db, wanted)) {
          leases.keep('operation', subject)
          const work = workOn(subject, userId)
            .catch((error: unknown) => report(error, { subject }))
            .then(() => leases.end('operation', subject))
            .finally(() => busy.delete(userId))
          busy.set(userId, work)
        }
      } finally {
        beginning = false
      }
    },
    async noteProgress() {
      for (const [id, done] of progress) {
        progress.delete(id)
        await noteProgress(db, { id, holder }, done)
      }
    },
    stop() {
      stopping.abort()
      setTimeout(() => cutOff.abort(), CLOSING_MS).unref()
    },
    async idle() {
      await Promise.all(busy.values())
    },
  }
}
