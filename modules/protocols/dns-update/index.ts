import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { Counter } from 'prom-client'
import { OPEN_API } from '../../../plugins/openapi/audience.ts'
import { backgroundContext } from '../../records/service.ts'
import { answer } from './answers.ts'
import { createBounds } from './bounds.ts'
import type { DnsContext } from './context.ts'
import { keyRoutes } from './keys/routes.ts'
import { createListener, type Listener } from './listener/listener.ts'
import { deleteOldMessages } from './queries.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Takes DNS updates once `listen` was called. */
    dnsUpdates: Listener
  }
}

const UPKEEP_SECONDS = 600

/** DNS updates (RFC 2136), SOA queries and zone transfers by TSIG keys (RFC 8945), which belong to personal tokens. */
const dnsUpdate: FastifyPluginAsync<{ dnsUpdateSoa: 'signed' | 'anyone' }> = async (
  app,
  { dnsUpdateSoa },
) => {
  const answered = new Counter({
    name: 'zonekeeper_dns_messages_total',
    help: 'DNS messages by what they ask for, and the RCODE or TSIG error of the answer',
    labelNames: ['kind', 'result'] as const,
    registers: [app.metrics.registry],
  })
  const context: DnsContext = {
    ...backgroundContext(app),
    db: app.db,
    bounds: createBounds(),
    answered,
    isSoaOpen: dnsUpdateSoa === 'anyone',
  }
  const listener = createListener((bytes, via) => answer(context, bytes, via), app.log)
  app.decorate('dnsUpdates', listener)
  app.addHook('preClose', () => listener.close())
  app.work.every(UPKEEP_SECONDS, 'dns-updates.cleanup', () => deleteOldMessages(app.jobsDb))
  await app.register(keyRoutes, { prefix: OPEN_API.base })
}

export default fp(dnsUpdate, { name: 'dns-update', dependencies: ['access', 'domains', 'records', 'work'] })
