import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import closeWithGrace from 'close-with-grace'
import { sql } from 'kysely'
import { ConfigError, readConfig, type Config } from './config.ts'
import { connect } from './db/connect.ts'
import { startEmbedded, type EmbeddedPostgres } from './db/embedded.ts'
import { migrate } from './db/migrator.ts'
import { StartError } from './plugins/errors.ts'
import { readOrCreateKey } from './plugins/keyfile.ts'

/** Jobs begin when those who waited for the start have had their first answers. */
const JOBS_AFTER_MS = 500

/** From the signal to the end of the process. */
const GRACE_MS = 10_000

/** Starts the service and runs it until a signal; a start that fails ends the process with the reason. */
export async function main(): Promise<void> {
  try {
    await start(readConfig())
  } catch (error) {
    // What an operator can mend is said without a stack.
    const isTheirs = error instanceof ConfigError || error instanceof StartError
    console.error(isTheirs ? `Zonekeeper can't start. ${error.message}` : error)
    process.exit(1)
  }
}

/** Says what was tried when `work` fails. */
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
  const database = postgres?.connection ?? { connectionString: config.databaseUrl as string }
  const connection = connect(database)
  try {
    await attempt('DATABASE_URL: the database does not answer: ', () => sql`select 1`.execute(connection.db))
    await migrate(connection.db)
    const [{ buildApp }, { ensureFirstAdministrator, PasswordRefused }] = await loading
    const { host, port, secretKeys: given } = config
    const secretKeys =
      given.length > 0 ? given : [await attempt('DATA_DIR: ', () => readOrCreateKey(dataDir))]
    // Without a Redis nobody would tell us what other instances do; with the embedded database there are none.
    const app = await buildApp(config, { db: connection.db, secretKeys, alone: postgres !== null })
    const { adminUsername: username, adminPassword, siteUrl } = config
    const password = await ensureFirstAdministrator(connection.db, {
      username,
      password: adminPassword,
      siteUrl,
    }).catch((error: unknown) => {
      throw error instanceof PasswordRefused ? new ConfigError('ADMIN_PASSWORD', error.message) : error
    })
    // Said before anything else can fail: the next start finds a user and generates none.
    if (password !== null) say(`First administrator: ${username}, password: ${password} (shown only now)`)
    const address = await attempt('HOST and PORT: ', () => app.listen({ host, port }))
    say(`Zonekeeper listens on ${address}`)
    say(`API description for people: ${address}/docs`)
    closeOnSignal(app, connection, postgres)
    setTimeout(giveMemoryBack, SETTLED_MS).unref()
    await sleep(JOBS_AFTER_MS)
    await attempt('DATABASE_URL: the job queue: ', () => app.jobs.start(database))
  } catch (error) {
    await connection.close()
    await postgres?.stop()
    throw error
  }
}

/** What somebody who has just started it needs to know, whatever LOG_LEVEL is; a line of the JSON log but for a terminal. */
function say(msg: string): void {
  const line = process.stdout.isTTY ? msg : JSON.stringify({ level: 30, time: Date.now(), msg })
  process.stdout.write(`${line}\n`)
}

function closeOnSignal(
  app: { close(): Promise<unknown>; log: { error(details: object, message: string): void } },
  connection: { close(): Promise<void> },
  postgres: EmbeddedPostgres | null,
): void {
  const grace = closeWithGrace({ delay: GRACE_MS }, async ({ err }) => {
    if (err) app.log.error({ err }, 'the service stops because of an error')
    await app.close()
    await connection.close()
    await postgres?.stop()
  })
  void postgres?.ended.then((reason) => {
    app.log.error({ reason }, 'the embedded PostgreSQL has ended')
    process.exitCode = 1
    grace.close()
  })
}

/** After the start, when those who waited for it have had their answers. */
const SETTLED_MS = 2_000

/** The start leaves more garbage than service makes in hours, and V8 keeps the memory: 90 MB for a pause of 0.1 s. */
function giveMemoryBack(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: object) => void
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
