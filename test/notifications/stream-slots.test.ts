import { v7 as uuidv7 } from 'uuid'
import t, { type Test } from 'tap'
import { startApp, type Client } from '../helpers/app.ts'
import { listen, type Listener } from '../helpers/stream.ts'
import { until } from '../helpers/until.ts'

/* How many streams a user may have, on all instances together. */
const one = await startApp(t, { alone: false })
const two = await startApp(t, { alone: false, database: one.database })
const { db } = one.database
const bases = [
  await one.app.listen({ host: '127.0.0.1', port: 0 }),
  await two.app.listen({ host: '127.0.0.1', port: 0 }),
]

let users = 0
async function member(): Promise<Client> {
  const username = `listener${users++}`
  await one.addUser(username)
  return one.signIn(username)
}

/** Opens a stream at one of the instances; they take turns. */
async function open(t: Test, { accessToken }: Client, n = 0): Promise<Listener> {
  const stream = await listen(bases[n % bases.length] as string, { token: accessToken })
  t.teardown(stream.close)
  return stream
}

const openMany = (t: Test, client: Client, streams: number) =>
  Promise.all(Array.from({ length: streams }, (_, n) => open(t, client, n)))

const slotsOf = ({ userId }: Client) =>
  db.selectFrom('stream_slots').selectAll().where('user_id', '=', userId).orderBy('slot').execute()

/** Slots of an instance that nobody hears of any more. */
const addSlots = ({ userId }: Client, leaseUntil: Date) =>
  db
    .insertInto('stream_slots')
    .values(
      [1, 2, 3, 4, 5].map((slot) => ({
        user_id: userId,
        slot,
        stream_id: uuidv7(),
        lease_until: leaseUntil,
      })),
    )
    .execute()

void t.test('84. 94. five at a time on all instances, and another when one ends', async (t) => {
  const [ada, bob] = [await member(), await member()]
  const streams = await openMany(t, ada, 5)
  t.same(
    streams.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  )
  for (const n of [0, 1]) t.equal((await open(t, ada, n)).status, 429, `at instance ${n}`)
  t.equal((await open(t, bob, 1)).status, 200, 'another user has their own')
  streams[0]?.close()
  await until('a free slot at the other instance', async () => (await open(t, ada, 1)).status === 200)
  t.equal((await open(t, ada, 0)).status, 429)
})

void t.test('84. of ten at once five are opened', async (t) => {
  const ada = await member()
  const streams = await openMany(t, ada, 10)
  t.equal(streams.filter(({ status }) => status === 200).length, 5)
  t.equal(streams.filter(({ status }) => status === 429).length, 5)
})

void t.test('slots of an instance that died are free when their lease is over', async (t) => {
  const [ada, bob] = [await member(), await member()]
  await addSlots(ada, new Date(Date.now() + 60_000))
  const refused = await open(t, ada)
  t.equal(refused.status, 429)
  t.equal(refused.headers['retry-after'], '30')
  await addSlots(bob, new Date(Date.now() - 1_000))
  const streams = await openMany(t, bob, 6)
  t.equal(streams.filter(({ status }) => status === 200).length, 5)
})

void t.test('open streams keep their slots, and ended ones give them back', async (t) => {
  const ada = await member()
  const streams = await openMany(t, ada, 3)
  const soon = new Date(Date.now() + 2_000)
  await db.updateTable('stream_slots').set({ lease_until: soon }).where('user_id', '=', ada.userId).execute()
  await until('renewed leases', async () =>
    (await slotsOf(ada)).every(({ lease_until: lease }) => lease.getTime() > soon.getTime() + 10_000),
  )
  for (const stream of streams) stream.close()
  await until('free slots', async () => (await slotsOf(ada)).length === 0)
})

void t.test('an instance that stops leaves no slots', async (t) => {
  const ada = await member()
  const third = await startApp(t, { alone: false, database: one.database })
  const base = await third.app.listen({ host: '127.0.0.1', port: 0 })
  const streams = await Promise.all([1, 2, 3].map(() => listen(base, { token: ada.accessToken })))
  t.equal((await slotsOf(ada)).length, 3)
  await third.app.close()
  await Promise.all(streams.map(({ ended }) => ended))
  t.same(await slotsOf(ada), [])
})
