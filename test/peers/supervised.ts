import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/**
 * Runs the server until its standard input ends, which it also does when we are killed, and then
 * clears the directory away. The shell gives background jobs no standard input: hence descriptor 3.
 * Without us there is nobody to read its messages, which must not end it: hence the trap.
 */
const SUPERVISE = `
  trap '' PIPE
  exec 3<&0
  directory="$1"; shift
  "$@" >"$directory/log" 2>&1 & server=$!
  { cat <&3 >/dev/null; kill "$server" 2>/dev/null; } & watcher=$!
  wait "$server"; code=$?
  kill "$watcher" 2>/dev/null
  cat "$directory/log" >&2
  rm -rf "$directory"
  exit "$code"
`

export interface Supervised {
  /** What it wrote, once it has ended. */
  log(): string
  isRunning(): boolean
  /** Ends it, if it still runs. */
  stop(): Promise<void>
}

/** A server that ends with us, and with it its directory. */
export function supervised(directory: string, command: string, args: string[]): Supervised {
  const child: ChildProcess = spawn('sh', ['-c', SUPERVISE, command, directory, command, ...args], {
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr?.on('data', (chunk) => (log += String(chunk)))
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    log: () => log,
    isRunning,
    async stop() {
      if (!isRunning()) return
      const exit = once(child, 'exit')
      child.stdin?.end()
      await exit
    },
  }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
