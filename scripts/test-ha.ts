import { setTimeout as sleep } from 'node:timers/promises'
import { RepeatingClient, noCounts } from './ha/client.ts'
import { allReady, errorLines, FAULTS, type Fault } from './ha/faults.ts'
import { readTruth, type Truth } from './ha/judge.ts'
import { listen, type Listener } from './ha/listener.ts'
import { newPhase, startLoad, type Phase } from './ha/load.ts'
import { inOwnNetwork, NETWORK, startMachines } from './ha/machines.ts'
import { startHaStack, type HaStack } from '../test/peers/ha-stack.ts'
import { startPowerDns } from '../test/peers/powerdns.ts'
import { addDomain, ADMIN } from '../test/peers/zonekeeper.ts'

/*
 * deploy/ha on three machines of a network of its own, with a real PowerDNS, under load, while one part after another
 * fails. Needs root and scripts/install-peers.sh; takes about six minutes.
 *
 *   npm run test:ha               at most 200 requests a second
 *   npm run test:ha -- --rate=60  fewer
 *
 * Prints a table, and fails if something acknowledged was lost, something was done twice, or a client that repeats its
 * requests was refused for good.
 */
const RATE = Number(process.argv.find((word) => word.startsWith('--rate='))?.slice('--rate='.length) ?? 200)
const DOMAIN = 'example.com'
const LISTENERS = 4
/** Without a fault, to see what the load is. */
const QUIET_MS = 15_000
/** Writes are back when they were acknowledged for so long without a gap. */
const STEADY_MS = 5_000
const GAP_MS = 1_500
/** So long an effect may take to show. */
const FIRST_EFFECT_MS = 6_000
const LAST_EVENT_MS = 60_000

interface Report {
  name: string
  phase: Phase
  /** Requests a second. */
  rate: number
  /** The longest time without an acknowledged write, in seconds. */
  gap: number
  errorLines: string[]
  reconnections: number
}

async function main(): Promise<void> {
  const ends: (() => unknown)[] = []
  const t = { teardown: (end: () => unknown) => void ends.unshift(end) }
  try {
    const machines = await startMachines(t)
    const powerDns = await startPowerDns(null, `${NETWORK}1`)
    t.teardown(() => powerDns.close())
    const settings = `RATE_LIMIT=0\nOUTBOUND_ALLOW=${new URL(powerDns.apiUrl).host}\n`
    const stack = await startHaStack(t, {
      network: NETWORK,
      inMachine: (name) => machines.in(name),
      settings,
    })
    const client = new RepeatingClient(stack.url, { ...ADMIN, password: stack.adminPassword })
    await client.signIn(noCounts())
    const post = async (path: string, body?: unknown) => {
      const answer = await client.ask({ method: 'POST', path, body }, noCounts())
      return { status: answer?.status ?? 0, headers: new Headers(), body: answer?.body as unknown }
    }
    const domainId = await addDomain({ post } as Parameters<typeof addDomain>[0], powerDns, DOMAIN)

    let phase = newPhase()
    const listeners = Array.from({ length: LISTENERS }, () => listen(client))
    t.teardown(() => listeners.forEach((listener) => listener.stop()))
    const load = startLoad(client, domainId, RATE, () => phase)
    const reports: Report[] = []
    const during = async (name: string, work: () => Promise<unknown>) => {
      console.error(`${new Date().toISOString()} ${name}`)
      phase = newPhase()
      const [begun, lines] = [performance.now(), errorLines(stack).length]
      const connections = sum(listeners)
      await work()
      const seconds = (performance.now() - begun) / 1000
      reports.push({
        name,
        phase,
        rate: phase.done / seconds,
        gap: longestGap([begun, ...phase.writtenAt, performance.now()]) / 1000,
        errorLines: errorLines(stack).slice(lines),
        reconnections: sum(listeners) - connections,
      })
    }
    await during('None', () => sleep(QUIET_MS))
    for (const fault of FAULTS)
      await during(fault.name, () =>
        suffer(
          stack,
          () => fault.cause(stack, machines),
          () => phase,
        ),
      )
    await load.stop()
    await allHeard(listeners, reports)
    const truth = await readTruth(stack, client, powerDns, { id: domainId, name: DOMAIN })
    print(reports, truth, listeners)
  } finally {
    for (const end of ends) await end()
  }
}

const sum = (listeners: Listener[]) => listeners.reduce((total, { connections }) => total + connections, 0)

function longestGap(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.max(...sorted.slice(1).map((time, i) => time - (sorted[i] as number)))
}

/** Causes the fault, waits until writes are served steadily, ends it, and waits until all is as before. */
async function suffer(
  stack: HaStack,
  cause: () => ReturnType<Fault['cause']>,
  phase: () => Phase,
): Promise<void> {
  const end = await cause()
  await sleep(FIRST_EFFECT_MS)
  await steady(phase)
  end?.()
  await sleep(FIRST_EFFECT_MS)
  await stack.inStep()
  await allReady()
  await steady(phase)
}

async function steady(phase: () => Phase): Promise<void> {
  for (;;) {
    await sleep(500)
    const now = performance.now()
    const recent = phase().writtenAt.filter((time) => time > now - STEADY_MS)
    if (recent.length > 0 && longestGap([now - STEADY_MS, ...recent, now]) < GAP_MS) return
  }
}

/** Waits until each stream has announced all that was acknowledged, or for a minute. */
async function allHeard(listeners: Listener[], reports: Report[]): Promise<void> {
  const until = performance.now() + LAST_EVENT_MS
  const missing = () => reports.some(({ phase }) => unheard(listeners, phase).length > 0)
  while (missing() && performance.now() < until) await sleep(500)
}

const unheard = (listeners: Listener[], { acknowledged }: Phase): string[] =>
  listeners.flatMap(({ announced }) => acknowledged.filter((name) => !announced.has(name)))

function print(reports: Report[], truth: Truth, listeners: Listener[]): void {
  const lostOf = ({ acknowledged }: Phase) =>
    acknowledged.filter((name) => !truth.listed.has(name) || !truth.served.has(name))
  const columns: [string, (report: Report) => string | number][] = [
    ['Fault', ({ name }) => name],
    ['Requests a second', ({ rate }) => rate.toFixed(0)],
    ['Longest time without a write (s)', ({ gap }) => gap.toFixed(1)],
    ['Repeated', ({ phase }) => phase.repeated],
    ['Failed for good', ({ phase }) => phase.failed.length],
    ['Records acknowledged', ({ phase }) => phase.acknowledged.length],
    ['Lost', ({ phase }) => lostOf(phase).length],
    ['Answers of 500', ({ phase }) => phase.answersOf500.length],
    ['503 without a problem document', ({ phase }) => phase.bare503],
    ['Streams reconnected', ({ reconnections }) => reconnections],
    ['Events missed', ({ phase }) => unheard(listeners, phase).length],
    ['Error lines in 3 logs', (report) => report.errorLines.length],
  ]
  const row = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  console.log(row(columns.map(([title]) => title)))
  console.log(row(columns.map((_, i) => (i === 0 ? '---' : '--:'))))
  for (const report of reports) console.log(row(columns.map(([, cell]) => cell(report))))
  const repeatedEvents = listeners.reduce((total, { repeated }) => total + repeated, 0)
  const differing = [
    ...[...truth.listed].filter((name) => !truth.served.has(name)),
    ...[...truth.served].filter((name) => !truth.listed.has(name)),
  ]
  console.log(
    `\nDone twice: ${truth.twice.length}. Events repeated to a client, with the same id: ${repeatedEvents}. ` +
      `Records that only Zonekeeper or only PowerDNS has: ${differing.length}.`,
  )
  const problems = [
    ...truth.twice.map((name) => `done twice: ${name}`),
    ...differing.map((name) => `only on one side: ${name}`),
    ...reports.flatMap(({ name, phase }) => [
      ...lostOf(phase).map((record) => `${name}: lost: ${record}`),
      ...phase.failed.map((text) => `${name}: failed: ${text}`),
      ...phase.answersOf500.map((text) => `${name}: 500: ${text}`),
      ...unheard(listeners, phase).map((record) => `${name}: not announced: ${record}`),
      ...(phase.bare503 > 0 ? [`${name}: ${phase.bare503} answers of 503 without a problem document`] : []),
    ]),
  ]
  for (const problem of problems.slice(0, MOST_SHOWN)) console.error(problem)
  if (process.argv.includes('--log'))
    for (const { name, errorLines: lines } of reports) console.error(name, lines)
  process.exitCode = problems.length > 0 ? 1 : 0
}

const MOST_SHOWN = 50

if (await inOwnNetwork()) await main()
