import fp from 'fastify-plugin'
import { deleteExported, type Archive } from './deletion.ts'

declare module 'fastify' {
  interface FastifyInstance {
    retention: Retention
  }
}

export interface Retention {
  /** Deletes what is older than the setting for its kind allows, after exporting it; nothing without the setting. */
  limit(archive: Archive): void
}

interface RetentionOptions {
  /** Months before the current one that are kept; null: all. */
  historyMonths: number | null
  auditMonths: number | null
  archiveDir: string | null
}

const RUN_SECONDS = 3_600

/** Limits how long the history and the audit log are kept. One instance works on each. */
export default fp<RetentionOptions>(
  async (app, { historyMonths, auditMonths, archiveDir }) => {
    const months = { history: historyMonths, audit: auditMonths }
    app.decorate('retention', {
      limit(archive) {
        const kept = months[archive.kind]
        if (kept === null || archiveDir === null) return
        const context = { db: app.jobsDb, log: app.log, folder: archiveDir, months: kept }
        app.work.every(RUN_SECONDS, `${archive.kind}.retention`, (stopping) =>
          deleteExported(context, archive, stopping),
        )
      },
    } satisfies Retention)
  },
  { name: 'retention', dependencies: ['db', 'work'] },
)
