import Fastify from 'fastify'
import pg from 'pg'

/** A plain route without permissions: the SQL through a pool, and a response schema. */
export interface BareRoute {
  config: pg.ClientConfig
  text: string
  values: unknown[]
  /** A JSON schema of a row. */
  row: object
}

const { config, text, values, row } = JSON.parse(process.env['BENCH_ROUTE'] ?? '{}') as BareRoute
const pool = new pg.Pool({ ...config, max: 10 })
const app = Fastify()
app.get(
  '/',
  { schema: { response: { 200: { type: 'object', properties: { rows: { type: 'array', items: row } } } } } },
  async () => {
    const { rows } = await pool.query<object>({ name: 'bare', text, values })
    return { rows }
  },
)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.(address)
process.once('disconnect', () => void app.close().then(() => pool.end()))
