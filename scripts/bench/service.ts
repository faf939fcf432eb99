import type pg from 'pg'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { connect } from '../../db/connection/connect.ts'
import type { EventName } from '../../schemas/events/events.ts'
import { SECRET_KEY } from './seed.ts'

/**
 * The service as `npm start` runs it, including its log, on the database that the parent names. After the
 * log, its first line on standard output is the address; it ends when its standard input closes.
 */
const database = JSON.parse(process.env['BENCH_DATABASE'] ?? '{}') as pg.ClientConfig
const config = readConfig(
  {
    ...process.env,
    PORT: '0',
    OUTBOUND_ALLOW: '127.0.0.0/8',
    RATE_LIMIT: process.env['BENCH_RATE_LIMIT'] ?? '1000000',
  },
  '/dev/null',
)
const connection = connect(database)
const nameServerPort = Number(process.env['BENCH_NAME_SERVER_PORT'] ?? 53)
const app = await buildApp(config, { connection, secretKeys: [SECRET_KEY], alone: true, nameServerPort })
const address = await app.listen({ host: '127.0.0.1', port: 0 })
// Errors that no request of this build can cause.
process.on('message', ({ name, payload }: { name: EventName; payload: never }) =>
  app.events.emit(name, payload),
)
if (process.env['BENCH_JOBS'] === 'true') app.work.start()
// With --expose-gc, resident memory shows what is in use rather than what was not collected yet.
const { gc } = globalThis
if (gc) setInterval(() => gc(), 20_000).unref()
process.send?.(address)
process.once('disconnect', () => void app.close().then(() => connection.close()))
