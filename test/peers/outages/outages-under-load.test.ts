// Runs last: holds times to bounds.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { connect } from '../../../db/connection/connect.ts'
import { startApp } from '../../helpers/app.ts'
import { areHonest, isBack, underLoad } from '../../helpers/outages.ts'
import { startNetwork, startOwnPostgres } from '../../helpers/postgres.ts'
import { addDomain, addManual } from '../../helpers/zone.ts'

// The whole service under load, on a PostgreSQL that is stopped, frozen and killed. Without load: outages.test.ts.
const postgres = await startOwnPostgres(t)
const network = await startNetwork(t, postgres.database.config)
const config = { ...postgres.database.config, host: '127.0.0.1', port: network.port }
const connection = connect(config)
t.teardown(() => connection.close())
const service = await startApp(t, { database: { ...connection, config }, jobs: true })
const { admin } = service
const { id: domainId } = await addDomain(admin, await addManual(admin), 'example.com')

void t.test('90. standing still under load', async (t) => {
  const answers = await underLoad([admin], domainId, async () => {
    postgres.signal('SIGSTOP', 'all')
    await sleep(6_000)
    postgres.signal('SIGCONT', 'all')
    await isBack(service)
  })
  await areHonest(t, postgres.database, answers)
  t.ok(answers.some(({ status }) => status === 503))
})

void t.test(
  '88. not accepting connections: what has one is served, the rest refused within 5 s',
  async (t) => {
    const answers = await underLoad([admin], domainId, async () => {
      postgres.signal('SIGSTOP', 'postmaster')
      await sleep(6_000)
      postgres.signal('SIGCONT', 'postmaster')
      await isBack(service)
    })
    await areHonest(t, postgres.database, answers)
  },
)

void t.test('88. stopped and started under load, in order and by a crash', async (t) => {
  for (const how of ['in order', 'immediately'] as const) {
    const answers = await underLoad([admin], domainId, async () => {
      if (how === 'in order') await postgres.stop()
      else await postgres.crash()
      await sleep(1_500)
      await postgres.start()
      await isBack(service)
    })
    await areHonest(t, postgres.database, answers)
  }
})

void t.test('88. one of its processes killed under load', async (t) => {
  const answers = await underLoad([admin], domainId, async () => {
    postgres.killOne()
    await sleep(500)
    await isBack(service)
  })
  await areHonest(t, postgres.database, answers)
})

void t.test('88. reset by the network after a second of silence, under load', async (t) => {
  const answers = await underLoad([admin], domainId, async () => {
    for (let i = 0; i < 3; i++) {
      network.standStill()
      await sleep(1_000)
      network.reset()
      await sleep(500)
    }
    await isBack(service)
  })
  await areHonest(t, postgres.database, answers)
})
