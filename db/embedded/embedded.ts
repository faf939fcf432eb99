import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hasRoom, NEEDED_MIB, saysFull } from './disk.ts'
import { chooseAccount, giveTo } from './account.ts'
import { createCluster } from './cluster.ts'
import { type Ownership, takeOwnership } from './owner.ts'
import { launch, settingsFor, waitUntilFree } from './postmaster.ts'
import type { Guarded } from './processes.ts'
import { findPrograms } from './programs.ts'
import { answers, openSocketDirectory, port, type SocketDirectory } from './socket.ts'
import { supervise, type Supervised } from './supervisor.ts'

/** A bundled PostgreSQL that lives as long as this process, however this process ends. */
export interface EmbeddedPostgres {
  /**
   * Connection options for pg.Pool. `host` is a directory with a Unix socket that only our user can enter.
   */
  connection: { host: string; port: number; user: string; database: string }
  /** Process id of the postmaster. */
  readonly pid: number
  /** Ends open sessions and shuts down; resolves when postgres has ended, at once if it already has. */
  stop: () => Promise<void>
  /**
   * Resolves with the reason when postgres ends unexpectedly (a crash); never after `stop`, nor while it
   * waits for disk space.
   */
  ended: Promise<string>
}

export interface EmbeddedOptions {
  /** The service's DATA_DIR; created if missing. The cluster is in its subdirectory `postgres`. */
  dataDir: string
  /** Server settings that override ours. */
  settings?: Record<string, string>
  /** False for tests only: commits survive a crash of postgres, but not of the machine. */
  durable?: boolean
  /** Called with each line of the PostgreSQL log. */
  log?: (line: string) => void
}

/** How long the server of a killed Zonekeeper may take to shut down, in ms. */
const timeoutMs = 10_000

/**
 * Starts PostgreSQL on the data directory and resolves when it accepts connections. Rejects at once if
 * another Zonekeeper uses the directory, and with the end of the PostgreSQL log if startup fails.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  openDirectory(dataDir)
  // Checked before writing anything, to leave no half-written files.
  if (!hasRoom(dataDir)) {
    throw new Error(
      `The disk of ${dataDir} is full. PostgreSQL needs ${NEEDED_MIB} MiB there; free some space and start again`,
    )
  }
  const ownership = await takeOwnership(dataDir)
  let socket: SocketDirectory | undefined
  try {
    const cluster = join(dataDir, 'postgres')
    socket = openSocketDirectory(cluster)
    let saidFull = false
    const log = (line: string) => {
      saidFull ||= saysFull(line)
      options.log?.(line)
    }
    const start = await prepare({ ...options, log }, cluster, socket, ownership)
    const launch = () => {
      saidFull = false
      return start()
    }
    // Checks the log too: once it has ended, the server may have freed some space.
    const isFull = () => saidFull || !hasRoom(dataDir)
    const supervised = supervise(await launch(), { launch, isFull })
    return owned(supervised, socket, ownership)
  } catch (error) {
    socket?.remove()
    ownership.release()
    throw error
  }
}

/** How to reach the embedded PostgreSQL of a service that runs on this data directory; null if none does. */
export async function findEmbedded(dataDir: string): Promise<EmbeddedPostgres['connection'] | null> {
  const cluster = join(resolve(dataDir), 'postgres')
  if (!existsSync(cluster)) return null
  const { path: host } = openSocketDirectory(cluster)
  return (await answers(host)) ? { host, port, user: 'postgres', database: 'postgres' } : null
}

function openDirectory(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const user = `The user with id ${process.getuid?.()}`
    throw new Error(`${user} can't use the data directory ${dataDir}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/**
 * Creates the cluster unless it exists and makes sure nothing runs on it. Returns a function that starts its
 * server.
 */
async function prepare(
  { settings = {}, durable = true, log = () => {} }: EmbeddedOptions,
  cluster: string,
  { path: socketDirectory }: SocketDirectory,
  { previousPid }: Ownership,
): Promise<() => Promise<Guarded>> {
  const account = chooseAccount(cluster)
  const { initdb, postgres } = findPrograms(account)
  await createCluster({ cluster, initdb, account, durable })
  await waitUntilFree({ cluster, socketDirectory }, previousPid, timeoutMs)
  giveTo(cluster, account)
  const launchSettings = settingsFor(durable, settings)
  return () =>
    launch({ cluster, socketDirectory, postgres, account, settings: launchSettings, log }, timeoutMs)
}

function owned(supervised: Supervised, socket: SocketDirectory, ownership: Ownership): EmbeddedPostgres {
  let stopping: Promise<void> | undefined
  const gone = supervised.gone.then((reason) => {
    socket.remove()
    ownership.release()
    return reason
  })
  const stop = async () => {
    await supervised.stop()
    await gone
  }
  return {
    connection: { host: socket.path, port, user: 'postgres', database: 'postgres' },
    get pid() {
      return supervised.pid
    },
    stop: () => (stopping ??= stop()),
    ended: gone.then((reason) => (stopping ? new Promise<string>(() => {}) : reason)),
  }
}
