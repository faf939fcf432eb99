import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { QueueOptions } from '../../../plugins/work/queue.ts'
import { createDatabase, type TestDatabase } from '../../helpers/database.ts'
import { until } from '../../helpers/until.ts'
import { startWorker } from './helpers.ts'

interface Order {
  id: number
  tries: number
}

// Most of the time they wait.
t.jobs = 8

/** A database with a table of orders, so many of which are due. */
async function createOrders(t: Parameters<typeof createDatabase>[0], count: number) {
  const database = await createDatabase(t)
  await sql`create table orders (id int primary key, tries int not null default 0, due_at timestamptz not null)`.execute(
    database.db,
  )
  await sql`insert into orders select id, 0, now() from generate_series(1, ${count}) id`.execute(database.db)
  return database
}

/** A queue over that table; `run` is the test's. */
const ordersQueue = (
  { db }: TestDatabase,
  run: (order: Order) => Promise<void>,
  options: Partial<QueueOptions<Order>> = {},
): QueueOptions<Order> => ({
  name: 'orders',
  concurrency: 2,
  pollSeconds: 0.1,
  claim: async (limit) => {
    const { rows } = await sql<Order>`
      with due as (
        select id from orders where due_at <= now() order by id limit ${limit} for update skip locked
      )
      update orders set tries = tries + 1, due_at = now() + interval '3 seconds' from due where orders.id = due.id
      returning orders.id, tries
    `.execute(db)
    return rows
  },
  renew: (orders) =>
    sql`update orders set due_at = now() + interval '3 seconds' where id = any(${orders.map(({ id }) => id)})`.execute(
      db,
    ),
  run: async (order) => {
    await run(order)
    await sql`delete from orders where id = ${order.id}`.execute(db)
  },
  ...options,
})

void t.test('each row is worked on once, by one of several instances, so many at a time', async (t) => {
  const database = await createOrders(t, 30)
  const done: number[] = []
  for (let n = 0; n < 3; n++) {
    const app = await startWorker(t, database)
    let running = 0
    app.work.queue(
      ordersQueue(database, async ({ id }) => {
        t.ok(++running <= 2)
        await sleep(20)
        running--
        done.push(id)
      }),
    )
    await app.ready()
  }
  await until('all', () => done.length >= 30)
  await sleep(300)
  t.strictSame(
    done.toSorted((a, b) => a - b),
    Array.from({ length: 30 }, (_, i) => i + 1),
  )
})

void t.test('a claim is renewed during a long run, and lapses with its instance', async (t) => {
  const database = await createOrders(t, 1)
  const { promise, resolve } = Promise.withResolvers<void>()
  t.teardown(resolve)
  const tries: number[] = []
  const run = async (order: Order) => {
    tries.push(order.tries)
    await promise
  }
  for (let n = 0; n < 2; n++) {
    const app = await startWorker(t, database)
    app.work.queue(ordersQueue(database, run))
    await app.ready()
  }
  await until('it runs', () => tries.length === 1)
  await sleep(4_000)
  t.strictSame(tries, [1], 'renewed')

  const left = await createOrders(t, 1)
  await sql`update orders set tries = 1, due_at = now() + interval '1 second'`.execute(left.db)
  const app = await startWorker(t, left)
  const seen: Order[] = []
  app.work.queue(ordersQueue(left, async (order) => void seen.push(order)))
  await app.ready()
  await until('it is taken over', () => seen.length === 1)
  t.match(seen, [{ tries: 2 }])
})

void t.test('a run that fails is repeated after its back-off, and keeps no other row waiting', async (t) => {
  const database = await createOrders(t, 2)
  const done: number[] = []
  const app = await startWorker(t, database)
  app.work.queue(
    ordersQueue(
      database,
      async ({ id, tries }) => {
        if (id === 1 && tries < 3) throw new Error('on purpose')
        done.push(id)
      },
      {
        concurrency: 1,
        backoff: ({ id }) =>
          sql`update orders set due_at = now() + interval '200 milliseconds' where id = ${id}`.execute(
            database.db,
          ),
      },
    ),
  )
  await app.ready()
  await until('both', () => done.length === 2)
  t.strictSame(done, [2, 1])
})

void t.test('without a back-off, a row is due again when its claim lapses', async (t) => {
  const database = await createOrders(t, 1)
  const tries: number[] = []
  const app = await startWorker(t, database)
  app.work.queue(
    ordersQueue(database, async (order) => {
      tries.push(order.tries)
      if (order.tries === 1) throw new Error('on purpose')
    }),
  )
  await app.ready()
  await until('the first try', () => tries.length === 1)
  await sleep(1_000)
  t.strictSame(tries, [1])
  await until('the second', () => tries.length === 2)
})

void t.test('an event wakes the queue, also while it has no room', async (t) => {
  const database = await createOrders(t, 0)
  const done: number[] = []
  const app = await startWorker(t, database)
  const queue = ordersQueue(
    database,
    async ({ id }) => {
      await sleep(100)
      done.push(id)
    },
    { concurrency: 1, wokenBy: ['mails.added'] },
  )
  const { pollSeconds: _, run, ...rest } = queue
  app.work.queue({
    ...rest,
    run: async (order, signals) => {
      await run(order, signals)
      return 'later'
    },
  })
  await app.ready()
  for (const id of [1, 2]) {
    await sql`insert into orders values (${id}, 0, now())`.execute(database.db)
    app.events.emit('mails.added', {})
    await sleep(30)
  }
  await until('both', () => done.length === 2)
})

void t.test('a stop begins nothing new, waits for what runs, and cuts it off after a while', async (t) => {
  const database = await createOrders(t, 3)
  const app = await startWorker(t, database)
  const seen: string[] = []
  app.work.queue({
    ...ordersQueue(database, async () => {}),
    concurrency: 1,
    drainMs: 300,
    run: async (_order, { stopping, cutOff }) => {
      seen.push('begun')
      while (!stopping.aborted) await sleep(10)
      seen.push('stopping')
      while (!cutOff.aborted) await sleep(10)
      seen.push('cut off')
    },
  })
  await app.ready()
  await until('it runs', () => seen.length > 0)
  await app.close()
  t.strictSame(seen, ['begun', 'stopping', 'cut off'])
})
