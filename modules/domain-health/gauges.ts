import type { FastifyInstance } from 'fastify'
import { Gauge } from 'prom-client'
import { levelOf } from '../../plugins/http/logging.ts'
import { toCounts } from './mapper.ts'
import { countAll } from './queries.ts'

/** Adds the number of findings by severity to the metrics. */
export function observeFindings({ jobsDb, metrics, log }: FastifyInstance): void {
  const findings = new Gauge({
    name: 'zonekeeper_health_findings',
    help: 'Findings of the health checks of all domains',
    labelNames: ['severity'],
    registers: [],
    async collect() {
      try {
        const counts = toCounts(await countAll(jobsDb))
        for (const [severity, count] of Object.entries(counts)) this.set({ severity }, count)
      } catch (error) {
        this.reset()
        log[levelOf(error)]({ err: error }, 'health findings could not be counted')
      }
    },
  })
  metrics.registry.registerMetric(findings)
}
