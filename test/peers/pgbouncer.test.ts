import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { startApp, type Client } from '../helpers/app.ts'
import { startNetwork, startOwnPostgres } from '../helpers/postgres.ts'
import { until } from '../helpers/until.ts'
import { startZone } from '../helpers/zone.ts'
import { freePort, startProgram } from './processes.ts'

/** Connections of pgbouncer's to the server: fewer than the service's to pgbouncer, so that they are shared. */
const SERVER_CONNECTIONS = 3
const LIMITS = 'set statement_timeout = 15000; set lock_timeout = 5000'

const postgres = await startOwnPostgres(t)
const { config } = postgres.database
const network = await startNetwork(t, config)
const pooler = { ...config, host: '127.0.0.1', port: await startPgbouncer(network.port) }
const connection = connect(config, { pooler })
t.teardown(() => connection.close())
let echoes = 0
const app = await startApp(t, {
  database: { ...connection, config },
  jobs: true,
  extend: (app) => app.work.every(1, 'test.echo', async () => void echoes++),
})
const zone = await startZone(t, { app })

/** A real pgbouncer in transaction mode, as docs/operations.md describes it. Answers its port. */
async function startPgbouncer(serverPort: number): Promise<number> {
  const directory = mkdtempSync(path.join(tmpdir(), 'zonekeeper-pgbouncer-'))
  chmodSync(directory, 0o755)
  const port = await freePort()
  const file = path.join(directory, 'pgbouncer.ini')
  writeFileSync(path.join(directory, 'users.txt'), `"${config.user}" ""\n`)
  writeFileSync(
    file,
    `[databases]
${config.database} = host=127.0.0.1 port=${serverPort} connect_query='${LIMITS}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${directory}/users.txt
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
`,
  )
  // It refuses root.
  const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const program = await startProgram(['pgbouncer', ...account, file])
  t.teardown(async () => {
    await program.stop()
    rmSync(directory, { recursive: true, force: true })
  })
  const client = async () => {
    const one = new pg.Client({ ...config, host: '127.0.0.1', port })
    await one.connect()
    await one.end()
    return true
  }
  await until('pgbouncer answers', () => client().catch(() => false))
  return port
}

void t.test('requests go through it, with its limits', async (t) => {
  const { rows } = await sql`show statement_timeout`.execute(connection.db)
  t.same(rows, [{ statement_timeout: '15s' }])
})

void t.test('people sign in, change records, and sync, many at a time', async (t) => {
  const clients = await Promise.all(Array.from({ length: 8 }, () => app.signIn('root')))
  const names = Array.from({ length: 80 }, (_, i) => `host-${i}`)
  const create = (client: Client, name: string) =>
    client.post(zone.url, { recordType: 'A', name, value: '192.0.2.1' })
  // Each of the eight makes one change after another; more at once than the machine does in 4.5 s are refused with 503.
  await Promise.all(
    clients.map(async (client, i) => {
      for (const name of names.slice(i * 10, (i + 1) * 10))
        t.match(await create(client, name), { status: 201 })
    }),
  )
  for (const name of names) t.same(zone.there(name, 'A'), ['192.0.2.1'])
  const synced = await app.admin.post(`/api/domains/${zone.domainId}/sync`)
  t.equal(synced.status, 200)
  const lists = await Promise.all(
    [...clients, ...clients].map((client) => client.get(`${zone.url}?limit=100`)),
  )
  t.same(
    lists.filter((answer) => answer.status !== 200),
    [],
  )
})

void t.test('scheduled tasks are run without it', async () => {
  const before = echoes
  await until('the task has run', () => echoes > before)
})
