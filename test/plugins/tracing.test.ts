import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { call } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { startZone } from '../helpers/zone.ts'

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status: { code?: number }
}

/** A collector that keeps what it gets, or refuses it. */
const spans: Span[] = []
const bodies: string[] = []
let isRefusing = false
const collector = createServer((request, response) => {
  void text(request).then((body) => take(request, response, body))
})
function take(request: IncomingMessage, response: ServerResponse, body: string): void {
  if (isRefusing || request.url !== '/v1/traces') return void response.writeHead(500).end()
  bodies.push(body)
  for (const { scopeSpans } of JSON.parse(body).resourceSpans)
    for (const { spans: some } of scopeSpans) spans.push(...some)
  response.setHeader('content-type', 'application/json').end('{}')
}
collector.listen(0, '127.0.0.1')
await once(collector, 'listening')
t.teardown(() => collector.close())

process.env['OTEL_BSP_SCHEDULE_DELAY'] = '100'
const { port } = collector.address() as AddressInfo
const zone = await startZone(t, {
  environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/` },
})
const { app, admin, domainId } = zone

const attribute = ({ attributes }: Span, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.intValue
}
const spansOf = async (name: string): Promise<{ root: Span; inside: Span[] }> => {
  const find = () => spans.find((span) => span.name === name)
  await until(`the span of ${name}`, () => find() !== undefined)
  const root = find() as Span
  return { root, inside: spans.filter((span) => span.traceId === root.traceId && span !== root) }
}

void t.test('a request is a trace with its statements and its calls to the provider', async (t) => {
  const url = `/api/domains/${domainId}/records`
  const record = { recordType: 'TXT', name: 'traced', value: 'a value that nobody else sees' }
  t.equal((await admin.post(url, record)).status, 201)
  const { root, inside } = await spansOf('POST /api/domains/:id/records')
  t.equal(attribute(root, 'http.route'), '/api/domains/:id/records')
  t.equal(attribute(root, 'http.response.status_code'), 201)
  t.type(attribute(root, 'zonekeeper.request_id'), 'string')
  const statements = inside.filter((span) => attribute(span, 'db.system.name') === 'postgresql')
  t.ok(statements.length > 3)
  t.ok(
    statements.some(({ name }) => name === 'select domains'),
    statements.map(({ name }) => name).join(', '),
  )
  t.ok(inside.some(({ name }) => name === 'provider powerdns'))
  const known = new Set([root, ...inside].map(({ spanId }) => spanId))
  for (const { parentSpanId, name } of inside) t.ok(known.has(parentSpanId ?? ''), name)
  for (const body of bodies) t.notMatch(body, /nobody else sees|192\.0\.2\.|correct horse/)
})

void t.test('a refusal is no error, and a failure is one', async (t) => {
  t.equal((await admin.get('/api/domains/01a2199d-0000-7000-8000-000000000000')).status, 404)
  const { root } = await spansOf('GET /api/domains/:id')
  t.equal(attribute(root, 'http.response.status_code'), 404)
  t.notOk(root.status.code)
  zone.fake.fail({
    on: 'write',
    kind: 'answer',
    answer: { status: 422, body: JSON.stringify({ error: 'no' }) },
  })
  const record = { recordType: 'A', name: 'refused', value: '192.0.2.1' }
  const refused = await admin.post(`/api/domains/${domainId}/records`, record)
  t.ok(refused.status >= 400, `${refused.status}`)
  await until('the failed call', () => spans.some((span) => attribute(span, 'error.type') === 'rejected'))
})

void t.test('a traceparent from outside and the probes of operators are left out', async (t) => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
  t.equal((await call(app, { url: '/readyz', headers })).status, 200)
  t.equal((await call(app, { url: '/openapi.json', headers })).status, 200)
  const { root } = await spansOf('GET /openapi.json')
  t.not(root.traceId, traceId)
  t.notOk(spans.some(({ name }) => name.includes('readyz')))
})

void t.test('a collector that is away holds nothing up', async (t) => {
  isRefusing = true
  t.equal((await admin.get('/api/users')).status, 200)
  t.equal((await admin.get('/api/users')).status, 200)
})
