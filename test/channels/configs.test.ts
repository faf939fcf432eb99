import pino from 'pino'
import t from 'tap'
import { loggerOptions } from '../../plugins/http/logging.ts'
import { call, startApp } from '../helpers/app.ts'

const lines: string[] = []
const log = pino(loggerOptions('trace'), { write: (line) => void lines.push(line) })
const { app, admin, addUser, signIn, database } = await startApp(t, { log })
const { db } = database
await addUser('mia')
const member = await signIn('mia')

const SECRETS = {
  token: '5f3c0d9a7be14c2f8e6d1a2b3c4d5e6f',
  hook: '0f7b2c1e-4d5a-4b6c-8d7e-9f0a1b2c3d4e',
  dingtalk: 'SEC0123456789abcdef0123456789abcdef',
  feishu: 'feishu-secret-of-this-robot',
  webhook: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  bearer: 'Bearer token-of-the-receiver-1234',
}

const chatA = {
  channel: 'chat_a',
  name: 'Ding',
  config: {
    webhookUrl: `https://oapi.dingtalk.com/robot/send?access_token=${SECRETS.token}`,
    secret: SECRETS.dingtalk,
  },
  events: ['domain.expiring', 'domain.expired'],
  enabled: false,
}
const chatB = {
  channel: 'chat_b',
  name: 'Feishu',
  config: {
    webhookUrl: `https://open.feishu.cn/open-apis/bot/v2/hook/${SECRETS.hook}`,
    secret: SECRETS.feishu,
  },
  events: ['*'],
  enabled: false,
}
const webhook = {
  channel: 'webhook',
  name: 'Hook',
  config: {
    url: 'https://hooks.example.com/zonekeeper/receiver-one?key=abc',
    secret: SECRETS.webhook,
    headers: { Authorization: SECRETS.bearer },
  },
  events: ['domain.*', 'channel.failed'],
  enabled: false,
}

const create = async (body: object) => admin.post('/api/notifications', body)

void t.test('create, read, list; secrets come back masked', async (t) => {
  const made = await create(chatA)
  t.equal(made.status, 201)
  t.equal(made.headers.location, `/api/notifications/configs/${made.body.id}`)
  t.match(made.body, {
    channel: 'chat_a',
    name: 'Ding',
    events: chatA.events,
    enabled: false,
    lastDelivery: null,
    createdAt: /^\d{4}-.*Z$/,
    config: {
      webhookUrl: 'https://oapi.dingtalk.com/robot/••••?access_token=••••5e6f',
      secret: '••••cdef',
    },
  })
  t.same((await admin.get(`/api/notifications/configs/${made.body.id}`)).body, made.body)
  const other = await create(chatB)
  t.equal(other.body.config.webhookUrl, 'https://open.feishu.cn/open-apis/bot/v2/hook/••••3d4e')
  const hook = await create(webhook)
  t.same(hook.body.config, {
    url: 'https://hooks.example.com/zonekeeper/••••?key=••••',
    secret: '••••LaSw',
    headers: { Authorization: '••••1234' },
  })
  const bare = await create({ ...webhook, name: 'Z', config: { url: 'https://hooks.example.com' } })
  t.same(bare.body.config, { url: 'https://hooks.example.com/' }, 'where there is nothing to hide')
  const web = await create({ channel: 'web', name: 'Here', config: { audience: 'admins' }, events: [] })
  t.match(web.body, { enabled: true, config: { audience: 'admins' } })
  const { body } = await admin.get('/api/notifications/configs')
  t.same(
    body.configs.map(({ name }: { name: string }) => name),
    ['Ding', 'Feishu', 'Here', 'Hook', 'Z'],
  )
})

void t.test('what is wrong is named', async (t) => {
  const wrong: [what: object, path: string][] = [
    [{ ...chatA, config: { secret: 'x' } }, '/config/webhookUrl'],
    [{ ...chatA, config: { webhookUrl: 'ftp://example.com/x' } }, '/config/webhookUrl'],
    [{ ...chatA, config: { webhookUrl: 'https://user:pw@example.com/x' } }, '/config/webhookUrl'],
    [{ ...chatA, config: { webhookUrl: 7 } }, '/config/webhookUrl'],
    [{ ...chatA, config: 'x' }, '/config'],
    [{ ...chatA, channel: 'pigeon' }, '/channel'],
    [{ ...chatA, name: ' ' }, '/name'],
    [{ ...chatA, events: ['domain.expiring', 'domain.eaten'] }, '/events/1'],
    [{ ...chatA, events: ['connected'] }, '/events/0'],
    [{ ...chatA, events: ['dom.*'] }, '/events/0'],
    [{ ...chatA, events: 'domain.expired' }, '/events'],
    [{ ...chatA, enabled: 'yes' }, '/enabled'],
    [{ ...webhook, config: { ...webhook.config, secret: 'too short' } }, '/config/secret'],
    [{ ...webhook, config: { ...webhook.config, secret: 'whsec_not/base64!and-more' } }, '/config/secret'],
    [
      { ...webhook, config: { ...webhook.config, headers: { 'Webhook-Id': '1' } } },
      '/config/headers/Webhook-Id',
    ],
    [{ ...webhook, config: { ...webhook.config, headers: { HOST: 'a' } } }, '/config/headers/HOST'],
    [{ ...webhook, config: { ...webhook.config, headers: { 'x y': 'a' } } }, '/config/headers/x y'],
    [
      { ...webhook, config: { ...webhook.config, headers: { x: 'a\r\nwebhook-id: 1' } } },
      '/config/headers/x',
    ],
    [{ ...webhook, config: { ...webhook.config, headers: { x: 'a', X: 'b' } } }, '/config/headers/X'],
    [{ channel: 'web', name: 'n', config: { audience: 'everybody' }, events: [] }, '/config/audience'],
  ]
  for (const [body, path] of wrong) {
    const answer = await create(body)
    t.match(answer, { status: 400, body: { code: 'validation_failed', errors: [{ path }] } }, path)
  }
})

void t.test('e-mail needs a mail server', async (t) => {
  const mail = { channel: 'email', name: 'Mail', config: { to: ['ops@example.com'] }, events: ['*'] }
  t.match(await create(mail), { status: 503, body: { code: 'unavailable', detail: /SMTP_URL/ } })
  const bad = { ...mail, config: { to: ['ops@example.com', 'a@x.example\r\nBcc: b@x.example'] } }
  t.match(await create(bad), { status: 400, body: { errors: [{ path: '/config/to/1' }] } })
  t.match(await create({ ...mail, config: { to: [] } }), {
    status: 400,
    body: { errors: [{ path: '/config/to' }] },
  })
})

/** What is stored, opened. */
async function stored(id: string) {
  const row = await db
    .selectFrom('channel_configs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return JSON.parse(app.secrets.open(row.config, `channel_configs/${id}`)) as Record<string, unknown>
}

void t.test('update: the whole comes back and secrets stay', async (t) => {
  const { body: made } = await create(webhook)
  const path = `/api/notifications/configs/${made.id}`
  t.same(await admin.put(path, made).then(({ body }) => body), made, 'what was answered may be sent back')
  t.same(await stored(made.id), webhook.config)

  await admin.put(path, { config: { secret: '' } })
  t.same(await stored(made.id), webhook.config)
  const { body: changed } = await admin.put(path, {
    name: 'New',
    enabled: true,
    events: ['*'],
    config: { secret: null, headers: { Authorization: '••••1234', 'X-New': 'one more' } },
  })
  t.match(changed, { name: 'New', enabled: true, events: ['*'], createdAt: made.createdAt })
  t.same(await stored(made.id), {
    url: webhook.config.url,
    headers: { Authorization: SECRETS.bearer, 'X-New': 'one more' },
  })
  await admin.put(path, { enabled: false })
})

void t.test('update: what is wrong', async (t) => {
  const { body: made } = await create(webhook)
  const path = `/api/notifications/configs/${made.id}`
  const refused = async (body: object, at: string) =>
    t.match(await admin.put(path, body), { status: 400, body: { errors: [{ path: at }] } }, at)
  await refused({ channel: 'email' }, '/channel')
  await refused({ events: ['nothing'] }, '/events/0')
  await refused({ config: { url: null } }, '/config/url')
  const { url } = made.config
  await refused({ config: { url: url.replace('hooks', 'other-hooks') } }, '/config/url')
  t.equal((await admin.put(path, { nonsense: 1 })).status, 400)
  t.equal((await admin.put(`/api/notifications/configs/${crypto.randomUUID()}`, { name: 'x' })).status, 404)

  await t.test('77. nobody gets a secret by moving the address to a server of theirs', async () => {
    const { secret } = webhook.config
    const headers = { Authorization: SECRETS.bearer }
    for (const moved of [
      { url: 'https://elsewhere.example.com/x' },
      { url: 'https://hooks.example.com/of-another' },
    ]) {
      await refused({ config: { ...moved, headers } }, '/config/secret')
      await refused({ config: { ...moved, secret } }, '/config/headers')
      await refused({ config: { ...moved, secret, headers: made.config.headers } }, '/config/headers')
      const given = await admin.put(path, { config: { ...moved, secret, headers } })
      t.equal(given.status, 200, 'who knows it may give it again')
    }
    const { body: robot } = await create(chatA)
    const answer = await admin.put(`/api/notifications/configs/${robot.id}`, {
      config: { ...robot.config, webhookUrl: 'https://elsewhere.example.com/robot' },
    })
    t.match(answer, { status: 400, body: { errors: [{ path: '/config/secret' }] } })
  })
})

void t.test('delete takes the outbox along', async (t) => {
  const { body: made } = await create(webhook)
  const path = `/api/notifications/configs/${made.id}`
  t.equal((await admin.delete(path)).status, 204)
  t.equal((await admin.delete(path)).status, 404)
  t.equal((await admin.get(path)).status, 404)
  t.equal((await admin.get(`${path}/deliveries`)).status, 404)
  t.equal((await admin.post(`${path}/test`)).status, 404)
})

void t.test('administrators only', async (t) => {
  const id = crypto.randomUUID()
  const calls: ['GET' | 'POST' | 'PUT' | 'DELETE', string][] = [
    ['GET', '/configs'],
    ['POST', ''],
    ['GET', `/configs/${id}`],
    ['PUT', `/configs/${id}`],
    ['DELETE', `/configs/${id}`],
    ['POST', `/configs/${id}/test`],
    ['GET', `/configs/${id}/deliveries`],
    ['POST', `/configs/${id}/deliveries/${id}/replay`],
  ]
  for (const [method, url] of calls) {
    const options = { method, url: `/api/notifications${url}`, payload: chatA } as const
    t.equal((await call(app, options)).status, 401, `${method} ${url}`)
    const headers = { authorization: `Bearer ${member.accessToken}` }
    t.match(await call(app, { ...options, headers }), { status: 403, body: { code: 'forbidden' } })
  }
})

void t.test(
  '76. 77. nothing secret is in the audit trail, the log, or readable in the database',
  async (t) => {
    const audit = await db.selectFrom('audit').selectAll().where('action', 'like', 'channel.%').execute()
    t.same([...new Set(audit.map(({ action }) => action))].sort(), [
      'channel.created',
      'channel.deleted',
      'channel.updated',
    ])
    const rows = await db.selectFrom('channel_configs').selectAll().execute()
    const texts = {
      audit: JSON.stringify(audit),
      log: lines.join(''),
      database: rows.map((row) => JSON.stringify(row) + row.config.toString('latin1')).join(''),
    }
    t.match(texts.log, /api\/notifications/)
    for (const [where, text] of Object.entries(texts)) {
      for (const [name, secret] of Object.entries(SECRETS))
        t.notOk(text.includes(secret), `${name} in ${where}`)
    }
  },
)

void t.test('the catalogue says what a client needs to draw a form', async (t) => {
  const { status, body } = await admin.get('/api/notifications/channels')
  t.equal(status, 200)
  const kinds = body.channels as {
    channel: string
    available: boolean
    configSchema: { properties: object }
  }[]
  t.ok(
    kinds.length >= 12 && kinds.every(({ configSchema }) => Object.keys(configSchema.properties).length > 0),
  )
  const of = (kind: string) => kinds.find(({ channel }) => channel === kind)
  t.match(of('webhook'), { name: 'Webhook', available: true, configSchema: { required: ['url'] } })
  t.match(of('webhook')?.configSchema.properties, { secret: { title: String, writeOnly: true } })
  t.match(of('email'), { available: false }, 'without a mail server')
  t.match(
    body.events.find(({ event }: { event: string }) => event === 'domain.expiring'),
    {
      level: 'warning',
      description: /expires soon/,
    },
  )
  t.notOk(body.events.some(({ event }: { event: string }) => event === 'channel.test'))
  t.equal((await member.get('/api/notifications/channels')).status, 403, 'for administrators')
})
