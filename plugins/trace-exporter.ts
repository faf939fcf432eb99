import { setTimeout as sleep } from 'node:timers/promises'
import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import packageJson from '../package.json' with { type: 'json' }

/**
 * Exports spans to `<endpoint>/v1/traces`. The SDK reads its own variables: OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER,
 * OTEL_EXPORTER_OTLP_HEADERS. `report` gets why spans could not be sent.
 */
export function startExporting(
  endpoint: string,
  report: (message: string) => void,
): { stop(ms: number): Promise<void> } {
  const say = (message: string) => report(message)
  const quiet = () => {}
  diag.setLogger(
    { error: say, warn: quiet, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': process.env['OTEL_SERVICE_NAME'] ?? 'zonekeeper',
      'service.version': packageJson.version,
    }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  })
  provider.register()
  return {
    async stop(ms) {
      await Promise.race([provider.shutdown().catch(quiet), sleep(ms, undefined, { ref: false })])
      for (const api of [trace, context, propagation, diag]) api.disable()
    },
  }
}
