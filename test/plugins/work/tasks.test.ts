import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createDatabase } from '../../helpers/database.ts'
import { until } from '../../helpers/until.ts'
import { startWorker } from './helpers.ts'

// Most of the time they wait.
t.jobs = 8

void t.test('each turn of a task is run by one of several instances', async (t) => {
  const database = await createDatabase(t)
  let [runs, running, most] = [0, 0, 0]
  const begun = Date.now()
  for (let n = 0; n < 3; n++) {
    const app = await startWorker(t, database)
    app.work.every(1, 'orders.count', async () => {
      runs++
      most = Math.max(most, ++running)
      await sleep(300)
      running--
    })
    await app.ready()
    app.work.start()
  }
  await until('some runs', () => runs >= 3)
  t.equal(most, 1)
  t.ok(runs <= (Date.now() - begun) / 1000 + 1, `${runs} runs`)
})

void t.test('91. a task of an instance that died is taken over when its claim lapses', async (t) => {
  const database = await createDatabase(t)
  const app = await startWorker(t, database)
  let runs = 0
  app.work.every(3_600, 'orders.count', async () => void runs++)
  await app.ready()
  app.work.start()
  await until(
    'the task is stored',
    async () => (await database.db.selectFrom('scheduled_tasks').select('name').execute()).length > 0,
  )
  await sql`
    update scheduled_tasks set holder = gen_random_uuid(), due_at = now() + interval '3 seconds'
  `.execute(database.db)
  await sleep(1_500)
  t.equal(runs, 0, 'not while the claim lasts')
  await until('a run', () => runs === 1)
  await until('the next turn', async () => {
    const row = await database.db.selectFrom('scheduled_tasks').selectAll().executeTakeFirstOrThrow()
    return row.holder === null && row.due_at.getTime() % 3_600_000 === 0
  })
})

void t.test('a claim is renewed while the task runs, and another instance waits', async (t) => {
  const database = await createDatabase(t)
  const { promise, resolve } = Promise.withResolvers<void>()
  let runs = 0
  for (let n = 0; n < 2; n++) {
    const app = await startWorker(t, database)
    app.work.every(1, 'orders.count', async () => {
      runs++
      await promise
    })
    await app.ready()
    app.work.start()
  }
  t.teardown(resolve)
  const due = async () =>
    (await database.db.selectFrom('scheduled_tasks').select('due_at').executeTakeFirst())?.due_at.getTime() ??
    0
  await until('it runs', () => runs === 1)
  const first = await due()
  await until('it is renewed', async () => (await due()) > first)
  t.equal(runs, 1)
  resolve()
  await until('the next run', () => runs > 1)
})

void t.test('a task that fails has another turn, and the others go on', async (t) => {
  const app = await startWorker(t, await createDatabase(t))
  let [failed, done] = [0, 0]
  app.work.every(1, 'orders.fail', async () => {
    failed++
    throw new Error('on purpose')
  })
  app.work.every(1, 'orders.count', async () => void done++)
  await app.ready()
  app.work.start()
  await until('both', () => failed >= 2 && done >= 2)
})

void t.test('a stop asks running tasks to end, and waits for them', async (t) => {
  const app = await startWorker(t, await createDatabase(t))
  const seen: string[] = []
  app.work.every(1, 'orders.count', async (stopping) => {
    seen.push('begun')
    while (!stopping.aborted) await sleep(20)
    seen.push('asked')
    await sleep(100)
    seen.push('ended')
  })
  await app.ready()
  app.work.start()
  await until('it runs', () => seen.length > 0)
  await app.close()
  t.strictSame(seen, ['begun', 'asked', 'ended'])
})

void t.test('an instance that is not started runs no task but on demand', async (t) => {
  const database = await createDatabase(t)
  const app = await startWorker(t, database)
  let runs = 0
  app.work.every(1, 'orders.count', async () => void runs++)
  await app.ready()
  await sleep(2_500)
  t.equal(runs, 0)
  t.strictSame(await database.db.selectFrom('scheduled_tasks').selectAll().execute(), [])
  await app.work.run('orders.count')
  t.equal(runs, 1)
  await t.rejects(app.work.run('orders.other'))
})
