import fp from 'fastify-plugin'
import { levelOf } from '../../plugins/http/logging.ts'
import { OPEN_API, SIGNED_IN } from '../../plugins/openapi/audience.ts'
import type { OperationKind } from '../../schemas/operation.ts'
import type { RunnerContext } from './attempt.ts'
import { LARGE_CHANGE, type OperationWork } from './contract.ts'
import { forgetOldOperations } from './queries.ts'
import { routes } from './routes.ts'
import { operationQueue, storeProgress, type Progress } from './runner.ts'
import { requireOperation, storeOperation } from './service.ts'

const PROGRESS_SECONDS = 1
const FORGET_SECONDS = 3_600

/** Operations: large changes that continue after the response to their request, on this instance or another. */
export default fp<{ largeChange?: number }>(
  async (app, { largeChange = LARGE_CHANGE }) => {
    const works = new Map<OperationKind, OperationWork>()
    const progress: Progress = new Map()
    const context: RunnerContext = {
      db: app.jobsDb,
      leases: app.leases,
      installation: app.installation,
      works,
      report: (error, subject) => app.log[levelOf(error)]({ err: error, ...subject }, 'operation failed'),
      ended: (kind, outcome) => app.metrics.operations.inc({ kind, outcome }),
    }

    app.decorate('operations', {
      largeChange,
      define: (kind, work) => void works.set(kind, work),
      async begin(operation) {
        const stored = await storeOperation(app.db, operation)
        app.events.emit('operations.added', {})
        return stored
      },
      require: (principal, id) => requireOperation(app.db, principal, id),
    })

    app.work.queue(operationQueue(context, progress))
    app.work.everyInstance(PROGRESS_SECONDS, 'progress of operations', () => storeProgress(context, progress))
    app.work.every(FORGET_SECONDS, 'operations.cleanup', () => forgetOldOperations(app.jobsDb))
    for (const audience of [SIGNED_IN, OPEN_API]) {
      await app.register(routes, { prefix: audience.base, audience })
    }
  },
  {
    name: 'operations',
    dependencies: ['db', 'events', 'work', 'metrics', 'installation', 'access', 'domains'],
  },
)
