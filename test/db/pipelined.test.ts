import { sql } from 'kysely'
import pg from 'pg'
import t from 'tap'
import { pipelined } from '../../db/pipelined.ts'
import { createDatabase } from '../helpers/database.ts'

const { db } = await createDatabase(t)

void t.test('statements go over the wire without waiting for each other, in order', async (t) => {
  const sent = t.capture(pg.Client.prototype, 'query', pg.Client.prototype.query)
  await db.transaction().execute(async (trx) => {
    await sql`select 0 + ${0}::int`.execute(trx)
    sent()
    const before: number[] = []
    const answers = await pipelined(trx, (wire) =>
      Promise.all(
        [1, 2, 3].map(async (n) => {
          const { rows } = await sql<{ n: number }>`select ${n}::int as n, pg_sleep(0.05)`.execute(wire)
          if (n === 1) before.push(sent().length)
          return rows[0]?.n
        }),
      ),
    )
    t.same(answers, [1, 2, 3])
    t.same(before, [3], 'all were sent when the first was answered')
  })
})

void t.test(
  'they are the transaction’s: one that fails takes all with it, and its reason is given',
  async (t) => {
    await sql`create table kept (n int primary key)`.execute(db)
    const work = db
      .transaction()
      .execute((trx) =>
        pipelined(trx, (wire) =>
          Promise.all([
            sql`insert into kept values (1)`.execute(wire),
            sql`insert into kept values (1)`.execute(wire),
            sql`insert into kept values (2)`.execute(wire),
          ]),
        ),
      )
    await t.rejects(work, { code: '23505' })
    t.same((await sql`select * from kept`.execute(db)).rows, [])
  },
)
