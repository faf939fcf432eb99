import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import pino from 'pino'
import type { Config } from './config.ts'
import type { Connection } from './db/connection/connect.ts'
import acme from './modules/protocols/acme/index.ts'
import assignments from './modules/assignments/index.ts'
import audit from './modules/audit/index.ts'
import mailLinkPages from './modules/auth/account/mail-link-pages.ts'
import auth from './modules/auth/index.ts'
import relyingParty from './modules/auth/passkeys/relying-party.ts'
import channelWorker from './modules/channels/delivery/worker.ts'
import channels, { type ChannelTiming } from './modules/channels/index.ts'
import dashboard from './modules/dashboard/index.ts'
import domains from './modules/domains/index.ts'
import dyndns from './modules/protocols/dyndns/index.ts'
import mcp from './modules/protocols/mcp/index.ts'
import notifications from './modules/notifications/index.ts'
import oauth from './modules/oauth/index.ts'
import externalDns from './modules/protocols/external-dns/index.ts'
import { LARGE_CHANGE } from './modules/operations/contract.ts'
import operations from './modules/operations/index.ts'
import operationsWorker from './modules/operations/worker.ts'
import plans from './modules/records/kept-plans/index.ts'
import providers from './modules/providers/index.ts'
import providerAccounts from './modules/providers/traffic/accounts.ts'
import providerBreakers from './modules/providers/traffic/breaker.ts'
import providerTurns from './modules/providers/traffic/turns.ts'
import providerRegistry, { PROVIDERS } from './modules/providers/registry.ts'
import type { Provider } from './modules/providers/contract.ts'
import providerLimits, { PROVIDER_BUDGET_MS } from './modules/providers/traffic/limits.ts'
import recordContext from './modules/records/context.ts'
import records from './modules/records/index.ts'
import { LOOK_TIMES, type LookTimes } from './modules/records/reconcile/look-times.ts'
import site from './modules/console/site.ts'
import templates from './modules/templates/index.ts'
import users from './modules/users/index.ts'
import access from './plugins/security/access/index.ts'
import { proxyTrust } from './plugins/security/addresses.ts'
import principals from './plugins/security/access/principals.ts'
import allowedMethods from './plugins/http/allowed-methods.ts'
import backgroundQueue from './plugins/work/background-queue.ts'
import webConsole from './modules/console/web-console.ts'
import conditionalRequests from './plugins/http/conditional-requests.ts'
import bodies from './plugins/http/bodies.ts'
import db from './plugins/db.ts'
import dearReads from './plugins/http/dear-reads.ts'
import errors, { answerBrokenRequest, sendFrameworkError } from './plugins/http/errors.ts'
import dueTimes from './plugins/work/due-times.ts'
import events from './plugins/events/index.ts'
import headers from './plugins/http/headers.ts'
import frontPage from './modules/console/front-page.ts'
import health, { MAX_EVENT_LOOP_DELAY_MS } from './plugins/health.ts'
import newDomains from './modules/domains/registration/new-domains.ts'
import ownership from './plugins/security/ownership.ts'
import http from './plugins/outbound/http.ts'
import idempotency from './plugins/http/idempotency/idempotency.ts'
import jobs from './plugins/work/jobs.ts'
import largeBodies from './plugins/http/large-bodies.ts'
import { knownNames, RouteNames } from './plugins/http/validation/known-names.ts'
import leases from './plugins/work/leases.ts'
import { loggerOptions, RequestLog } from './plugins/http/logging.ts'
import mail from './plugins/mail/index.ts'
import outbox from './plugins/events/outbox/index.ts'
import metrics from './plugins/metrics.ts'
import openapi from './plugins/openapi/openapi.ts'
import passwordHashes, { type HashCost } from './plugins/security/password-hashes.ts'
import timers from './plugins/work/timers.ts'
import publicDns from './plugins/outbound/public-dns.ts'
import rateLimit, { RATE_LIMIT_HEADERS } from './plugins/security/rate-limit/rate-limit.ts'
import redis from './plugins/security/rate-limit/redis.ts'
import installation from './plugins/installation.ts'
import requestEffects from './plugins/http/request-effects.ts'
import secrets from './plugins/security/secrets.ts'
import sse from './plugins/events/sse.ts'
import gracefulShutdown from './plugins/http/graceful-shutdown.ts'
import tcp from './plugins/outbound/tcp.ts'
import tokens from './plugins/security/tokens.ts'
import { serializers } from './plugins/http/validation/serialization.ts'
import { validators } from './plugins/http/validation/validation.ts'

/** What the app is given and does not own: the caller opens and closes it. */
interface Deps {
  connection: Connection
  secretKeys: readonly Buffer[]
  /** No other instance works on this database. */
  alone: boolean
  /** The kinds of DNS hosts, where they are not those that the service comes with. */
  providers?: readonly Provider[]
  /** Milliseconds that one request may spend at a DNS provider. */
  providerBudgetMs?: number
  /** When providers are asked what became of changes of unknown outcome, where it is not as usual. */
  looks?: Partial<LookTimes>
  /** Changes of records that one request does itself; what is more goes on as an operation. */
  largeChange?: number
  /** Milliseconds between two questions to one registry. */
  registrySpacingMs?: number
  /** Milliseconds that the event loop may be late before requests are refused; 0: never refuse. */
  maxEventLoopDelayMs?: number
  /** How channels wait, try and give up, where it is not as usual. */
  channelTiming?: Partial<ChannelTiming>
  /** What the hash of a password costs, where it is not as security demands: for tests. */
  passwordCost?: HashCost
  /** All schemas of routes are compiled before the start, so that one that can't be stops it: for CI. */
  compileAtStart?: boolean
  /** The folder of the web console, with a slash at its end, where it is not that of the build. */
  consoleDist?: string
  log?: FastifyBaseLogger
}

/** How long a browser may keep what it was told about cross-origin calls. */
const PREFLIGHT_SECONDS = 600

const ROUTER_OPTIONS = { ignoreTrailingSlash: true, maxParamLength: 300 }

/** The whole service, ready to listen or to be injected into; the order of registration is the order of hooks. */
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
    // Looked for every five seconds: whoever sends a header slowly holds a connection for half a minute at most.
    http: { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 },
    // Each route has its own; this is for what is not one.
    bodyLimit: 1024,
    // Fastify's own answer is no problem document; plugins/graceful-shutdown gives ours.
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
    routerOptions: ROUTER_OPTIONS,
  })

  // Before anything is awaited: an error while loading must already find its handler.
  await app.register(errors)
  await app.register(allowedMethods, ROUTER_OPTIONS)
  await app.register(gracefulShutdown)
  await app.register(bodies)
  await app.register(knownNames, { names })
  await app.register(db, { connection: deps.connection })
  await app.register(metrics)
  await app.register(timers)
  await app.register(dueTimes)
  await app.register(leases, { alone: deps.alone })
  await app.register(secrets, { keys: deps.secretKeys })
  await app.register(passwordHashes, { ...(deps.passwordCost && { cost: deps.passwordCost }) })
  await app.register(redis, { redisUrl: config.redisUrl })
  await app.register(events, { createClient: () => deps.connection.createClient() })
  await app.register(outbox)
  await app.register(sse)
  await app.register(http, { allow: [...config.outboundAllow] })
  await app.register(tcp, { allow: [...config.outboundAllow] })
  await app.register(publicDns, { resolvers: config.dnsResolvers })
  await app.register(jobs)
  await app.register(mail, {
    smtpUrl: config.smtpUrl,
    smtpTls: config.smtpTls,
    mailFrom: config.mailFrom,
  })
  // After mail, so that it ends before: its work sends some.
  await app.register(backgroundQueue)
  await app.register(ownership)
  await app.register(newDomains)
  const { siteUrl: url, registration, namesakes, requireSecondFactor, maxTokenDays } = config
  await app.register(installation, { url, registration, namesakes, requireSecondFactor, maxTokenDays })

  await app.register(headers, { siteUrl: config.siteUrl })
  await app.register(cors, {
    origin: [config.siteUrl, ...config.corsOrigins],
    credentials: true,
    // Its refusal of other OPTIONS requests is no problem document.
    strictPreflight: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    maxAge: PREFLIGHT_SECONDS,
    exposedHeaders: [
      'Location',
      'Retry-After',
      'Idempotency-Replayed',
      'ETag',
      'Content-Disposition',
      'Change-Id',
      ...RATE_LIMIT_HEADERS,
    ],
  })
  await app.register(cookie)
  await app.register(requestEffects)
  await app.register(conditionalRequests)

  await app.register(tokens)
  await app.register(principals)
  await app.register(rateLimit, { perMinute: config.rateLimit, alone: deps.alone })
  await app.register(access)
  await app.register(largeBodies)
  await app.register(dearReads)
  await app.register(idempotency, { alone: deps.alone })
  await app.register(openapi, { siteUrl: config.siteUrl })
  await app.register(health, {
    metricsToken: config.metricsToken,
    maxDelayMs: deps.maxEventLoopDelayMs ?? MAX_EVENT_LOOP_DELAY_MS,
  })

  await app.register(webConsole, { dist: deps.consoleDist })
  await app.register(frontPage)

  await app.register(relyingParty, { siteUrl: config.siteUrl, corsOrigins: config.corsOrigins })
  await app.register(providerAccounts)
  await app.register(providerRegistry, { providers: deps.providers ?? PROVIDERS })
  await app.register(providerBreakers)
  await app.register(providerTurns)
  await app.register(providerLimits, {
    budgetMs: deps.providerBudgetMs ?? PROVIDER_BUDGET_MS,
    maxZoneRecords: config.maxZoneRecords,
  })
  await app.register(site, { prefix: '/api' })
  await app.register(audit)
  await app.register(users, { prefix: '/api' })
  await app.register(auth, { prefix: '/api', siteUrl: config.siteUrl, corsOrigins: config.corsOrigins })
  await app.register(mailLinkPages)
  await app.register(oauth, { siteUrl: config.siteUrl, corsOrigins: config.corsOrigins })
  await app.register(providers)
  await app.register(domains, {
    rdapBootstrapUrl: config.rdapBootstrapUrl,
    whoisServer: config.whoisServer,
    registrySpacingMs: deps.registrySpacingMs,
  })
  await app.register(operationsWorker, { largeChange: deps.largeChange ?? LARGE_CHANGE })
  await app.register(operations)
  await app.register(plans)
  await app.register(recordContext, { looks: { ...LOOK_TIMES, ...deps.looks } })
  await app.register(records, { alone: deps.alone })
  await app.register(templates)
  await app.register(acme)
  await app.register(dyndns)
  await app.register(externalDns)
  await app.register(assignments)
  await app.register(notifications, { alone: deps.alone })
  await app.register(channelWorker, { timing: deps.channelTiming ?? {} })
  await app.register(channels, { prefix: '/api' })
  await app.register(mcp, { siteUrl: config.siteUrl, corsOrigins: config.corsOrigins })
  await app.register(dashboard)
  return app
}
