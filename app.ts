import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import pino from 'pino'
import type { Config } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import assignments from './modules/assignments/index.ts'
import audit from './modules/audit/index.ts'
import auth from './modules/auth/index.ts'
import changeRequests from './modules/change-requests/index.ts'
import channels from './modules/channels/index.ts'
import webConsole from './modules/console/index.ts'
import dashboard from './modules/dashboard/index.ts'
import domainHealth from './modules/domain-health/index.ts'
import domains from './modules/domains/index.ts'
import failover from './modules/failover/index.ts'
import notifications from './modules/notifications/index.ts'
import oauth from './modules/oauth/index.ts'
import operations from './modules/operations/index.ts'
import protocols from './modules/protocols/index.ts'
import providers from './modules/providers/index.ts'
import records from './modules/records/index.ts'
import templates from './modules/templates/index.ts'
import users from './modules/users/index.ts'
import { answerBrokenRequest, sendFrameworkError } from './plugins/http/errors.ts'
import { loggerOptions, RequestLog } from './plugins/http/logging.ts'
import { RouteNames } from './plugins/http/validation/known-names.ts'
import { serializers } from './plugins/http/validation/serialization.ts'
import { validators } from './plugins/http/validation/validation.ts'
import requests from './plugins/requests.ts'
import { proxyTrust } from './plugins/security/addresses.ts'
import server from './plugins/server.ts'
import services from './plugins/services.ts'

/** Builds the service, ready to listen or to be injected into; hooks run in the order of registration. */
export async function buildApp(config: Config, deps: Dependencies): Promise<FastifyInstance> {
  const { compileAtStart = false } = deps
  const names = new RouteNames()
  const log: FastifyBaseLogger = deps.log ?? pino(loggerOptions(config.logLevel))
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new RequestLog(),
    trustProxy: config.trustProxy === false ? false : proxyTrust(config.trustProxy),
    genReqId: () => crypto.randomUUID(),
    requestTimeout: 60_000,
    // Checked every five seconds, so a client that sends headers slowly holds a connection for up to 25 s.
    http: { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 },
    // Each route has its own limit; this applies to everything else.
    bodyLimit: 1024,
    // Fastify's own answer is not a problem document; plugins/http/graceful-shutdown sends ours.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: sendFrameworkError,
    clientErrorHandler: answerBrokenRequest,
    schemaController: {
      compilersFactory: {
        buildSerializer: serializers(compileAtStart),
        buildValidator: validators(compileAtStart, names),
      },
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
  })

  const { logLevel: _, ...settings } = config
  const options = { ...settings, ...deps }
  await app.register(server, { names, otlpEndpoint: config.otlpEndpoint })
  await app.register(services, options)
  await app.register(requests, options)

  await app.register(webConsole, options)
  await app.register(audit)
  await app.register(users)
  await app.register(auth, options)
  await app.register(oauth, options)
  await app.register(providers, options)
  await app.register(domains, options)
  await app.register(operations, options)
  await app.register(records, options)
  await app.register(changeRequests)
  await app.register(domainHealth)
  await app.register(failover, options)
  await app.register(templates)
  await app.register(protocols, options)
  await app.register(assignments)
  await app.register(notifications, options)
  await app.register(channels, options)
  await app.register(dashboard)
  return app
}
