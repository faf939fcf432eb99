import { startZone, type Zone } from '../helpers/zone.ts'
import { until } from '../helpers/until.ts'
import { startApp, type Client, type TestApp } from '../helpers/app.ts'
import { startTargets, type Target } from './targets.ts'

interface Owner {
  teardown(end: () => unknown): void
}

/** An interval of 10 s takes 200 ms. */
export const FAST = { second: 0.02 }

/** A zone with web servers to which monitors can switch. */
export interface FailingZone extends Zone {
  port: number
  primary: Target
  backup: Target
  third: Target
  monitors: string
  /** Sets up a monitor for a new RRset that has the primary, and answers it. */
  watch(name: string, more?: object, client?: Client): Promise<Monitor>
  read(id: string): Promise<Monitor>
  /** Waits until the monitor is as the condition says. */
  when(id: string, what: string, condition: (monitor: Monitor) => boolean): Promise<Monitor>
  /** Another instance on the same database. */
  join(t: Owner): Promise<TestApp>
}

// oxlint-disable-next-line typescript/no-explicit-any
export type Monitor = any

export async function startFailingZone(
  t: Owner,
  options: Parameters<typeof startZone>[1] = {},
): Promise<FailingZone> {
  const [zone, { port, targets }] = await Promise.all([
    startZone(t, { failoverTimes: FAST, alone: false, ...options }),
    startTargets(t, 3),
  ])
  const { admin, domainId } = zone
  const [primary, backup, third] = targets as [Target, Target, Target]
  const monitors = `/api/domains/${domainId}/failover-monitors`
  const read = async (id: string) => (await admin.get(`/api/failover-monitors/${id}`)).body
  return {
    ...zone,
    port,
    primary,
    backup,
    third,
    monitors,
    read,
    async watch(name, more = {}, client = admin) {
      await zone.add('A', name, primary.address, { ttl: 60 })
      const answer = await client.post(monitors, settings({ port, primary, backup }, name, more))
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      return answer.body
    },
    when: (id, what, condition) =>
      until(what, async () => {
        const monitor = await read(id)
        return !monitor.isSwitching && condition(monitor) && monitor
      }),
    join: (owner) => startApp(owner, { database: zone.database, alone: false, failoverTimes: FAST }),
  }
}

/** The body of a monitor with the two servers. */
export const settings = (
  { port, primary, backup }: { port: number; primary: Target; backup: Target },
  name: string,
  more: object = {},
) => ({
  name,
  recordType: 'A',
  alternatives: [
    { name: 'primary', values: [primary.address] },
    { name: 'backup', values: [backup.address] },
  ],
  check: { kind: 'http', port, path: '/health', timeoutSeconds: 1, contains: 'fine' },
  intervalSeconds: 10,
  failures: 2,
  successes: 2,
  holdDownSeconds: 0,
  ...more,
})
