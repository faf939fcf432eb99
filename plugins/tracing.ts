import { context, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

const OPERATOR_ROUTES = new Set(['/healthz', '/readyz', '/metrics'])
const SHUTDOWN_MS = 3_000

/**
 * Traces of requests, their SQL statements and their calls to providers, sent as OTLP over HTTP. Off without an endpoint. An
 * incoming `traceparent` is ignored: anyone could send one. Names and attributes are those of OpenTelemetry's conventions.
 */
export default fp<{ otlpEndpoint: string | null }>(
  async (app, { otlpEndpoint }) => {
    if (otlpEndpoint === null) return
    // Loaded only where it is used: it is large.
    const { startExporting } = await import('./trace-exporter.ts')
    const exporting = startExporting(otlpEndpoint, (message) =>
      app.log.warn({ reason: message }, 'traces not sent'),
    )
    const tracer = trace.getTracer('zonekeeper')
    const spans = new WeakMap<FastifyRequest, Span>()

    app.addHook('onRequest', (request, _reply, done) => {
      const route = request.routeOptions.url
      if (route !== undefined && OPERATOR_ROUTES.has(route)) return done()
      const span = tracer.startSpan(route === undefined ? request.method : `${request.method} ${route}`, {
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': request.method,
          ...(route !== undefined && { 'http.route': route }),
          'zonekeeper.request_id': request.id,
        },
      })
      spans.set(request, span)
      context.with(trace.setSpan(context.active(), span), done)
    })
    app.addHook('onResponse', (request, reply, done) => {
      const span = spans.get(request)
      span?.setAttribute('http.response.status_code', reply.statusCode)
      if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
      span?.end()
      done()
    })
    app.addHook('onClose', async () => {
      await exporting.stop(SHUTDOWN_MS)
    })
  },
  { name: 'tracing' },
)
