import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandsOfStep, type HaStack } from '../../test/peers/ha-stack.ts'
import { NETWORK, type Machine, type Machines } from './machines.ts'

export interface Fault {
  name: string
  /** Does it. Returns what ends it once writes are served again. */
  cause(stack: HaStack, machines: Machines): Promise<(() => void) | void>
}

/** Patroni and all processes of PostgreSQL of one server. */
function processesOf(stack: HaStack, server: string): number[] {
  const postmaster = stack.postmasterOf(server)
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' })
  const pids = [stack.pidOf(`patroni-${server}`), postmaster, ...children.trim().split('\n').map(Number)]
  return pids.filter((pid) => pid !== null)
}

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // Ended with those before it.
    }
  }
}

async function primaryOf(stack: HaStack): Promise<Machine> {
  const primary = await stack.primary()
  if (primary === null) throw new Error('There is no primary')
  return primary as Machine
}

function kill(stack: HaStack, program: string, name: NodeJS.Signals): void {
  process.kill(stack.pidOf(program) as number, name)
}

export const FAULTS: Fault[] = [
  {
    name: 'The primary is killed (`kill -9` of Patroni and PostgreSQL)',
    cause: async (stack) => signal(processesOf(stack, await primaryOf(stack)), 'SIGKILL'),
  },
  {
    name: 'The primary freezes, and wakes up later',
    cause: async (stack) => {
      const frozen = processesOf(stack, await primaryOf(stack))
      signal(frozen, 'SIGSTOP')
      return () => signal(frozen, 'SIGCONT')
    },
  },
  {
    name: "The primary's machine is cut off, with its instance and its etcd, and comes back later",
    cause: async (stack, machines) => {
      const machine = await primaryOf(stack)
      machines.cut(machine)
      return () => machines.connect(machine)
    },
  },
  {
    name: 'Switchover by `patronictl`',
    cause: async (stack) => {
      const step = commandsOfStep('7. Kill something')
      await stack.run(step.slice(step.indexOf('set -a')))
    },
  },
  { name: 'pgbouncer is restarted', cause: async (stack) => kill(stack, 'pgbouncer', 'SIGTERM') },
  {
    name: 'An instance of Zonekeeper is killed (`kill -9`)',
    cause: async (stack) => kill(stack, 'zonekeeper-two', 'SIGKILL'),
  },
  {
    name: "etcd's leader is killed (`kill -9`)",
    cause: async (stack) => kill(stack, `etcd-${await leaderOf(stack)}`, 'SIGKILL'),
  },
]

async function leaderOf(stack: HaStack): Promise<string> {
  const endpoints = ['11', '12', '13'].map((number) => `${NETWORK}${number}:2379`).join(',')
  const status = await stack.run(
    `ETCDCTL_API=3 etcdctl --endpoints=${endpoints} endpoint status --write-out=json`,
  )
  const members = JSON.parse(status) as {
    Endpoint: string
    Status: { header: { member_id: number }; leader: number }
  }[]
  const at = members.findIndex(({ Status }) => Status.header.member_id === Status.leader)
  return ['one', 'two', 'three'][at] as string
}

const ERROR_LINE = /^\{"level":[56]0,/gm
const INSTANCES = ['zonekeeper-one', 'zonekeeper-two', 'zonekeeper-three']

/** Lines of errors in the logs of all instances so far. */
export const errorLines = (stack: HaStack): string[] =>
  INSTANCES.flatMap((program) => stack.logOf(program).match(new RegExp(`${ERROR_LINE.source}.*`, 'gm')) ?? [])

/** Waits until all instances are ready. */
export async function allReady(): Promise<void> {
  for (const number of ['11', '12', '13']) {
    const url = `http://${NETWORK}${number}:3000/readyz`
    while (!(await fetch(url, { signal: AbortSignal.timeout(3_000) }).catch(() => null))?.ok) await sleep(500)
  }
}
