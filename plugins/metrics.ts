import fp from 'fastify-plugin'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { levelOf } from './http/logging.ts'
import { countOutOfSync, readBacklogs, type Backlog } from './metrics-queries.ts'

/** Counters of this instance since its start. Labels never contain user data. */
export interface Metrics {
  registry: Registry
  /** Counts each attempt; `result` is `ok` or the kind of failure. */
  providerCalls: Counter<'provider' | 'result'>
  /** Seconds of each call, with its retries and pauses. */
  providerSeconds: Histogram<'provider'>
  /** Excludes dry runs; `result` is `ok` or the error code. */
  syncs: Counter<'result'>
  /** What became of changes made at providers; `result` is `adopted`, `enforced` or why not. */
  drift: Counter<'result'>
  jobs: Counter<'queue' | 'result'>
  /** `result` is the source (`rdap` or `whois`) or the kind of failure. */
  lookups: Counter<'result'>
  /** Finished operations. */
  operations: Counter<'kind' | 'outcome'>
  /** Returns all metrics as Prometheus text; without backlogs while the database is unavailable. */
  text(): Promise<string>
}

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics
  }
}

const KINDS: readonly Backlog['kind'][] = ['events', 'deliveries', 'mails', 'operations', 'changes']

export default fp(
  async (app) => {
    const registry = new Registry()
    const registers = [registry]
    collectDefaultMetrics({ register: registry })
    const waiting = new Gauge({
      name: 'zonekeeper_waiting',
      help: 'Pending work: events in the outbox, channel deliveries, emails, operations, changes without an outcome',
      labelNames: ['kind'],
      registers,
    })
    const oldest = new Gauge({
      name: 'zonekeeper_oldest_waiting_seconds',
      help: 'Age of the oldest pending entry',
      labelNames: ['kind'],
      registers,
    })

    const outOfSync = new Gauge({
      name: 'zonekeeper_domains_out_of_sync',
      help: 'Domains whose provider holds other records than those here, as of the last sync',
      registers,
    })

    async function refresh(): Promise<void> {
      outOfSync.set(await countOutOfSync(app.jobsDb))
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
        help: 'Calls to DNS providers',
        labelNames: ['provider', 'result'],
        registers,
      }),
      providerSeconds: new Histogram({
        name: 'zonekeeper_provider_call_seconds',
        help: 'Time of calls to DNS providers, with retries and pauses',
        labelNames: ['provider'],
        buckets: [0.05, 0.2, 0.5, 1, 2, 5, 15, 60],
        registers,
      }),
      syncs: new Counter({
        name: 'zonekeeper_syncs_total',
        help: 'Domain syncs, without dry runs',
        labelNames: ['result'],
        registers,
      }),
      drift: new Counter({
        name: 'zonekeeper_drift_total',
        help: 'Syncs that found changes made at a provider: adopted, enforced (put back), or why they were left',
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
        help: 'Lookups of expiry dates',
        labelNames: ['result'],
        registers,
      }),
      operations: new Counter({
        name: 'zonekeeper_operations_total',
        help: 'Finished operations',
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
