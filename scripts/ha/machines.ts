import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/* Machines of a network of their own: network namespaces on a bridge that nothing outside can reach. */

/** The first three numbers of all addresses. This process is `1`, the machines are `11`, `12`, `13`. */
export const NETWORK = '10.77.0.'
const MACHINES = { one: 11, two: 12, three: 13 } as const
export type Machine = keyof typeof MACHINES

export interface Machines {
  /** Words before a command that runs on the machine. */
  in(machine: string): string
  /** Takes its network cable out. */
  cut(machine: Machine): void
  connect(machine: Machine): void
}

const ip = (...words: (string | number)[]) => execFileSync('ip', words.map(String))

/** Runs this script again in a network namespace of its own, unless it is in one. Returns whether it is. */
export async function inOwnNetwork(): Promise<boolean> {
  if (process.argv.includes('--inside')) return true
  if (process.getuid?.() !== 0) throw new Error('Run as root: each machine gets a network of its own')
  const command = ['--net', process.execPath, ...process.argv.slice(1), '--inside']
  const child = spawn('unshare', command, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const [code] = (await once(child, 'exit')) as [number | null]
  process.exitCode = code ?? 1
  return false
}

/** All is gone with this process. */
export async function startMachines(t: { teardown(end: () => unknown): void }): Promise<Machines> {
  ip('link', 'set', 'lo', 'up')
  ip('link', 'add', 'bridge', 'type', 'bridge')
  ip('address', 'add', `${NETWORK}1/24`, 'dev', 'bridge')
  ip('link', 'set', 'bridge', 'up')
  const pids = new Map<string, number>()
  for (const [name, number] of Object.entries(MACHINES)) {
    const child = await namespace()
    t.teardown(() => child.kill('SIGKILL'))
    const pid = child.pid as number
    pids.set(name, pid)
    ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', pid)
    ip('link', 'set', name, 'master', 'bridge', 'up')
    const there = ['nsenter', '--target', String(pid), '--net', 'ip']
    const run = (...words: string[]) => execFileSync(there[0] as string, [...there.slice(1), ...words])
    run('link', 'set', 'lo', 'up')
    run('address', 'add', `${NETWORK}${number}/24`, 'dev', 'eth0')
    run('link', 'set', 'eth0', 'up')
  }
  return {
    in: (machine) => `nsenter --target ${pids.get(machine)} --net`,
    cut: (machine) => void ip('link', 'set', machine, 'down'),
    connect: (machine) => void ip('link', 'set', machine, 'up'),
  }
}

/** A process that keeps a network namespace, and ends with us: `cat` has nothing more to read then. */
async function namespace(): Promise<ChildProcess> {
  const child = spawn('unshare', ['--net', 'sh', '-c', 'echo ready; exec cat >&2'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  await once(child.stdout, 'data')
  return child
}
