import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { problemSchema } from '../../plugins/openapi/problems.ts'
import { Problem } from '../../schemas/problem.ts'
import { buildApp } from '../../app.ts'
import { readConfig, type Config } from '../../config.ts'
import type { ChannelTiming } from '../../modules/channels/context.ts'
import type { FailoverTimes } from '../../modules/failover/times.ts'
import type { Provider } from '../../modules/providers/contract.ts'
import { PROVIDERS } from '../../modules/providers/registry.ts'
import type { ReconcileTimes } from '../../modules/records/reconcile/times.ts'
import type { HashCost } from '../../plugins/security/password-hashes.ts'
import { createDatabase, type TestDatabase } from './database.ts'

export const PASSWORD = 'correct horse battery staple'

/** Hashing is slow by design: here it costs the least that argon2 takes. */
export const CHEAP: HashCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

interface Owner {
  teardown(end: () => unknown): void
}

export interface TestApp {
  app: FastifyInstance
  database: TestDatabase
  config: Config
  /** Inserts a user with PASSWORD. */
  addUser(username: string, role?: 'admin' | 'member'): Promise<string>
  /** Signs in by the API and answers a client that sends the access token. */
  signIn(username: string): Promise<Client>
  /** A new administrator, signed in. */
  admin: Client
}

export interface Answer {
  status: number
  // Tests look into bodies of many shapes; what is wrong with one shows in the assertion.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
  headers: Record<string, string | string[] | number | undefined>
}

export interface Client {
  userId: string
  accessToken: string
  refreshToken: string
  get(url: string, options?: InjectOptions): Promise<Answer>
  post(url: string, body?: unknown, options?: InjectOptions): Promise<Answer>
  put(url: string, body?: unknown, options?: InjectOptions): Promise<Answer>
  delete(url: string, options?: InjectOptions): Promise<Answer>
}

/** The whole service on a database of its own, as production builds it; only the environment differs. */
export async function startApp(
  t: Owner,
  {
    environment = {},
    database,
    alone = true,
    providers,
    providerBudgetMs,
    reconcileTimes,
    channelTiming,
    largeChange,
    registrySpacingMs = 0,
    nameServerPort,
    failoverTimes,
    log,
    jobs = false,
    cheapPasswords = true,
    compileAtStart = false,
    consoleDist = '/none/',
    extend,
  }: {
    environment?: Record<string, string>
    database?: TestDatabase
    alone?: boolean
    /** Beside those that the service comes with. */
    providers?: readonly Provider[]
    providerBudgetMs?: number
    reconcileTimes?: Partial<ReconcileTimes>
    channelTiming?: Partial<ChannelTiming>
    largeChange?: number
    registrySpacingMs?: number
    nameServerPort?: number
    failoverTimes?: FailoverTimes
    log?: Logger
    /** Starts the job queue and the delivery by channels; without it a test runs their work itself. */
    jobs?: boolean
    /** Passwords are hashed at a fraction of what the service spends on it. */
    cheapPasswords?: boolean
    /** Adds routes of the test's own before the app is ready. */
    compileAtStart?: boolean
    /** The folder of a built web console; without it there is none. */
    consoleDist?: string
    extend?: (app: FastifyInstance) => void
  } = {},
): Promise<TestApp> {
  const own = database ?? (await createDatabase(t))
  const config = readConfig(
    {
      LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
      RATE_LIMIT: '0',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      // Nobody answers there, and at once.
      DNS_RESOLVERS: '127.0.0.1:1',
      ...environment,
    },
    '/dev/null',
  )
  const secretKeys = config.secretKeys.length > 0 ? config.secretKeys : [Buffer.alloc(32, 7)]
  const app = await buildApp(config, {
    connection: own,
    secretKeys,
    alone,
    consoleDist,
    // A busy machine must not fail tests.
    maxEventLoopDelayMs: 0,
    registrySpacingMs,
    compileAtStart,
    ...(providers && { providers: [...PROVIDERS, ...providers] }),
    ...(providerBudgetMs !== undefined && { providerBudgetMs }),
    ...(reconcileTimes && { reconcileTimes }),
    ...(cheapPasswords && { passwordCost: CHEAP }),
    ...(nameServerPort !== undefined && { nameServerPort }),
    ...(failoverTimes && { failoverTimes }),
    ...(largeChange !== undefined && { largeChange }),
    channelTiming: { automatic: jobs, ...channelTiming },
    ...(log && { log }),
  })
  t.teardown(() => app.close())
  extend?.(app)
  await app.ready()
  if (jobs) app.work.start()

  const passwordHash = await app.passwordHashes.hash(PASSWORD)
  const addUser = async (username: string, role: 'admin' | 'member' = 'member') => {
    const id = uuidv7()
    await own.db
      .insertInto('users')
      .values({
        id,
        username,
        password_hash: passwordHash,
        role,
        email_verified: false,
        notifications_enabled: true,
        email_notifications_enabled: false,
      })
      .execute()
    return id
  }
  const signIn = (username: string) => signInTo(app, username)
  if (database === undefined) await addUser('root', 'admin')
  return { app, database: own, config, addUser, signIn, admin: await signIn('root') }
}

/** Calls without credentials. */
export async function call(app: FastifyInstance, options: InjectOptions): Promise<Answer> {
  const response = await app.inject(options)
  const isJson = /json/.test(String(response.headers['content-type']))
  const body: unknown = isJson ? response.json() : response.body
  requireDescribed(response.statusCode, body, response.headers['content-type'])
  return { status: response.statusCode, body, headers: response.headers }
}

/** Throws where a problem says something that the API description doesn't. */
function requireDescribed(status: number, body: unknown, type: unknown): void {
  if (type !== 'application/problem+json' || 'error' in (body as object)) return
  const { properties = Problem.properties } = problemSchema(status) as { properties?: object }
  const unknown = Object.keys(body as object).filter((member) => !Object.hasOwn(properties, member))
  if (unknown.length > 0) throw new Error(`A ${status} has undescribed members: ${unknown.join(', ')}`)
}

async function signInTo(app: FastifyInstance, username: string): Promise<Client> {
  const logIn = () =>
    call(app, {
      method: 'POST',
      url: '/api/auth/login',
      // Each from an address of its own: the limits on sign-in are tested where they are meant.
      remoteAddress: `10.${Math.floor(Math.random() * 255)}.${Math.floor(Math.random() * 255)}.1`,
      payload: { username, password: PASSWORD },
    })
  let { status, body } = await logIn()
  // On a machine with too much to do the service refuses load, above all just after it was built.
  for (let tries = 0; status === 503 && tries < 40; tries++) {
    await sleep(250)
    ;({ status, body } = await logIn())
  }
  if (status !== 200) throw new Error(`Sign-in of ${username} failed: ${JSON.stringify(body)}`)
  return client(app, body as { accessToken: string; refreshToken: string; user: { id: string } })
}

function client(
  app: FastifyInstance,
  { accessToken, refreshToken, user }: { accessToken: string; refreshToken: string; user: { id: string } },
): Client {
  const send = (method: string, url: string, payload: unknown, options: InjectOptions = {}) =>
    call(app, {
      ...options,
      method,
      url,
      headers: { authorization: `Bearer ${accessToken}`, ...options.headers },
      ...(payload !== undefined && { payload: payload as object }),
    })
  return {
    userId: user.id,
    accessToken,
    refreshToken,
    get: (url, options) => send('GET', url, undefined, options),
    post: (url, body, options) => send('POST', url, body, options),
    put: (url, body, options) => send('PUT', url, body, options),
    delete: (url, options) => send('DELETE', url, undefined, options),
  }
}
