import t from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { sql } from 'kysely'
import { deleteOldLog } from '../../modules/channels/delivery/messages.ts'
import { startApp } from '../helpers/app.ts'
import { hear } from '../helpers/events.ts'
import { until } from '../helpers/until.ts'
import { addDomain, addManual } from '../helpers/zone.ts'
import { startReceiver } from './simulators/receiver.ts'
import { startDingTalk } from './simulators/robots.ts'
import { addChannel, channelOf, happen, logOf, testOf, work } from './helpers.ts'

const service = await startApp(t, {
  // Long enough for a busy machine to look at what came of a try before the next.
  channelTiming: { backoffSeconds: [0.5, 0.5, 0.5], timeoutMs: 3_000 },
})
const { app, admin, database } = service
const { db } = database

const remove = (id: string) => admin.delete(`/api/notifications/configs/${id}`)
const names = ({ told }: { told: { metadata: Record<string, unknown> }[] }) =>
  told.map(({ metadata }) => metadata['domainName'])
const statesOf = async (id: string) =>
  (await logOf(service, id)).map(({ status, tries }) => `${status} ${tries}`)

/** Works until nothing is left that could be sent, through all backoffs. */
async function workOff() {
  await until('nothing waits that could be sent soon', async () => {
    await work(app)
    const { rows } = await sql`
      select from channel_configs as channel
      where enabled and next_try_at < now() + interval '5 seconds'
        and exists (select from deliveries where channel_id = channel.id and status = 'pending')
    `.execute(db)
    return rows.length === 0
  })
}

void t.test('what happens goes out once to each channel that wants it', async (t) => {
  const receiver = await startReceiver(t)
  const [all, domains, records, off] = await Promise.all([
    addChannel(service, 'webhook', receiver.config),
    addChannel(service, 'webhook', receiver.config, { events: ['domain.*'] }),
    addChannel(service, 'webhook', receiver.config, { events: ['record.*', 'domain.expiring'] }),
    addChannel(service, 'webhook', receiver.config, { enabled: false }),
  ])
  const { id: domainId } = await addDomain(admin, await addManual(admin), 'example.com')
  await until(
    'the deliveries',
    async () => (await db.selectFrom('deliveries').select('id').execute()).length === 2,
  )
  await work(app)
  t.match(receiver.told, [
    { event: 'domain.created', level: 'success', metadata: { domainId, domainName: 'example.com' } },
    { event: 'domain.created', title: 'example.com was added' },
  ])
  const [first, second] = receiver.told
  t.equal(first?.id, second?.id, 'it is the id of the event')
  t.match(await logOf(service, all), [
    { eventId: first?.id, event: 'domain.created', status: 'delivered', tries: 1 },
  ])
  t.match(await channelOf(service, all), { lastDelivery: { at: /Z$/, ok: true, error: null } })
  t.match(await channelOf(service, records), { lastDelivery: null })

  await t.test('also when it is told again', async (t) => {
    await happen(app, 'example.com', first?.id)
    await work(app)
    t.equal(receiver.told.length, 2)
  })
  await t.test('changes of the configuration are heeded at once', async (t) => {
    await admin.put(`/api/notifications/configs/${domains}`, { events: [] })
    await admin.put(`/api/notifications/configs/${off}`, { enabled: true })
    await remove(all)
    await happen(app, 'later.example')
    t.same(await statesOf(domains), ['delivered 1'])
    t.same(await statesOf(off), ['pending 0'])
  })
  for (const id of [domains, records, off]) await remove(id)
})

void t.test('a receiver that was away gets everything in order, each with one id', async (t) => {
  const receiver = await startReceiver(t)
  const id = await addChannel(service, 'webhook', receiver.config)
  receiver.state.answer = { status: 500 }
  const ids = [await happen(app, 'one.example'), await happen(app, 'two.example')]
  await work(app)
  t.match(await statesOf(id), [/^pending [12]$/, 'pending 0'], 'none overtakes the first')
  t.match(await channelOf(service, id), { lastDelivery: { ok: false, error: /HTTP status 500/ } })
  receiver.state.answer = { status: 204 }
  ids.push(await happen(app, 'three.example'))
  await workOff()
  t.same(names(receiver), ['one.example', 'two.example', 'three.example'])
  t.same(
    receiver.told.map((message) => message.id),
    ids,
  )
  const tries = receiver.requests.filter(({ headers }) => headers['webhook-id'] === ids[0])
  t.ok(tries.length >= 2, 'tried again with the same id')
  await remove(id)
})

void t.test('two who work on one channel at once send nothing twice', async (t) => {
  const receiver = await startReceiver(t)
  receiver.state.delayMs = 20
  const id = await addChannel(service, 'webhook', receiver.config)
  const sent = ['a.example', 'b.example', 'c.example', 'd.example']
  for (const name of sent) await happen(app, name)
  await Promise.all([work(app), work(app), work(app)])
  await workOff()
  t.same(names(receiver), sent)
  await remove(id)
})

void t.test('in the order of time, whenever they were stored', async (t) => {
  const receiver = await startReceiver(t)
  const id = await addChannel(service, 'webhook', receiver.config)
  for (const name of ['b', 'c', 'a']) await happen(app, `${name}.example`)
  await sql`update deliveries set created_at = created_at - interval '1 minute'
    where message->'metadata'->>'domainName' = 'a.example'`.execute(db)
  await work(app)
  t.same(names(receiver), ['a.example', 'b.example', 'c.example'])
  await remove(id)
})

void t.test(
  'after the last try it is dead, the administrators hear of it, and the next goes on',
  async (t) => {
    const receiver = await startReceiver(t)
    const failures = hear(app, 'channel.failed')
    const id = await addChannel(service, 'webhook', receiver.config, { name: 'Bad' })
    const other = await addChannel(service, 'webhook', (await startReceiver(t)).config, {
      events: ['channel.*'],
    })
    const eventId = await happen(app, 'bad.example')
    receiver.state.answer = { status: 500 }
    receiver.fail({ kind: 'answer', answer: { status: 500 }, times: 4 })
    receiver.state.answer = { status: 204 }
    await happen(app, 'good.example')
    await workOff()
    t.same(await statesOf(id), ['dead 4', 'delivered 1'])
    t.same(names(receiver), ['good.example'])
    const [dead] = await logOf(service, id)
    t.same(
      (await failures()).map(({ payload }) => payload.metadata),
      [
        {
          channelId: id,
          channel: 'webhook',
          name: 'Bad',
          deliveryId: dead?.id,
          event: 'domain.created',
          error: 'The receiver responded with HTTP status 500',
          errorCode: 'receiver_status',
          errorParams: { status: 500 },
        },
      ],
    )
    t.equal(
      (await logOf(service, other)).length,
      1,
      'other channels pass it on, the one that failed does not',
    )

    await t.test('a dead one is replayed with the same id', async (t) => {
      const path = `/api/notifications/configs/${id}/deliveries/${dead?.id}/replay`
      t.match(await admin.post(path), { status: 200, body: { status: 'pending', tries: 0, nextTryAt: /Z$/ } })
      t.match(await admin.post(path), { status: 409, body: { code: 'conflict' } })
      await work(app)
      t.equal(receiver.told.at(-1)?.id, eventId)
      t.match(await admin.post(path), { status: 409, body: { detail: /delivered/ } })
      t.equal((await admin.post(path.replace(id, other))).status, 404, 'not by another channel')
      t.equal((await admin.post(path.replace(String(dead?.id), uuidv7()))).status, 404)
    })
    await t.test('the log can be filtered and paged', async (t) => {
      const log = async (query: string) =>
        (await admin.get(`/api/notifications/configs/${id}/deliveries?${query}`)).body
      t.match(await log('status=dead'), { total: 0, deliveries: { length: 0 } })
      t.match(await log('status=delivered&limit=1'), { total: 2, limit: 1, deliveries: [{ title: /^good/ }] })
      t.match(await log('limit=1&page=2'), { total: 2, page: 2, deliveries: [{ title: /^bad/ }] })
      t.match(await log('status=lost'), { code: 'validation_failed' })
    })
    for (const one of [id, other]) await remove(one)
  },
)

void t.test('after a long outage those that are a day old are given up together', async (t) => {
  const receiver = await startReceiver(t)
  const failures = hear(app, 'channel.failed')
  const id = await addChannel(service, 'webhook', receiver.config, { events: ['domain.*'] })
  for (const name of ['a', 'b', 'c', 'd']) await happen(app, `${name}.example`)
  await sql`update deliveries set created_at = created_at - interval '25 hours'
    where channel_id = ${id} and message->'metadata'->>'domainName' <> 'd.example'`.execute(db)
  await sql`update channel_configs set failures = 3 where id = ${id}`.execute(db)
  receiver.state.answer = { status: 503, headers: { 'retry-after': '60' } }
  await work(app)
  t.same(await statesOf(id), ['dead 1', 'dead 0', 'dead 0', 'pending 0'])
  const told = (await failures()).map(({ payload }) => payload.metadata)
  t.match(told, [{ channelId: id, error: 'The receiver responded with HTTP status 503' }])
  t.equal(told.length, 1, 'which is told once')
  t.equal((await logOf(service, id))[1]?.error, told[0]?.error)
  await remove(id)
})

void t.test('410 turns the channel off', async (t) => {
  const receiver = await startReceiver(t)
  const id = await addChannel(service, 'webhook', receiver.config)
  receiver.state.answer = { status: 410 }
  await happen(app, 'gone.example')
  await happen(app, 'waits.example')
  await workOff()
  t.same(await statesOf(id), ['dead 1', 'pending 0'])
  t.match(await channelOf(service, id), { enabled: false, lastDelivery: { errorCode: 'receiver_gone' } })
  const audit = await db.selectFrom('audit').selectAll().where('target_id', '=', id).orderBy('id').execute()
  t.match(audit.at(-1), { action: 'channel.updated', actor_name: 'system', after: { enabled: false } })
  await happen(app, 'unheard.example')
  t.equal((await logOf(service, id)).length, 2)
  receiver.state.answer = { status: 204 }
  await admin.put(`/api/notifications/configs/${id}`, { enabled: true })
  await work(app)
  t.same(names(receiver), ['waits.example'], 'turned on again, it gets what waited')
  await remove(id)
})

void t.test('what a robot will never take is dead at once, and the next goes on', async (t) => {
  const robot = await startDingTalk(t)
  const id = await addChannel(service, 'chat_a', robot.config)
  robot.fail({ kind: 'answer', answer: { status: 200, body: '{"errcode":460101,"errmsg":"too long"}' } })
  await happen(app, 'long.example')
  await happen(app, 'short.example')
  await work(app)
  t.same(await statesOf(id), ['dead 1', 'delivered 1'])
  await remove(id)
})

void t.test('a receiver that asks for a pause gets it', async (t) => {
  const receiver = await startReceiver(t)
  const id = await addChannel(service, 'webhook', receiver.config)
  receiver.state.answer = { status: 429, headers: { 'retry-after': '120' } }
  await happen(app, 'later.example')
  await workOff()
  const [delivery] = await logOf(service, id)
  t.match(delivery, { status: 'pending', tries: 1 })
  const wait = Date.parse(delivery?.nextTryAt ?? '') - Date.now()
  t.ok(wait > 100_000 && wait <= 121_000, `${wait} ms`)
  receiver.state.answer = { status: 204 }
  await workOff()
  t.equal(receiver.told.length, 0)

  await t.test('an administrator who mends it need not wait', async (t) => {
    await admin.put(`/api/notifications/configs/${id}`, { name: 'mended' })
    await work(app)
    t.same(names(receiver), ['later.example'])
  })
  await t.test('nor one who tests it', async (t) => {
    receiver.state.answer = { status: 503, headers: { 'retry-after': '120' } }
    await happen(app, 'again.example')
    await work(app)
    receiver.state.answer = { status: 204 }
    await work(app)
    t.equal(receiver.told.length, 1)
    t.match(await testOf(service, id), { body: { ok: true } })
    await work(app)
    t.same(names(receiver).slice(2), ['again.example'])
  })
  await remove(id)
})

void t.test('a channel that was mended during a try does not wait for what that try says', async (t) => {
  const receiver = await startReceiver(t)
  const id = await addChannel(service, 'webhook', receiver.config)
  receiver.fail({
    kind: 'late',
    until: () => {
      receiver.state.answer = { status: 204 }
      return admin.put(`/api/notifications/configs/${id}`, { name: 'mended' })
    },
  })
  receiver.state.answer = { status: 503, headers: { 'retry-after': '3600' } }
  await happen(app, 'mended.example')
  await work(app)
  t.same(names(receiver), ['mended.example'])
  await remove(id)
})

void t.test('what robots bear: 20 messages a minute, in bursts of 8', async (t) => {
  const robot = await startDingTalk(t)
  const id = await addChannel(service, 'chat_a', robot.config)
  for (let i = 0; i < 12; i++) await happen(app, `${i}.example`)
  await work(app)
  t.equal(robot.told.length, 8)
  await work(app)
  t.equal(robot.told.length, 8, 'the rest waits')
  t.match(await channelOf(service, id), { lastDelivery: { ok: true } }, 'which is no failure')
  await sql`update channel_configs set paced_until = paced_until - interval '10 seconds' where id = ${id}`.execute(
    db,
  )
  await work(app)
  t.equal(robot.told.length, 10)
  t.match(robot.told.at(-1), /9\.example/)
  await remove(id)
})

void t.test('a fault of ours is a failure like any other, with its reason in the log', async (t) => {
  const receiver = await startReceiver(t)
  const id = await addChannel(service, 'webhook', receiver.config)
  await happen(app, 'sealed.example')
  const config = app.secrets.seal('{}', 'another place')
  await db.updateTable('channel_configs').set({ config }).where('id', '=', id).execute()
  await work(app)
  const [row] = await db.selectFrom('deliveries').selectAll().where('channel_id', '=', id).execute()
  t.match(row, { status: 'pending', last_error_code: 'service_fault' })
  await db.deleteFrom('channel_configs').where('id', '=', id).execute()
})

void t.test('the log is cleared in time', async (t) => {
  const receiver = await startReceiver(t)
  const id = await addChannel(service, 'webhook', receiver.config, { enabled: false })
  await sql`
    insert into deliveries (id, channel_id, event_id, event, message, status, created_at)
    select gen_random_uuid(), ${id}, gen_random_uuid(), 'domain.created', '{"title": ""}',
      status, now() - make_interval(days => days)
    from unnest(array['pending', 'delivered', 'dead']) as status, unnest(array[6, 8, 29, 31]) as days
  `.execute(db)
  await deleteOldLog(db)
  const left = (await logOf(service, id)).map(({ status }) => status).sort()
  t.same(left, ['dead', 'dead', 'dead', 'delivered', 'pending', 'pending', 'pending', 'pending'])
  await remove(id)
})

void t.test('a test goes out also where the channel is off, and leaves a trace', async (t) => {
  const receiver = await startReceiver(t)
  const id = await addChannel(service, 'webhook', receiver.config, { enabled: false })
  t.match(await testOf(service, id), { status: 200, body: { ok: true } })
  t.match(await channelOf(service, id), { enabled: false, lastDelivery: null })
  const rows = await db.selectFrom('audit').selectAll().where('target_id', '=', id).orderBy('id').execute()
  t.match(rows.at(-1), { action: 'channel.tested', after: { ok: true } })
  t.match(await db.selectFrom('audit').select('action').where('action', '=', 'channel.replayed').execute(), [
    {},
  ])
  await remove(id)
})
