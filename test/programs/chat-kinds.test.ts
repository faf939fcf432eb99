import t from 'tap'
import type { ChannelKind, DeliveryError, Message } from '../../modules/channels/senders/contract.ts'
import { senderOf } from '../../modules/channels/senders/registry.ts'
import { addChannel, channelOf, happen, logOf, testOf, work } from '../channels/helpers.ts'
import { BOT_TOKEN, NTFY_TOKEN, startNtfy, startTelegram } from '../channels/simulators/bots.ts'
import {
  json,
  plain,
  startDiscord,
  startGoogleChat,
  startMattermost,
  startSlack,
  startTeams,
  type Chat,
} from '../channels/simulators/chats.ts'
import { startApp } from '../helpers/app.ts'

/* The kinds of channels that are chats, each against a server that speaks as the real one and shows what people see. */

const SITE_URL = 'https://zones.example.org'
const service = await startApp(t, {
  environment: { SITE_URL, OUTBOUND_ALLOW: '127.0.0.1' },
  channelTiming: { timeoutMs: 2_000 },
})
const { app, admin } = service

const [slack, discord, telegram, google, teams, mattermost, ntfy] = [
  await startSlack(t),
  await startDiscord(t),
  await startTelegram(t),
  await startGoogleChat(t),
  await startTeams(t),
  await startMattermost(t),
  await startNtfy(t),
]

const CHATS: { kind: ChannelKind; chat: Chat; config: Record<string, unknown> }[] = [
  { kind: 'slack', chat: slack, config: { webhookUrl: slack.address } },
  { kind: 'discord', chat: discord, config: { webhookUrl: discord.address } },
  {
    kind: 'telegram',
    chat: telegram,
    config: { botToken: BOT_TOKEN, chatId: '-1001234567890', apiUrl: telegram.url },
  },
  { kind: 'google_chat', chat: google, config: { webhookUrl: google.address } },
  { kind: 'teams', chat: teams, config: { webhookUrl: teams.address } },
  { kind: 'mattermost', chat: mattermost, config: { webhookUrl: mattermost.address } },
  { kind: 'ntfy', chat: ntfy, config: { url: ntfy.address, token: NTFY_TOKEN } },
]

function theChat(kind: ChannelKind) {
  const found = CHATS.find((one) => one.kind === kind)
  if (!found) throw new Error(`${kind} is no chat`)
  return found
}

const DOMAIN_ID = '0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'

const messageOf = (given: Partial<Message> = {}): Message => ({
  event: 'domain.sync_failed',
  id: crypto.randomUUID(),
  title: 'Synchronising example.com failed',
  content: 'The records of example.com could not be read: PowerDNS does not answer',
  level: 'error',
  metadata: { domainId: DOMAIN_ID, domainName: 'example.com' },
  createdAt: '2026-11-21T12:00:00.000Z',
  ...given,
})

/** Sends by the sender itself. Resolves with its DeliveryError, or null. */
const send = (kind: ChannelKind, config: object, message = messageOf()) =>
  senderOf(kind)
    .send(message, config, app, { timeoutMs: 2_000, signal: new AbortController().signal })
    .then(
      () => null,
      (error: DeliveryError) => error,
    )

const visible = (text = '') => text.replaceAll('\u200b', '')

void t.test('each takes a message, and leads back to the domain', async (t) => {
  for (const { kind, chat, config } of CHATS) {
    t.equal(await send(kind, config), null, kind)
    const [shown] = chat.shown.splice(0)
    t.match(
      visible(shown?.text),
      /Synchronising example.com failed\n+The records of example.com could not/,
      kind,
    )
    t.same(shown?.links, [`${SITE_URL}/domains/${DOMAIN_ID}`], kind)
    await send(kind, config, messageOf({ event: 'domain.deleted' }))
    t.same(chat.shown.splice(0)[0]?.links, [], `${kind}: nothing leads to a domain that is gone`)
    await send(kind, config, messageOf({ event: 'operation.finished', metadata: { domainId: null } }))
    t.same(chat.shown.splice(0)[0]?.links, [], `${kind}: nor to one of many`)
  }
})

void t.test('names and values call nobody, lead nowhere and mark nothing', async (t) => {
  const evil = [
    '<!channel> <!here|x> <@U123> <#C1|c> <http://evil.example|click>',
    '@everyone @here @all @channel @bob_name',
    '[x](http://evil.example) https://evil.example ![i](http://evil.example/i)',
    '<b>bold</b> <a href="http://evil.example">y</a> <users/all> <at id="1">x</at> &lt;!channel&gt; &amp;',
    '*bold* _it_ ~s~ `code` # head {{DATE(2017-02-14T06:00:00Z, SHORT)}} \\[a](http://evil.example)',
  ].join('\n')
  for (const { kind, chat, config } of CHATS) {
    const message = messageOf({ title: evil.replaceAll('\n', ' ').slice(0, 120), content: evil })
    t.equal(await send(kind, config, message), null, kind)
    const [shown] = chat.shown.splice(0)
    t.same(shown?.mentions, [], kind)
    t.same(shown?.links, [`${SITE_URL}/domains/${DOMAIN_ID}`], kind)
    t.ok(visible(shown?.text).includes(evil), `${kind} shows what was written`)
  }
})

void t.test('long texts are cut to what each takes', async (t) => {
  for (const { kind, chat, config } of CHATS) {
    const message = messageOf({ title: '🦆<'.repeat(500), content: '🦆*<&"'.repeat(20_000) })
    t.equal(await send(kind, config, message), null, kind)
    const [shown] = chat.shown.splice(0)
    t.match(visible(shown?.text), /…/, kind)
    t.notMatch(shown?.text, /[\ud800-\udbff](?![\udc00-\udfff])/, `${kind}: between characters`)
    t.equal(shown?.links.length, 1, `${kind}: the link stays`)
  }
})

const rateLimited = (body: object, headers = {}) => json(429, body, headers)
const googleError = (code: number, status: string) =>
  json(code, { error: { code, message: 'secret', status } })
const telegramError = (status: number, description: string, parameters = {}) =>
  json(status, { ok: false, error_code: status, description, parameters })
const mattermostError = (status: number, id: string) =>
  json(status, { id, message: 'secret', status_code: status })

void t.test('what goes wrong is understood', async (t) => {
  const cases: [ChannelKind, ReturnType<typeof json>, Partial<DeliveryError>][] = [
    ['slack', plain(404, 'no_service'), { kind: 'gone' }],
    ['slack', plain(410, 'channel_is_archived'), { kind: 'gone', message: 'The Slack channel is archived' }],
    ['slack', plain(403, 'action_prohibited'), { kind: 'transient', waitSeconds: 0 }],
    ['slack', plain(400, 'invalid_payload'), { kind: 'permanent' }],
    ['slack', plain(404, 'a proxy of theirs'), { kind: 'transient' }],
    ['slack', plain(200, '<html>'), { kind: 'transient', message: 'The response is not that of Slack' }],
    ['slack', { ...plain(429, 'rate_limited'), headers: { 'retry-after': '30' } }, { waitSeconds: 30 }],
    ['discord', json(404, { message: 'Unknown Webhook', code: 10015 }), { kind: 'gone' }],
    ['discord', json(401, { message: 'Invalid Webhook Token', code: 50027 }), { kind: 'gone' }],
    ['discord', json(400, { message: 'Invalid Form Body', code: 50035 }), { kind: 'permanent' }],
    ['discord', rateLimited({ message: 'secret', retry_after: 64.57, global: false }), { waitSeconds: 65 }],
    ['discord', rateLimited({ retry_after: 1e9 }), { waitSeconds: 3600 }],
    [
      'discord',
      plain(502, 'bad gateway'),
      { kind: 'transient', message: 'Discord responded with HTTP status 502' },
    ],
    ['telegram', telegramError(401, 'Unauthorized'), { kind: 'gone' }],
    ['telegram', telegramError(403, 'Forbidden: bot was kicked from the supergroup chat'), { kind: 'gone' }],
    ['telegram', telegramError(400, 'Bad Request: chat not found'), { kind: 'gone' }],
    [
      'telegram',
      telegramError(400, 'Bad Request: not enough rights to send text messages'),
      { kind: 'transient' },
    ],
    ['telegram', telegramError(400, "Bad Request: can't parse entities"), { kind: 'permanent' }],
    ['telegram', telegramError(429, 'Too Many Requests', { retry_after: 17 }), { waitSeconds: 17 }],
    ['telegram', plain(404, 'not the API'), { kind: 'transient' }],
    ['google_chat', googleError(404, 'NOT_FOUND'), { kind: 'gone' }],
    ['google_chat', googleError(401, 'UNAUTHENTICATED'), { kind: 'gone' }],
    ['google_chat', googleError(403, 'PERMISSION_DENIED'), { kind: 'transient' }],
    ['google_chat', googleError(400, 'INVALID_ARGUMENT'), { kind: 'permanent' }],
    ['google_chat', googleError(429, 'RESOURCE_EXHAUSTED'), { kind: 'transient' }],
    ['teams', json(404, { error: { code: 'WorkflowNotFound' } }), { kind: 'gone' }],
    ['teams', json(401, { error: { code: 'DirectApiAuthorizationRequired' } }), { kind: 'gone' }],
    ['teams', json(400, { error: { code: 'WorkflowTriggerIsNotEnabled' } }), { kind: 'transient' }],
    ['teams', plain(413, ''), { kind: 'permanent' }],
    ['teams', rateLimited({}, { 'retry-after': '5' }), { waitSeconds: 5 }],
    ['mattermost', mattermostError(400, 'web.incoming_webhook.invalid.app_error'), { kind: 'gone' }],
    ['mattermost', mattermostError(501, 'web.incoming_webhook.disabled.app_error'), { kind: 'transient' }],
    [
      'mattermost',
      plain(200, '<html>'),
      { kind: 'transient', message: 'The response is not that of Mattermost' },
    ],
    ['ntfy', json(401, { code: 40101, http: 401, error: 'unauthorized' }), { kind: 'gone' }],
    ['ntfy', json(403, { code: 40301, http: 403, error: 'forbidden' }), { kind: 'transient' }],
    ['ntfy', rateLimited({ code: 42901, http: 429, error: 'limit reached' }), { waitSeconds: 60 }],
    ['ntfy', rateLimited({ code: 42908, http: 429, error: 'limit reached' }), { waitSeconds: 3600 }],
    ['ntfy', json(413, { code: 41303, http: 413, error: 'JSON body too large' }), { kind: 'permanent' }],
  ]
  for (const [kind, answer, expected] of cases) {
    const { chat, config } = theChat(kind)
    chat.fail({ kind: 'answer', answer })
    const error = await send(kind, config)
    t.match(error, expected, `${kind} ${answer.status} ${String(answer.body)}`)
    t.notMatch(error?.message, /secret|theirs|evil/, 'in our words')
  }
})

void t.test('none is told at a private address that the operator does not list', async (t) => {
  for (const { kind, config } of CHATS) {
    const moved = JSON.parse(JSON.stringify(config).replaceAll('127.0.0.1', '127.0.0.2')) as object
    t.match(
      await send(kind, moved),
      { kind: 'transient', message: /not a public address.*OUTBOUND_ALLOW/ },
      kind,
    )
  }
})

void t.test('Telegram: topics, and groups that have become supergroups', async (t) => {
  const config = { botToken: BOT_TOKEN, chatId: '-77', apiUrl: `${telegram.url}/` }
  t.equal(await send('telegram', config), null, 'it goes where the group is now')
  t.equal(telegram.shown.splice(0).length, 1)
  await send('telegram', { ...config, chatId: '-1001234567890', threadId: 7 })
  t.match(JSON.parse(telegram.requests.at(-1)?.body ?? ''), { message_thread_id: 7 })
  const error = await send('telegram', { ...config, chatId: '-1001234567890', threadId: 404 })
  t.match(error, { kind: 'gone', message: 'The Telegram topic no longer exists' })
})

void t.test('Google Chat: a thread for each domain', async (t) => {
  await send('google_chat', { webhookUrl: google.address, threads: true })
  const request = google.requests.at(-1)
  t.equal(request?.query.get('messageReplyOption'), 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
  t.match(JSON.parse(request?.body ?? ''), { thread: { threadKey: DOMAIN_ID } })
  await send(
    'google_chat',
    { webhookUrl: google.address, threads: true },
    messageOf({ metadata: { domainId: null } }),
  )
  t.notMatch(google.requests.at(-1)?.body, /thread/, 'and none for what is about many')
})

void t.test('by the API: masked, checked by field, tested, and the outbox waits as it is told', async (t) => {
  for (const { kind, config } of CHATS) {
    const id = await addChannel(service, kind, config, { events: [] })
    t.match(await testOf(service, id), { body: { ok: true, error: null } }, kind)
    const shown = JSON.stringify((await channelOf(service, id)).config)
    t.notMatch(
      shown,
      /secret-of-the|discord-token|google-key|google=token|teams-signature|mattermost-hook/,
      kind,
    )
    t.notOk(
      shown.includes(BOT_TOKEN) || shown.includes(NTFY_TOKEN) || shown.includes('zonekeeper-4f6a'),
      kind,
    )
    await admin.delete(`/api/notifications/configs/${id}`)
  }
  const wrong: [ChannelKind, object, string][] = [
    ['slack', {}, '/config/webhookUrl'],
    ['teams', { webhookUrl: 'ftp://example.com/x' }, '/config/webhookUrl'],
    ['telegram', { botToken: 'x', chatId: '1' }, '/config/botToken'],
    ['telegram', { botToken: BOT_TOKEN, chatId: 'my group' }, '/config/chatId'],
    ['telegram', { botToken: BOT_TOKEN, chatId: '1', threadId: 0 }, '/config/threadId'],
    ['google_chat', { webhookUrl: 'https://chat.example.com/x', threads: 'yes' }, '/config/threads'],
    ['ntfy', { url: 'https://ntfy.sh/' }, '/config/url'],
    ['ntfy', { url: `https://ntfy.sh/${'x'.repeat(65)}` }, '/config/url'],
    ['mattermost', { webhookUrl: `https://m.example.com/${'x'.repeat(2000)}` }, '/config/webhookUrl'],
  ]
  for (const [channel, config, path] of wrong) {
    const answer = await admin.post('/api/notifications', { channel, name: 'n', config, events: [] })
    t.match(answer, { status: 400, body: { errors: [{ path }] } }, `${channel} ${path}`)
  }

  const waiting = await addChannel(service, 'discord', { webhookUrl: discord.address })
  discord.fail({ kind: 'answer', answer: rateLimited({ retry_after: 900 }) })
  await happen(app, 'waits.example')
  await work(app)
  const [entry] = await logOf(service, waiting)
  t.ok(Date.parse(entry?.nextTryAt ?? '') > Date.now() + 890_000, 'no sooner than Discord wants')
  await admin.delete(`/api/notifications/configs/${waiting}`)

  const gone = await addChannel(service, 'slack', { webhookUrl: `${slack.url}/services/T0/B0/revoked` })
  await happen(app, 'gone.example')
  await work(app)
  t.match(await channelOf(service, gone), {
    enabled: false,
    lastDelivery: { error: 'The Slack webhook no longer exists' },
  })
  await admin.delete(`/api/notifications/configs/${gone}`)

  const bot = { botToken: BOT_TOKEN, chatId: '1' }
  const id = await addChannel(service, 'telegram', bot, { events: [] })
  const moved = await admin.put(`/api/notifications/configs/${id}`, { config: { apiUrl: telegram.url } })
  t.match(
    moved,
    { status: 400, body: { errors: [{ path: '/config/botToken' }] } },
    'the token stays where it was',
  )
})
