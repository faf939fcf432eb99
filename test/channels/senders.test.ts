import t, { type Test } from 'tap'
import { startApp } from '../helpers/app.ts'
import { hear, tell } from '../helpers/events.ts'
import { startMailbox } from '../helpers/mailbox.ts'
import { startReceiver } from './simulators/receiver.ts'
import { startDingTalk, startFeishu } from './simulators/robots.ts'
import { addChannel, happen, logOf, testOf, work } from './helpers.ts'

const mailbox = await startMailbox(t)
const service = await startApp(t, {
  environment: { ...mailbox.environment, OUTBOUND_ALLOW: '127.0.0.1' },
  channelTiming: { timeoutMs: 1000 },
})
const { app, admin } = service

/** A channel that is only told by `test`. */
const idle = (channel: string, config: object) => addChannel(service, channel, config, { events: [] })
const change = (id: string, config: object) => admin.put(`/api/notifications/configs/${id}`, { config })
const failsWith = async (t: Test, id: string, errorCode: string) =>
  t.match(await testOf(service, id), {
    status: 200,
    body: { ok: false, error: String, errorCode, durationMs: Number },
  })

void t.test('chat_a: DingTalk takes it, signed', async (t) => {
  const robot = await startDingTalk(t)
  const id = await idle('chat_a', robot.config)
  t.match(await testOf(service, id), { status: 200, body: { ok: true, error: null, durationMs: Number } })
  t.match(robot.told, [/^Zonekeeper: Test of channel chat_a\nAn administrator is testing/])

  await t.test('and says in the body what is wrong', async (t) => {
    await change(id, { secret: 'SECwrong' })
    await failsWith(t, id, 'receiver_security')
    await change(id, {
      ...robot.config,
      webhookUrl: robot.config.webhookUrl.replace('ding-token', 'another'),
    })
    await failsWith(t, id, 'receiver_refused')
    await change(id, robot.config)
    robot.limits.messages = 0
    await failsWith(t, id, 'receiver_busy')
    robot.limits.messages = Infinity
    robot.limits.clockOff = 2 * 3_600_000
    await failsWith(t, id, 'receiver_security')
    robot.limits.clockOff = 0
    robot.fail({ kind: 'garble', body: '{"errcode":-1,"errmsg":"system busy"}' })
    await failsWith(t, id, 'receiver_busy')
    robot.fail({ kind: 'garble', body: '<html>a page</html>' })
    await failsWith(t, id, 'receiver_unknown')
    robot.fail({ kind: 'answer', answer: { status: 502, body: 'bad gateway' } })
    await failsWith(t, id, 'receiver_status')
    t.equal(robot.told.length, 3, 'the two garbled answers were to messages that it took')
    t.match(await testOf(service, id), { body: { ok: true } })
  })
})

void t.test('chat_b: Feishu takes it, signed', async (t) => {
  const robot = await startFeishu(t)
  const id = await idle('chat_b', robot.config)
  t.match(await testOf(service, id), { status: 200, body: { ok: true, error: null } })
  t.match(robot.told, [/^Zonekeeper: Test of channel chat_b\nAn administrator is testing/])
  await change(id, { secret: 'wrong' })
  await failsWith(t, id, 'receiver_signature')
  await change(id, { secret: robot.config.secret })
  for (const [code, errorCode] of [
    [19022, 'receiver_address'],
    [19024, 'receiver_keyword'],
    [11232, 'receiver_busy'],
    [42, 'receiver_refused'],
  ] as const) {
    robot.fail({ kind: 'garble', body: JSON.stringify({ code, msg: 'secret of theirs', data: {} }) })
    await failsWith(t, id, errorCode)
  }
  robot.fail({ kind: 'garble', body: '{"StatusCode":0,"StatusMessage":"success"}' })
  t.match(await testOf(service, id), { body: { ok: true } }, 'as old ones answer')
})

void t.test('webhook: verified by a library of others, with any kind of secret', async (t) => {
  const receiver = await startReceiver(t)
  const id = await idle('webhook', {
    ...receiver.config,
    headers: { Authorization: 'Bearer a-token', 'X-Team': 'ops' },
  })
  t.match(await testOf(service, id), { body: { ok: true, error: null } })
  t.match(receiver.told, [
    {
      event: 'channel.test',
      id: /^[0-9a-f-]{36}$/,
      title: 'Test of channel webhook',
      content: /An administrator/,
      level: 'info',
      metadata: { channelId: id, channel: 'webhook', name: 'webhook' },
      createdAt: /Z$/,
    },
  ])
  const [request] = receiver.requests
  t.match(request?.headers, {
    'webhook-id': receiver.told[0]?.id,
    authorization: 'Bearer a-token',
    'x-team': 'ops',
    'content-type': 'application/json',
    'user-agent': /^Zonekeeper/,
  })

  const raw = await startReceiver(t, { secret: 'any text of some length', raw: true })
  t.match(await testOf(service, await idle('webhook', raw.config)), { body: { ok: true } })
  const unsigned = await idle('webhook', { url: receiver.config.url })
  await failsWith(t, unsigned, 'receiver_status')
  t.equal(receiver.requests.at(-1)?.headers['webhook-signature'], undefined)
})

void t.test('webhook: only 2xx is success, and nothing of an answer is passed on', async (t) => {
  const receiver = await startReceiver(t)
  const id = await idle('webhook', receiver.config)
  for (const status of [301, 307, 400, 404, 410, 429, 500, 503]) {
    receiver.state.answer = { status, headers: { location: `${receiver.url}/else` }, body: 'their secret' }
    await failsWith(t, id, status === 410 ? 'receiver_gone' : 'receiver_status')
  }
  t.same(
    [...new Set(receiver.requests.map(({ path }) => path))],
    ['/hooks/zonekeeper'],
    'no redirect is followed',
  )
  receiver.state.answer = null
  await failsWith(t, id, 'receiver_timeout')
  await receiver.close()
  await failsWith(t, id, 'receiver_unreachable')
})

void t.test('private addresses are refused unless the operator lists them', async (t) => {
  for (const url of [
    'http://127.0.0.2/x',
    'http://[::1]/x',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
  ]) {
    await failsWith(t, await idle('webhook', { url }), 'receiver_blocked')
    const robot = await idle('chat_a', { webhookUrl: url })
    await failsWith(t, robot, 'receiver_blocked')
  }
})

void t.test('email: one message to all addresses', async (t) => {
  const id = await idle('email', { to: ['ops@example.com', 'boss@example.org'] })
  t.match(await testOf(service, id), { body: { ok: true } })
  const mail = await mailbox.next('ops@example.com')
  t.same(mail.to, ['ops@example.com', 'boss@example.org'])
  t.match(mail.headers, {
    subject: 'Test of channel email',
    'message-id': /^<[0-9a-f-]{36}@example\.com>$/,
  })
  t.match(mail.text, /An administrator is testing/)
})

void t.test('email: what the mail server says is put into our words', async (t) => {
  const strict = await startMailbox(t, {
    onRcptTo: (_address, _session, callback) => {
      callback(Object.assign(new Error('no such user at our secret host'), { responseCode: 550 }))
    },
  })
  const other = await startApp(t, { environment: strict.environment, database: service.database })
  const id = await addChannel(other, 'email', { to: ['nobody@example.com'] }, { events: [] })
  t.match(await testOf(other, id), {
    status: 200,
    body: { ok: false, errorCode: 'mail_envelope' },
  })
})

void t.test('web: people inside are told', async (t) => {
  const wanted = hear(app, 'notification.wanted')
  const id = await addChannel(service, 'web', { audience: 'all' })
  const eventId = await happen(app, 'web.example')
  await work(app)
  t.match(await wanted(), [
    {
      payload: {
        event: 'domain.created',
        eventId,
        metadata: { domainName: 'web.example' },
        to: 'all',
      },
    },
  ])
  t.match(await logOf(service, id), [{ status: 'delivered' }])
  await admin.delete(`/api/notifications/configs/${id}`)
})

void t.test('chats: nobody is called by what others wrote, and long texts are cut', async (t) => {
  const [ding, feishu] = [await startDingTalk(t), await startFeishu(t)]
  const ids = [
    await addChannel(service, 'chat_a', ding.config),
    await addChannel(service, 'chat_b', feishu.config),
  ]
  const userAgent = `http://evil.example @all @13800000000 <at user_id="all">all</at> "\\ ${'🦆"'.repeat(20_000)}`
  const metadata = { username: 'ada', ip: '203.0.113.7', userAgent }
  await tell(app, 'account.new_sign_in', { metadata, actorId: null, userIds: [] })
  for (const id of ids) {
    await work(app)
    t.match(await logOf(service, id), [{ status: 'delivered', error: null }])
  }
  for (const text of [ding.told[0], feishu.told[0]]) {
    t.match(text, /^Zonekeeper: New sign-in to account ada\n/)
    t.match(text, /🦆"…$|🦆…$/, 'cut between characters')
    t.notMatch(text, '://', 'no address is a link')
    t.ok(Buffer.byteLength(text ?? '') > 15_000)
  }
  t.notMatch(ding.told[0], /@(?!\u200b)/, 'no @ stands before a name')
  for (const id of ids) await admin.delete(`/api/notifications/configs/${id}`)
})
