import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { PostgresPoolClient } from 'kysely'
import pg from 'pg'

const tracer = trace.getTracer('zonekeeper.database')

/** Its verb, and the first table it names. */
const STATEMENT = /^\s*(\w+)(?:[^]{0,2000}?\b(?:from|into|update)\s+"?(\w+))?/i

function nameOf(text: string): string {
  const [, verb = 'query', table = ''] = STATEMENT.exec(text) ?? []
  return `${verb} ${table}`.trim()
}

/** A pool client whose statements are spans of the request they belong to; those of background work are not traced. */
export function traced(client: PostgresPoolClient): PostgresPoolClient {
  const send = client.query as unknown as (text: string, values: readonly unknown[]) => Promise<unknown>
  const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    if (trace.getActiveSpan() === undefined) return send.call(client, text, values)
    // The text has no values: those are sent beside it.
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text }
    const span = tracer.startSpan(nameOf(text), { kind: SpanKind.CLIENT, attributes })
    try {
      return await send.call(client, text, values)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      if (error instanceof pg.DatabaseError) span.setAttribute('db.response.status_code', error.code ?? '')
      throw error
    } finally {
      span.end()
    }
  }
  return {
    // Kysely's type also has cursors, which are not used here.
    query: query as unknown as PostgresPoolClient['query'],
    release: (...how) => client.release(...how),
  }
}
