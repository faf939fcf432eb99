import Fastify from 'fastify'
import db from '../../../plugins/db.ts'
import events from '../../../plugins/events/index.ts'
import metrics from '../../../plugins/metrics.ts'
import work from '../../../plugins/work/index.ts'
import type { TestDatabase } from '../../helpers/database.ts'

/** An app with background work and nothing else, on that database. */
export async function startWorker(t: { teardown(end: () => unknown): void }, database: TestDatabase) {
  const app = Fastify()
  await app.register(db, { connection: database })
  await app.register(metrics)
  await app.register(events, { createClient: () => database.createClient() })
  await app.register(work, { alone: false })
  t.teardown(() => app.close())
  return app
}
