import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { startReceiver, type Receiver } from './simulators/receiver.ts'
import { addChannel, happen, logOf } from './helpers.ts'

/* Two instances on one database, with the job queue at work. */
const options = {
  alone: false,
  jobs: true,
  channelTiming: {
    // More tries than a busy machine takes while a receiver is away.
    backoffSeconds: [0.1, 0.2, 0.5, ...Array.from({ length: 60 }, () => 1)],
    timeoutMs: 2_000,
    sweepSeconds: 0.2,
  },
}
const one = await startApp(t, options)
const two = await startApp(t, { ...options, database: one.database })

const names = ({ told }: Receiver) => told.map(({ metadata }) => String(metadata['domainName']))
const inTime = (what: string, receiver: Receiver, count: number) =>
  until(what, async () => receiver.told.length >= count)

/** `count` things happen, on both instances in turns, one after the other. Answers their names. */
async function manyHappen(prefix: string, count: number): Promise<string[]> {
  const all = Array.from({ length: count }, (_, i) => `${prefix}${i}.example`)
  for (const [i, name] of all.entries()) {
    // Within one millisecond of two processes there is no order of time.
    await sleep(2)
    await happen((i % 2 === 0 ? one : two).app, name)
  }
  return all
}

void t.test('94. each message goes out once, in order, whoever emitted and whoever delivers', async (t) => {
  const receivers = await Promise.all([1, 2, 3].map(() => startReceiver(t)))
  for (const receiver of receivers)
    await addChannel(one, 'webhook', receiver.config, { events: ['domain.*'] })
  const expected = await manyHappen('once', 30)
  for (const receiver of receivers) await inTime('all messages', receiver, expected.length)
  await sleep(500)
  for (const receiver of receivers) {
    t.same(names(receiver), expected)
    t.equal(receiver.requests.length, expected.length, 'none twice')
  }
})

void t.test('a receiver that hangs delays no other, and gets all when it is back', async (t) => {
  const [hangs, lives] = await Promise.all([startReceiver(t), startReceiver(t)])
  const id = await addChannel(two, 'webhook', hangs.config, { events: ['domain.*'] })
  await addChannel(two, 'webhook', lives.config, { events: ['domain.*'] })
  hangs.state.answer = null
  const begun = Date.now()
  const expected = await manyHappen('late', 20)
  await inTime('what the other is told', lives, expected.length)
  t.ok(Date.now() - begun < 15_000, `${Date.now() - begun} ms`)
  t.same(names(lives), expected)
  await until('a try in vain', async () => ((await logOf(one, id))[0]?.tries ?? 0) >= 2)
  t.ok(
    (await logOf(one, id)).slice(1).every(({ tries }) => tries === 0),
    'only the first is tried',
  )
  hangs.state.answer = { status: 204 }
  await inTime('what waited', hangs, expected.length)
  t.same(names(hangs), expected)
  t.equal(new Set(hangs.told.map((message) => message.id)).size, expected.length)
})

void t.test('12 receivers that hang delay no other', async (t) => {
  const patient = { ...options.channelTiming, timeoutMs: 60_000 }
  const third = await startApp(t, { ...options, channelTiming: patient })
  const hanging = await Promise.all(Array.from({ length: 12 }, () => startReceiver(t)))
  const lives = await startReceiver(t)
  const ids: string[] = []
  for (const { state, config } of hanging) {
    state.answer = null
    ids.push(await addChannel(third, 'webhook', config, { events: ['domain.*'] }))
  }
  await addChannel(third, 'webhook', lives.config, { events: ['domain.*'] })
  const expected = ['first.example', 'second.example']
  for (const name of expected) {
    await happen(third.app, name)
    await until('the other is told', () => names(lives).includes(name))
  }
  await until('all that hang are called', () => hanging.every(({ requests }) => requests.length === 1))
  const tries = await Promise.all(ids.map(async (id) => (await logOf(third, id)).map((one) => one.tries)))
  t.ok(
    tries.flat().every((count) => count === 0),
    'they still wait for their first answer',
  )
  t.same(names(lives), expected)
})

void t.test('an instance stops although a receiver hangs, and the try does not count', async (t) => {
  const hangs = await startReceiver(t)
  const third = await startApp(t, {
    ...options,
    channelTiming: { ...options.channelTiming, timeoutMs: 15_000 },
  })
  const id = await addChannel(third, 'webhook', hangs.config)
  hangs.state.answer = null
  await happen(third.app, 'hangs.example')
  await until('the call', async () => hangs.requests.length === 1)
  const begun = Date.now()
  await third.app.close()
  t.ok(Date.now() - begun < 10_000, `${Date.now() - begun} ms`)
  const rows = await third.database.db
    .selectFrom('deliveries')
    .selectAll()
    .where('channel_id', '=', id)
    .execute()
  t.match(rows, [{ status: 'pending', tries: 0, last_error: null }])
})

void t.test('an instance that stops leaves the rest to the other', async (t) => {
  const receiver = await startReceiver(t)
  await addChannel(one, 'webhook', receiver.config, { events: ['domain.*'] })
  const third = await startApp(t, { ...options, database: one.database })
  receiver.state.answer = { status: 503 }
  const expected = Array.from({ length: 40 }, (_, i) => `stop${i}.example`)
  for (const name of expected) {
    await sleep(2)
    await happen(third.app, name)
  }
  receiver.state.answer = { status: 204 }
  await inTime('the first', receiver, 1)
  await third.app.close()
  await until('the rest', () => names(receiver).includes(expected.at(-1) as string))
  // What was under way as the instance stopped may come twice.
  t.same([...new Set(names(receiver))], expected)
})
