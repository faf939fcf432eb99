import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { until } from '../helpers/until.ts'
import { commandsOf } from './guide.ts'
import { startProgram } from './processes.ts'
import { CHECKOUT } from './zonekeeper.ts'

/** The stack of deploy/ha, set up as its README says. */
export interface HaStack {
  /** HAProxy, where clients ask. */
  url: string
  adminPassword: string
  /** What `supervise` runs. */
  programs(): string[]
  /** The process id of one of them while it runs. */
  pidOf(program: string): number | null
  /** The database server that is the primary now, or null. */
  primary(): Promise<string | null>
  /** Waits until the primary has a synchronous standby. */
  inStep(): Promise<void>
  postmasterOf(server: string): number | null
  /** Runs shell commands in the folder of the stack. Returns what they write; throws if they fail. */
  run(commands: string): Promise<string>
  /** The end of the log of a program. */
  logOf(program: string): string
  folder: string
}

const README = '../deploy/ha/README.md'
const SERVERS = { one: '11', two: '12' }
/** The steps up to the running service. */
const SETUP = [
  '1. Install',
  '2. Secrets',
  '3. etcd',
  '4. PostgreSQL with Patroni',
  '5. HAProxy, the database and pgbouncer',
  '6. Zonekeeper',
]

interface Options {
  /** The first three numbers of all addresses, with a dot at the end. */
  network: string
  /** What runs before `./supervise` for a program of this machine. */
  inMachine?: (machine: string) => string
  /** Lines added to the settings of Zonekeeper. */
  settings?: string
}

/** A network of loopback addresses that another test doesn't use. */
export function loopbackNetwork(): string {
  const byte = () => 1 + Math.floor(Math.random() * 254)
  return `127.${byte()}.${byte()}.`
}

/** Follows the README up to the step "Zonekeeper". All ends when the test does. */
export async function startHaStack(
  t: { teardown(end: () => unknown): void },
  { network, inMachine = () => '', settings = '' }: Options,
): Promise<HaStack> {
  const here = (text: string) => text.replaceAll('127.0.0.', network)
  const home = mkdtempSync(path.join(tmpdir(), 'zonekeeper-ha-'))
  chmodSync(home, 0o755)
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  const checkout = path.join(home, 'checkout')
  mkdirSync(path.join(checkout, 'deploy'), { recursive: true })
  cpSync(path.join(CHECKOUT, 'deploy/ha'), path.join(checkout, 'deploy/ha'), { recursive: true })
  symlinkSync(path.join(CHECKOUT, 'server.js'), path.join(checkout, 'server.js'))
  adapt(path.join(checkout, 'deploy/ha'), here, settings)
  const folder = path.join(home, 'zonekeeper-ha')
  const env = {
    ...process.env,
    HOME: home,
    PATH: [path.dirname(process.execPath), process.env['PATH']].join(':'),
  }

  async function shell(commands: string, cwd: string): Promise<string> {
    const program = await startProgram(['bash', '-c', `set -eu\n${commands}`], { cwd, env })
    const code = await program.ended
    if (code === 0) return program.output()
    throw new Error(`Ended with ${code}:\n${program.output()}\n${logs(folder)}`)
  }

  // Ends what `supervise` started, even if this process is killed.
  const guard = await startProgram(
    ['bash', '-c', `trap '"${folder}/supervise" stop; kill %1' TERM; sleep infinity & wait`],
    { cwd: home },
  )
  t.teardown(() => guard.stop())
  const isSupervised = /^\.\/supervise \S+-(one|two|three) /gm
  const setup = here(SETUP.map(commandsOfStep).join(''))
  await shell(
    setup.replace(isSupervised, (start, machine: string) => `${inMachine(machine)} ${start}`),
    checkout,
  )

  const addressOf = (server: keyof typeof SERVERS) => `${network}${SERVERS[server]}`
  const serverThatIs = async (role: 'primary' | 'sync'): Promise<string | null> => {
    for (const server of ['one', 'two'] as const) {
      const asked = fetch(`http://${addressOf(server)}:8008/${role}`, { signal: AbortSignal.timeout(2_000) })
      // Patroni is being restarted, or is frozen.
      if ((await asked.catch(() => null))?.status === 200) return server
    }
    return null
  }
  return {
    url: `http://${network}1:8000`,
    adminPassword: readFileSync(path.join(folder, 'secrets/admin_password'), 'utf8').trim(),
    programs: () =>
      readdirSync(path.join(folder, 'run'))
        .filter((name) => name.endsWith('.pid'))
        .map((name) => name.slice(0, -'.pid'.length)),
    pidOf: (program) => livingPid(path.join(folder, 'run', `${program}.pid`)),
    primary: () => serverThatIs('primary'),
    inStep: async () => {
      const both = async () => (await serverThatIs('primary')) && serverThatIs('sync')
      await until(`a synchronous standby:\n${logs(folder)}`, both, { within: 120 })
    },
    postmasterOf: (server) => livingPid(path.join(folder, 'data', `postgres-${server}`, 'postmaster.pid')),
    run: (commands) => shell(here(commands), folder),
    logOf: (program) => readFileSync(path.join(folder, 'log', program), 'utf8'),
    folder,
  }
}

/** The commands of one step of the README, those that install left out. */
export const commandsOfStep = (heading: string): string =>
  commandsOf(README, heading)
    .filter(({ tag }) => tag === '')
    .map(({ code }) => code)
    .join('')

function adapt(folder: string, here: (text: string) => string, settings: string): void {
  const bin = globSync('/usr/lib/postgresql/*/bin').sort().at(-1)
  if (bin === undefined) throw new Error('There is no PostgreSQL: run scripts/install-peers.sh')
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    const text = here(readFileSync(file, 'utf8')).replace('/usr/lib/postgresql/15/bin', bin)
    writeFileSync(file, name === 'zonekeeper.env' ? `${text}${settings}` : text)
  }
}

function livingPid(file: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
    process.kill(pid, 0)
    return pid
  } catch {
    // Not started yet, or ended.
    return null
  }
}

const LOG_END = 1_500

function logs(folder: string): string {
  const files = globSync(path.join(folder, 'log/*'))
  return files.map((file) => `== ${file}\n${readFileSync(file, 'utf8').slice(-LOG_END)}`).join('\n')
}
