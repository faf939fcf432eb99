import type { QueueOptions, StopSignals } from '../../plugins/work/queue.ts'
import { runOperation, type RunnerContext } from './attempt.ts'
import { noteProgress, takeSubjects, takeNext, type DueSubject } from './run-queries.ts'

/** Large changes at the same time on one instance: each holds a whole plan in memory. Of each user one. */
const CONCURRENCY = 2
/** Finds operations that were put off, and those of an instance that died. */
const POLL_SECONDS = 1

/** Operations by id, with how many of their changes are done. */
export type Progress = Map<string, number>

/**
 * The queue of subjects with waiting operations: a domain, whose operations are done one after another by one instance
 * at a time, or an operation over many domains.
 */
export const operationQueue = (context: RunnerContext, progress: Progress): QueueOptions<DueSubject> => {
  const { db, leases, works, report } = context
  const { holder } = leases
  const kinds = () => [...works.keys()]

  /** Does the user's operations one after another, until the next is another user's or has to wait. */
  async function run({ subject, userId }: DueSubject, signals: StopSignals): Promise<'later' | void> {
    while (!signals.stopping.aborted) {
      const operation = await takeNext(db, { subject, userId, kinds: kinds(), holder })
      if (!operation) return
      const isOver = await runOperation(context, operation, {
        ...signals,
        progress: (done) => void progress.set(operation.id, done),
      }).finally(() => progress.delete(operation.id))
      if (!isOver) return 'later'
    }
  }

  return {
    name: 'operations',
    concurrency: CONCURRENCY,
    pollSeconds: POLL_SECONDS,
    wokenBy: ['operations.added'],
    claim: (limit, running) =>
      takeSubjects(db, { kinds: kinds(), except: running.map(({ userId }) => userId), limit, holder }),
    ...leases.ofQueue('operation', ({ subject }: DueSubject) => subject),
    run,
    async backoff({ subject }, error) {
      report(error, { subject })
      return 'later'
    },
  }
}

/** Stores how far the running operations are. */
export async function storeProgress(
  { db, leases: { holder } }: RunnerContext,
  progress: Progress,
): Promise<void> {
  for (const [id, done] of progress) {
    progress.delete(id)
    await noteProgress(db, { id, holder }, done)
  }
}
