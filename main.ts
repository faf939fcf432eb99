import { setTimeout as sleep } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import { ConfigError, readConfig, type Config } from './config.ts'
import { connect, connectByUrl, type Connection } from './db/connection/connect.ts'
import { startEmbedded, type EmbeddedPostgres } from './db/embedded/embedded.ts'
import { migrations } from './db/migrations/index.ts'
import { assertServes, DatabaseTooNew, readJournal } from './db/migrations/journal.ts'
import { migrate } from './db/migrations/migrator.ts'
import { StartError } from './plugins/http/errors.ts'
import { readOrCreateKey } from './plugins/security/keyfile.ts'
import { waitForDatabase } from './plugins/start-wait.ts'

/** Scheduled tasks start after the first requests of clients that waited for the service. */
const TASKS_AFTER_MS = 500

/** How often a serving instance checks that the database was not migrated for newer versions only. */
const CONTRACT_CHECK_MS = 10_000

/** From the signal to the end of the process, without DRAIN_SECONDS. */
const GRACE_MS = 10_000

/** Starts the service and runs it until a signal; a failed start ends the process with the reason. */
export async function main(): Promise<void> {
  try {
    await start(readConfig())
  } catch (error) {
    // Errors the operator can fix are printed without a stack.
    const isTheirs =
      error instanceof ConfigError || error instanceof StartError || error instanceof DatabaseTooNew
    console.error(isTheirs ? `Zonekeeper can't start. ${error.message}` : error)
    process.exit(1)
  }
}

/** Adds what was attempted to the error of `work`. */
async function attempt<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new StartError(`${what}${(error as Error).message}`, { cause: error })
  }
}

async function start(config: Config): Promise<void> {
  // The app is large: it loads while the database starts.
  const loading = Promise.all([import('./app.ts'), import('./modules/users/service.ts')])
  const { dataDir } = config
  const postgres =
    config.databaseUrl === null ? await attempt('DATA_DIR: ', () => startEmbedded({ dataDir })) : null
  const connection = postgres
    ? connect(postgres.connection, { dataDir })
    : connectByUrl(config.databaseUrl as string, config.databaseDirectUrl)
  let opened: FastifyInstance | undefined
  try {
    // Loaded first, because loading blocks the event loop while the database's answer waits.
    const [{ buildApp }, { ensureFirstAdministrator, PasswordRefused }] = await loading
    const { host, port, startTimeout: timeout, secretKeys: given } = config
    await waitForDatabase(connection, { host, port, timeout, say })
    await migrate(connection.jobs, undefined, { say })
    const secretKeys =
      given.length > 0 ? given : [await attempt('DATA_DIR: ', () => readOrCreateKey(dataDir))]
    const app = await buildApp(config, { connection, secretKeys, alone: postgres !== null })
    opened = app
    for (const setting of config.unused) {
      app.log.warn({ setting }, 'this setting is no longer used; instances share only PostgreSQL')
    }
    const { adminUsername: username, adminPassword, siteUrl } = config
    const password = await ensureFirstAdministrator(app, {
      username,
      password: adminPassword,
      siteUrl,
    }).catch((error: unknown) => {
      throw error instanceof PasswordRefused ? new ConfigError('ADMIN_PASSWORD', error.message) : error
    })
    // Printed before anything else can fail: the next start finds a user and generates none.
    if (password !== null) say(`First administrator: ${username}, password: ${password} (shown only once)`)
    const address = await attempt('HOST and PORT: ', () => app.listen({ host, port }))
    const places = await attempt('DNS_UPDATE_LISTEN: ', () => app.dnsUpdates.listen(config.dnsUpdateListen))
    say(`Zonekeeper listens on ${address}`)
    for (const place of places) say(`DNS updates are taken on ${place}, over UDP and TCP`)
    say(`Public address: ${siteUrl} (SITE_URL)`)
    if (app.hasRoute({ method: 'GET', url: '/sign-in' })) say(`Web console: ${siteUrl}`)
    say(`API documentation: ${address}/docs`)
    // The password may have been printed to a log no one reads.
    if (!process.stdout.isTTY) say(`Locked out? "npm run create-admin -- ${username}" restores access`)
    const fail = closeOnSignal(app, connection, { postgres, drainSeconds: config.drainSeconds })
    stopOnContract(app, connection, fail)
    await sleep(TASKS_AFTER_MS)
    app.work.start()
  } catch (error) {
    await opened?.close()
    await connection.close()
    await postgres?.stop()
    throw error
  }
}

/** Prints what the operator needs after a start, regardless of LOG_LEVEL; as JSON unless on a terminal. */
function say(msg: string): void {
  const line = process.stdout.isTTY ? msg : JSON.stringify({ level: 30, time: Date.now(), msg })
  process.stdout.write(`${line}\n`)
}

/** Ends the process in order at a signal. Returns a function that does so because of a failure, with exit code 1. */
function closeOnSignal(
  app: FastifyInstance,
  connection: { close(): Promise<void> },
  { postgres, drainSeconds }: { postgres: EmbeddedPostgres | null; drainSeconds: number },
): () => void {
  let hasFailed = false
  const drainMs = drainSeconds * 1000
  const grace = closeWithGrace({ delay: drainMs + GRACE_MS }, async ({ err, signal }) => {
    if (err) app.log.error({ err }, 'stopping because of an error')
    else if (!hasFailed && drainMs > 0) {
      app.stopping.drain()
      app.log.info({ signal, drainSeconds }, 'draining')
      await Promise.race([sleep(drainMs), failed])
    }
    app.log.info({ signal }, 'stopping')
    await app.close()
    await connection.close()
    await postgres?.stop()
    app.log.info('stopped')
    if (hasFailed) process.exit(1)
  })
  const { promise: failed, resolve: endDraining } = Promise.withResolvers<void>()
  const fail = () => {
    hasFailed = true
    endDraining()
    grace.close()
  }
  void postgres?.ended.then((reason) => {
    app.log.error({ reason }, 'embedded PostgreSQL exited')
    fail()
  })
  return fail
}

/** Ends an instance that can't serve the database since a newer version removed something from it. */
function stopOnContract(app: FastifyInstance, { jobs }: Connection, fail: () => void): void {
  const check = async () => {
    try {
      assertServes(await readJournal(jobs), migrations)
    } catch (error) {
      // An unavailable database is reported elsewhere.
      if (!(error instanceof DatabaseTooNew)) return
      clearInterval(timer)
      app.log.error({ reason: error.message }, 'stopping because the database is too new')
      fail()
    }
  }
  const timer = setInterval(() => void check(), CONTRACT_CHECK_MS).unref()
}
