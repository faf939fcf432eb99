import { randomUUID } from 'node:crypto'
import t from 'tap'
import { connect } from '../../../db/connection/connect.ts'
import { startApp } from '../../helpers/app.ts'
import { isBack } from '../../helpers/outages.ts'
import { startNetwork, startOwnPostgres } from '../../helpers/postgres.ts'
import { until } from '../../helpers/until.ts'

// A write lock whose holder is done while the database is away must not stop all writes until it lapses.
const postgres = await startOwnPostgres(t)
const network = await startNetwork(t, postgres.database.config)
const config = { ...postgres.database.config, host: '127.0.0.1', port: network.port }
const connection = connect(config)
t.teardown(() => connection.close())
const service = await startApp(t, { alone: false, database: { ...connection, config }, jobs: true })

void t.test('a lease that ends while the database is away is given back when that answers', async (t) => {
  const subject = randomUUID()
  const { leases } = service.app
  t.equal(await leases.take('change', subject), true)
  network.leadTo({ ...postgres.database.config, port: 1 })
  network.reset()
  await leases.end('change', subject)
  const { db } = postgres.database
  const find = () => db.selectFrom('leases').select('until').where('subject', '=', subject).executeTakeFirst()
  const kept = await find()
  t.ok(kept, 'it could not be given back')
  network.leadTo(postgres.database.config)
  await until('it is given back', async () => (await find()) === undefined, { within: 20 })
  t.ok(new Date() < (kept?.until ?? 0), 'before it lapsed')
  await isBack(service)
  t.equal(await leases.take('change', subject), true)
})
