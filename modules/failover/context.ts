import type { FastifyInstance } from 'fastify'
import { backgroundContext, type RecordContext } from '../records/service.ts'
import type { FailoverTimes } from './times.ts'

/** What switching needs of the app. */
export interface FailoverContext extends RecordContext, Pick<FastifyInstance, 'probe'> {
  times: FailoverTimes
}

/** The app as background work uses it. */
export const failoverContext = (app: FastifyInstance, times: FailoverTimes): FailoverContext => ({
  ...backgroundContext(app),
  probe: app.probe,
  times,
})
