import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../../plugins/openapi/audience.ts'
import { acmeDnsRoutes } from './acme-dns/routes.ts'
import { registrationRoutes } from './acme-dns/registration-routes.ts'
import { routes } from './routes.ts'

/** Challenges of certificate authorities (RFC 8555 section 8.4) over lego's httpreq and acme-dns. */
const acme: FastifyPluginAsync = async (app) => {
  await app.register(routes, { prefix: `${OPEN_API.base}/acme` })
  await app.register(acmeDnsRoutes, { prefix: `${OPEN_API.base}/acme-dns` })
  for (const audience of [SIGNED_IN, OPEN_API]) {
    await app.register(registrationRoutes, { prefix: audience.base, audience })
  }
}

export default fp(acme, {
  name: 'acme',
  encapsulate: true,
  dependencies: ['db', 'access', 'rate-limit', 'domains', 'records'],
})
