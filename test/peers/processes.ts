import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { until } from '../helpers/until.ts'

export interface Program {
  pid: number
  /** What it has written so far, both streams. */
  output(): string
  /** Resolves with the exit code when it has ended (128 and more: by a signal). */
  ended: Promise<number>
  /** Asks it to end, and waits. */
  stop(): Promise<number>
  /** `kill -9`, and waits. */
  kill(): Promise<number>
}

/**
 * Runs "$@" until it ends, or until the standard input ends, which it also does when we are killed. The first
 * line says its process id. A shell gives background jobs no standard input: hence descriptor 3. The test
 * runner gives each Node that is started options of its own, which would not be what production runs.
 */
const SUPERVISE = `
  trap '' PIPE
  unset NODE_OPTIONS
  exec 3<&0
  sh -c 'echo "$$"; exec "$@"' sh "$@" </dev/null 3<&- & child=$!
  { cat <&3; kill "$child"; sleep 20; kill -9 "$child"; } >/dev/null 2>&1 & watcher=$!
  wait "$child"; code=$?
  kill "$watcher" 2>/dev/null
  exit "$code"
`

/** Starts a program that ends with this process at the latest. */
export async function startProgram(
  command: string[],
  { cwd = process.cwd(), env = process.env }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Program> {
  const shell = spawn('sh', ['-c', SUPERVISE, 'sh', ...command], { cwd, env, stdio: 'pipe' })
  let output = ''
  shell.stdout.on('data', (chunk) => (output += String(chunk)))
  shell.stderr.on('data', (chunk) => (output += String(chunk)))
  const ended = once(shell, 'exit').then(([code]) => (code as number | null) ?? 1)
  await until('the program starts', () => output.includes('\n'))
  const pid = Number.parseInt(output, 10)
  output = output.slice(output.indexOf('\n') + 1)
  const end = (signal: NodeJS.Signals) => {
    if (shell.exitCode === null) process.kill(pid, signal)
    return ended
  }
  return { pid, output: () => output, ended, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
