import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import pino from 'pino'
import type { Config } from './config.ts'
import type { Connection } from './db/connection/connect.ts'
import assignments from './modules/assignments/index.ts'
import audit from './modules/audit/index.ts'
import auth from './modules/auth/index.ts'
import type { ChannelTiming } from './modules/channels/context.ts'
import changeRequests from './modules/change-requests/index.ts'
import channels from './modules/channels/index.ts'
import webConsole from './modules/console/index.ts'
import dashboard from './modules/dashboard/index.ts'
import domainHealth from './modules/domain-health/index.ts'
import domains from './modules/domains/index.ts'
import failover from './modules/failover/index.ts'
import type { FailoverTimes } from './modules/failover/times.ts'
import notifications from './modules/notifications/index.ts'
import oauth from './modules/oauth/index.ts'
import operations from './modules/operations/index.ts'
import protocols from './modules/protocols/index.ts'
import type { Provider } from './modules/providers/contract.ts'
import providers from './modules/providers/index.ts'
import records from './modules/records/index.ts'
import type { ReconcileTimes } from './modules/records/reconcile/times.ts'
import templates from './modules/templates/index.ts'
import users from './modules/users/index.ts'
import { answerBrokenRequest, sendFrameworkError } from './plugins/http/errors.ts'
import { loggerOptions, RequestLog } from './plugins/http/logging.ts'
import { RouteNames } from './plugins/http/validation/known-names.ts'
import { serializers } from './plugins/http/validation/serialization.ts'
import { validators } from './plugins/http/validation/validation.ts'
import requests from './plugins/requests.ts'
import { proxyTrust } from './plugins/security/addresses.ts'
import type { HashCost } from './plugins/security/password-hashes.ts'
import server from './plugins/server.ts'
import services from './plugins/services.ts'

/** Dependencies the app uses but does not own: the caller opens and closes them. */
interface Deps {
  connection: Connection
  secretKeys: readonly Buffer[]
  /** No other instance uses this database. */
  alone: boolean
  /** The kinds of DNS providers, if not the built-in ones. */
  providers?: readonly Provider[]
  /** Milliseconds one request may spend at a DNS provider. */
  providerBudgetMs?: number
  /** When providers are asked about unknown outcomes, if not the default. */
  reconcileTimes?: Partial<ReconcileTimes>
  /** How fast time passes for failover monitors, if not as it does: for tests. */
  failoverTimes?: FailoverTimes
  /** Record changes one request makes itself; larger ones continue as an operation. */
  largeChange?: number
  /** Milliseconds between two queries to one registry. */
  registrySpacingMs?: number
  /** Where delegated name servers listen, if not on port 53: for tests. */
  nameServerPort?: number
  /** Event loop delay in milliseconds above which requests are refused; 0: never refuse. */
  maxEventLoopDelayMs?: number
  /** Timeouts, retries and limits of channels, if not the default. */
  channelTiming?: Partial<ChannelTiming>
  /** Cost of password hashes, if not the secure default: for tests. */
  passwordCost?: HashCost
  /** Compiles all route schemas before the start, so that an invalid one stops it: for CI. */
  compileAtStart?: boolean
  /** The folder of the console with a trailing slash, if not that of the build. */
  consoleDist?: string
  log?: FastifyBaseLogger
}

/** Builds the service, ready to listen or to be injected into; hooks run in the order of registration. */
export async function buildApp(config: Config, deps: Deps): Promise<FastifyInstance> {
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
  await app.register(server, { names })
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
