import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** The user to run PostgreSQL as when we are root, which PostgreSQL refuses. */
export interface Account {
  uid: number
  gid: number
}

export const hasProc = existsSync('/proc/self/cwd')

/**
 * Start time of the living process `pid`, as text that is unique together with the pid. Undefined if there is
 * none or only a zombie, which holds nothing.
 */
export function startOf(pid: number): string | undefined {
  return hasProc ? startFromProc(pid) : startFromPs(pid)
}

function startFromProc(pid: number): string | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`)
  // The command name before the last ")" may contain spaces and brackets.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, ticks] = [fields?.[0], fields?.[19]]
  if (!state || !ticks || /[ZXx]/.test(state)) return undefined
  // Ticks count from boot, so after a reboot the same pid may have the same ticks.
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`
}

function startFromPs(pid: number): string | undefined {
  const [state, ...start] = ps(pid, 'stat=', 'lstart=').split(/\s+/)
  return state && !state.startsWith('Z') ? start.join(' ') : undefined
}

/** Whether `pid` is a living postgres process whose working directory is `cluster`. */
export function isPostgresOf(cluster: string, pid: number): boolean {
  if (!startOf(pid)) return false
  if (!hasProc) return ['postgres', cluster].every((part) => ps(pid, 'command=').includes(part))
  if (readIfThere(`/proc/${pid}/comm`)?.trim() !== 'postgres') return false
  try {
    const [theirs, ours] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)]
    return theirs.dev === ours.dev && theirs.ino === ours.ino
  } catch {
    return false // a process of another user, and this cluster's would have its owner's
  }
}

function ps(pid: number, ...columns: string[]): string {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
  try {
    const columnOptions = columns.flatMap((column) => ['-o', column])
    return execFileSync('ps', [...columnOptions, '-p', String(pid)], { env, stdio, encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

// The guard reads from a pipe that only our process holds open. A line means that the program has ended; the
// end of the pipe without one means that we have (kill -9 too), and the guard then shuts the program down. It
// is an orphan on purpose: postgres takes the death of an unknown child for a crash. `exec` keeps the pid, so
// the program is our direct child and never runs without a guard.
const guarded = `exec 2>&1
( ( trap '' INT TERM HUP; read line <&3 || kill -INT $$ ) >/dev/null & )
exec "$@" 3<&-`

export interface Guarded {
  /** Undefined only if it couldn't be started; `exited` then has the reason. */
  pid: number | undefined
  /** How it ended, once it has: "exit code 1", "signal SIGKILL", or why it couldn't be started. */
  how: string | undefined
  exited: Promise<string>
  /** The last lines of output. */
  tail: string[]
  lastLineAt: number
  /**
   * Sends a signal; SIGINT always arrives. Does nothing after the end, so another process can't get the
   * signal.
   */
  kill: (signal: NodeJS.Signals) => void
}

interface GuardedOptions {
  cwd: string
  account: Account | undefined
  env?: Record<string, string>
  log?: (line: string) => void
}

/**
 * Runs a program that gets SIGINT when our process ends, for whatever reason. It has its own session, so
 * terminal signals to our group don't reach it, and not our environment, which has secrets.
 */
export function spawnGuarded(command: string[], { cwd, account, env, log }: GuardedOptions): Guarded {
  const child = spawn('/bin/sh', ['-c', guarded, 'zonekeeper-guard', ...command], {
    cwd, // entered before the change of user, so that an account gets below a directory it can't traverse
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...env },
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    detached: true,
    ...account,
  })
  const guard = child.stdio[3] as Duplex
  const program: Guarded = {
    pid: child.pid,
    how: undefined,
    exited: endOf(child, guard).then((how) => (program.how = how)),
    tail: [],
    lastLineAt: Date.now(),
    kill: (signal) => {
      // Root in a container may lack the right to signal other users' processes. The guard has it.
      if (!child.kill(signal)) guard.end()
    },
  }
  createInterface({ input: child.stdout! }).on('line', (line) => {
    program.tail = [...program.tail.slice(-19), line]
    program.lastLineAt = Date.now()
    log?.(line)
  })
  return program
}

async function endOf(child: ChildProcess, guard: Duplex): Promise<string> {
  guard.on('error', () => {}).resume()
  const output = new Promise((resolve) => child.stdout!.once('close', resolve))
  const how = await new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`))
    child.on('error', (error) => child.pid === undefined && resolve(error.message))
  })
  guard.end('\n')
  // Its last output may still be in transit, but a process it left behind could keep the pipe open for long.
  await Promise.race([output, sleep(1000, undefined, { ref: false })])
  return how
}
