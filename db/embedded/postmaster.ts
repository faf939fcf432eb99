import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataArgument } from './cluster.ts'
import { type Account, type Guarded, isPostgresOf, readIfThere, spawnGuarded } from './processes.ts'
import { answers, clearSocketLock, port } from './socket.ts'

const baseSettings = {
  listen_addresses: '',
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  port: String(port),
  cluster_name: 'zonekeeper',
  max_connections: '100',
  shared_buffers: '64MB',
  jit: 'off',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_line_prefix: '[%p] ',
  log_checkpoints: 'off',
  // Logs server activity but no statement errors: those go to the caller, and their texts and details contain
  // values that don't belong in a log.
  log_min_messages: 'log',
}
const fastSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

export const settingsFor = (durable: boolean, extra: Record<string, string>): Record<string, string> => ({
  ...baseSettings,
  ...(durable ? {} : fastSettings),
  ...extra,
})

interface LaunchOptions {
  cluster: string
  socketDirectory: string
  postgres: string
  account: Account | undefined
  settings: Record<string, string>
  log: (line: string) => void
}

const pidFile = (cluster: string) => join(cluster, 'postmaster.pid')
const readPidFile = (cluster: string) => (readIfThere(pidFile(cluster)) ?? '').split('\n')

/**
 * Pid of the server running on the cluster; 0 if one answers but isn't visible; undefined if there is none.
 */
async function findServer(cluster: string, socketDirectory: string): Promise<number | undefined> {
  const pid = Number.parseInt(readPidFile(cluster)[0] ?? '', 10)
  if (pid > 0 && isPostgresOf(cluster, pid)) return pid
  return (await answers(socketDirectory)) ? 0 : undefined
}

/**
 * Waits for the server of a killed Zonekeeper to shut down, and forces it after half of `timeoutMs` (no
 * commit is lost), because one told to stop during crash recovery never does. Rejects after `timeoutMs` ms.
 */
export async function waitUntilFree(
  { cluster, socketDirectory }: Pick<LaunchOptions, 'cluster' | 'socketDirectory'>,
  previousPid: number | undefined,
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  let patience = deadline - timeoutMs / 2
  for (;;) {
    const pid = await findServer(cluster, socketDirectory)
    if (pid === undefined) return
    if (pid > 0 && previousPid !== undefined && Date.now() > patience) {
      patience = Infinity
      endAtOnce(pid)
    }
    if (Date.now() > deadline) {
      throw new Error(
        `${cluster} is in use by ${describe(pid, previousPid)}. Stop it first, or use another DATA_DIR`,
      )
    }
    await sleep(10)
  }
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGQUIT')
  } catch (error) {
    // It has just ended, or isn't ours to end; then the wait reports the reason.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

function describe(pid: number, previousPid: number | undefined): string {
  if (pid === 0) return 'a PostgreSQL server that is not visible from here, probably in another container'
  const starter =
    previousPid === undefined ? 'someone else' : `Zonekeeper process ${previousPid}, which has ended`
  return `PostgreSQL process ${pid}, started by ${starter} (kill -INT ${pid} shuts it down cleanly)`
}

// Server processes of a killed postmaster that haven't noticed yet; this check of postgres must not be
// bypassed.
const leftServers = /pre-existing shared memory block/

/** Starts postgres on a cluster that nothing holds and resolves when it accepts connections. */
export async function launch(options: LaunchOptions, timeoutMs: number): Promise<Guarded> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const server = run(options)
    try {
      await untilReady(server, options.cluster)
      return server
    } catch (error) {
      if (!server.tail.some((line) => leftServers.test(line)) || Date.now() > deadline) throw error
      await sleep(100)
    }
  }
}

function run({ cluster, postgres, account, settings, log }: LaunchOptions): Guarded {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [postgres, '-D', dataArgument(cluster, account), ...options]
  return spawnGuarded(command, { cwd: cluster, account, env: excuseStalePid(cluster), log })
}

/**
 * Makes postgres start over the pid file of a server known to have ended, even if its pid belongs to a zombie
 * or another program. The file stays, because postgres uses it to find server processes that outlived their
 * postmaster. Postgres never takes the pid in PG_GRANDPARENT_PID for another postmaster.
 */
function excuseStalePid(cluster: string): Record<string, string> {
  clearSocketLock(cluster)
  const pid = Number.parseInt(readPidFile(cluster)[0] ?? '', 10)
  if (pid > 0) return { PG_GRANDPARENT_PID: String(pid) }
  rmSync(pidFile(cluster), { force: true }) // missing, or truncated by a power failure, which postgres rejects
  return {}
}

/**
 * Resolves when the server accepts connections; rejects if it ends, or is silent for `timeoutMs` ms (it
 * reports every 10 s during crash recovery, which may take long). By then it has ended.
 */
export async function untilReady(server: Guarded, cluster: string, timeoutMs = 30_000): Promise<void> {
  while (!isReady(server, cluster)) {
    if (server.how) throw new Error(`PostgreSQL failed to start (${server.how}):\n${server.tail.join('\n')}`)
    if (Date.now() - server.lastLineAt > timeoutMs) {
      await stopServer(server)
      throw new Error(`PostgreSQL did not start within ${timeoutMs / 1000} s:\n${server.tail.join('\n')}`)
    }
    await sleep(5)
  }
}

function isReady(server: Guarded, cluster: string): boolean {
  const lines = readPidFile(cluster)
  return lines[0] === String(server.pid) && lines[7]?.trim() === 'ready'
}

/** Ends the sessions, writes a checkpoint and resolves when postgres has ended. */
export async function stopServer(server: Guarded): Promise<void> {
  server.kill('SIGINT')
  // Without the checkpoint: the next start replays the log instead. No commit is lost.
  const timer = setTimeout(() => server.kill('SIGQUIT'), 30_000)
  await server.exited
  clearTimeout(timer)
}
