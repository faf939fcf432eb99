import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import t from 'tap'
import db from '../../../plugins/db.ts'
import dueTimes from '../../../plugins/work/due-times.ts'
import jobs, { type JobHandler, type QueueOptions } from '../../../plugins/work/jobs.ts'
import metrics from '../../../plugins/metrics.ts'
import timers from '../../../plugins/work/timers.ts'
import { createDatabase, type TestDatabase } from '../../helpers/database.ts'
import { until } from '../../helpers/until.ts'

interface Order {
  number: number
}

/** An instance that works on the queue `orders` of that database. */
async function instance(
  t: { teardown(end: () => unknown): void },
  database: TestDatabase,
  handler: JobHandler<Order>,
  options: QueueOptions = {},
) {
  const app = Fastify()
  await app.register(db, { connection: database })
  await app.register(metrics)
  await app.register(timers)
  await app.register(dueTimes)
  await app.register(jobs)
  app.jobs.define('orders', handler, options)
  await app.ready()
  await app.jobs.start(database.config)
  t.teardown(() => app.close())
  return app
}

void t.test('a job is done once, by one of several instances', async (t) => {
  const database = await createDatabase(t)
  const done: number[] = []
  const handler: JobHandler<Order> = async ({ number }) => void done.push(number)
  const [one] = await Promise.all([1, 2, 3].map(() => instance(t, database, handler, { concurrency: 2 })))
  for (let number = 0; number < 10; number++) {
    await one?.jobs.send('orders', { number }, { key: String(number) })
  }
  await until('all jobs', async () => done.length >= 10)
  await sleep(300)
  t.same(
    done.toSorted((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  )
})

void t.test('of one key one waits and one runs', async (t) => {
  const database = await createDatabase(t)
  const begun: number[] = []
  let free = () => {}
  const held = new Promise<void>((resolve) => (free = resolve))
  const app = await instance(
    t,
    database,
    async ({ number }) => {
      begun.push(number)
      await held
    },
    { concurrency: 3 },
  )
  await app.jobs.send('orders', { number: 1 }, { key: 'same' })
  await until('the first to begin', async () => begun.length === 1)
  for (const number of [2, 3, 4]) await app.jobs.send('orders', { number }, { key: 'same' })
  await sleep(300)
  t.same(begun, [1])
  free()
  await until('the one that waited', async () => begun.length === 2)
  await sleep(300)
  t.same(begun, [1, 2])
})

void t.test('without a key one waits and one runs, whatever the number of instances', async (t) => {
  const database = await createDatabase(t)
  const begun: number[] = []
  let free = () => {}
  const held = new Promise<void>((resolve) => (free = resolve))
  const handler: JobHandler<Order> = async ({ number }) => {
    begun.push(number)
    await held
  }
  const [app] = await Promise.all([1, 2].map(() => instance(t, database, handler, { concurrency: 2 })))
  await app?.jobs.send('orders', { number: 1 })
  await until('the first to begin', async () => begun.length === 1)
  for (const number of [2, 3]) await app?.jobs.send('orders', { number })
  await sleep(300)
  t.same(begun, [1])
  free()
  await until('the one that waited', async () => begun.length === 2)
})

void t.test('a job that waits for its own key keeps no other key waiting', async (t) => {
  const database = await createDatabase(t)
  const begun: number[] = []
  let free = () => {}
  const held = new Promise<void>((resolve) => (free = resolve))
  const handler: JobHandler<Order> = async ({ number }) => {
    begun.push(number)
    if (number === 1) await held
  }
  const [app] = await Promise.all([1, 2].map(() => instance(t, database, handler, { concurrency: 2 })))
  await app?.jobs.send('orders', { number: 1 }, { key: 'slow' })
  await until('the slow one to begin', async () => begun.length === 1)
  await app?.jobs.send('orders', { number: 1 }, { key: 'slow' })
  await sleep(100)
  for (const number of [2, 3, 4]) await app?.jobs.send('orders', { number }, { key: `quick${number}` })
  await until('the quick ones', async () => begun.length >= 4).finally(free)
  t.same(
    begun.toSorted((a, b) => a - b),
    [1, 2, 3, 4],
  )
  await until('the one that waited', async () => begun.length === 5)
})

void t.test('a job is queued with the transaction, or not at all', async (t) => {
  const database = await createDatabase(t)
  const done: number[] = []
  const app = await instance(t, database, async ({ number }) => void done.push(number))
  await database.db
    .transaction()
    .execute(async (trx) => {
      await app.jobs.send('orders', { number: 1 }, { db: trx })
      throw new Error('no')
    })
    .catch(() => {})
  await database.db.transaction().execute((trx) => app.jobs.send('orders', { number: 2 }, { db: trx }))
  await until('the job', async () => done.length > 0)
  t.same(done, [2])
})

void t.test('a job that fails is tried again, and the others go on', async (t) => {
  const database = await createDatabase(t)
  const begun: number[] = []
  const app = await instance(t, database, async ({ number }) => {
    begun.push(number)
    if (number === 1 && begun.filter((one) => one === 1).length === 1) throw new Error('the first try fails')
  })
  await app.jobs.send('orders', { number: 1 }, { key: 'one' })
  await app.jobs.send('orders', { number: 2 }, { key: 'two' })
  await until('both', async () => begun.includes(2) && begun.filter((one) => one === 1).length === 2)
})

void t.test('without a start nothing waits and nothing is done', async (t) => {
  const app = Fastify()
  await app.register(db, { connection: await createDatabase(t) })
  await app.register(metrics)
  await app.register(timers)
  await app.register(dueTimes)
  await app.register(jobs)
  const done: number[] = []
  app.jobs.define<Order>('orders', async ({ number }) => void done.push(number))
  await app.jobs.send('orders', { number: 1 })
  t.same(done, [])
  await app.jobs.run('orders', { number: 2 })
  t.same(done, [2])
  await app.close()
})
