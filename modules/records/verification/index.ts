import type { FastifyInstance } from 'fastify'
import type { RecordContext } from '../context.ts'
import { deleteLongEnded, renewVerifications } from './queries.ts'
import { NameServers } from './servers.ts'
import { verificationQueue } from './verifier.ts'

const UPKEEP_SECONDS = 3_600
const KEPT_DAYS = 90

/** Begins to verify applied changes on the name servers in the background. */
export function verifyInBackground(app: FastifyInstance, { db, providerRegistry, log }: RecordContext): void {
  const openVerifications = app.leases.renewing('verifications', (ids) => renewVerifications(db, ids))
  const nameServers = new NameServers(app.dns)
  app.work.queue(
    verificationQueue({ db, providerRegistry, log, dns: app.dns, nameServers, openVerifications }),
  )
  app.work.every(UPKEEP_SECONDS, 'verifications.cleanup', () => deleteLongEnded(db, KEPT_DAYS))
}
