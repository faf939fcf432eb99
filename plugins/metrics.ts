import fp from 'fastify-plugin'
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { levelOf } from './http/logging.ts'
import { readBacklogs, type Backlog } from './metrics-queries.ts'

/** What the service counts of its own work, on this instance and since its start; labels are no user data. */
export interface Metrics {
  registry: Registry
  /** Each try by itself; `result` is `ok` or the kind of the failure. */
  providerCalls: Counter<'provider' | 'result'>
  /** Without dry runs; `result` is `ok` or the code of the error. */
  syncs: Counter<'result'>
  jobs: Counter<'queue' | 'result'>
  /** `result` is `rdap` or `whois`, which answered, or the kind of the failure. */
  lookups: Counter<'result'>
  /** Large changes that have ended. */
  operations: Counter<'kind' | 'outcome'>
  /** All as Prometheus text, with what waits in the database now; without that while the database is away. */
  text(): Promise<string>
}

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics
  }
}

const KINDS: readonly Backlog['kind'][] = ['events', 'deliveries', 'mails', 'operations']

export default fp(
  async (app) => {
    const registry = new Registry()
    const registers = [registry]
    collectDefaultMetrics({ register: registry })
    const waiting = new Gauge({
      name: 'zonekeeper_waiting',
      help: 'Stored and not sent or done yet: events of the outbox, deliveries of channels, e-mails, operations',
      labelNames: ['kind'],
      registers,
    })
    const oldest = new Gauge({
      name: 'zonekeeper_oldest_waiting_seconds',
      help: 'Age of the oldest that waits',
      labelNames: ['kind'],
      registers,
    })

    async function refresh(): Promise<void> {
      waiting.reset()
      oldest.reset()
      const found = new Map((await readBacklogs(app.jobsDb)).map((backlog) => [backlog.kind, backlog]))
      for (const kind of KINDS) {
        waiting.set({ kind }, found.get(kind)?.waiting ?? 0)
        oldest.set({ kind }, found.get(kind)?.oldest ?? 0)
      }
    }

    app.decorate('metrics', {
      registry,
      providerCalls: new Counter({
        name: 'zonekeeper_provider_calls_total',
        help: 'Calls of DNS providers',
        labelNames: ['provider', 'result'],
        registers,
      }),
      syncs: new Counter({
        name: 'zonekeeper_syncs_total',
        help: 'Syncs of domains, dry runs left out',
        labelNames: ['result'],
        registers,
      }),
      jobs: new Counter({
        name: 'zonekeeper_jobs_total',
        help: 'Jobs of the queues',
        labelNames: ['queue', 'result'],
        registers,
      }),
      lookups: new Counter({
        name: 'zonekeeper_lookups_total',
        help: 'Look-ups of expiry dates',
        labelNames: ['result'],
        registers,
      }),
      operations: new Counter({
        name: 'zonekeeper_operations_total',
        help: 'Large changes that have ended',
        labelNames: ['kind', 'outcome'],
        registers,
      }),
      async text() {
        await refresh().catch((error: unknown) =>
          app.log[levelOf(error)]({ err: error }, 'what waits could not be counted'),
        )
        return registry.metrics()
      },
    } satisfies Metrics)
    app.addHook('onClose', async () => registry.clear())
  },
  { name: 'metrics', dependencies: ['db'] },
)
