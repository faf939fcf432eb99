import { readFileSync } from 'node:fs'
import t from 'tap'
import { CHANNELS } from '../../modules/channels/senders/registry.ts'
import { startReceiver } from '../channels/simulators/receiver.ts'
import { startDingTalk, startFeishu } from '../channels/simulators/robots.ts'
import { addChannel, channelOf, logOf, testOf, work } from '../channels/helpers.ts'
import { startApp } from '../helpers/app.ts'
import { tell } from '../helpers/events.ts'
import { startMailbox } from '../helpers/mailbox.ts'
import { addDomain, addManual } from '../helpers/zone.ts'

/* Which channels are told of which domains, and bodies by a template. */

const SITE_URL = 'https://zones.example.org'
const mailbox = await startMailbox(t)
const service = await startApp(t, {
  environment: { ...mailbox.environment, SITE_URL, OUTBOUND_ALLOW: '127.0.0.1' },
})
const { app, admin } = service
const configId = await addManual(admin)
const shop = await addDomain(admin, configId, 'shop.example', {
  groupName: 'production',
  tags: ['web', 'pay'],
})
const blog = await addDomain(admin, configId, 'blog.example', { groupName: 'production', tags: ['web'] })
const lab = await addDomain(admin, configId, 'lab.example', { tags: ['pay'] })

/** A channel that sends nothing before the test looks; answers its id. */
const listening = (domains?: object) =>
  addChannel(
    service,
    'web',
    { audience: 'admins' },
    { events: ['domain.*', 'account.*'], ...(domains && { domains }) },
  )
const drift = ({ id, name }: { id: string; name: string }) =>
  tell(app, 'domain.drift', {
    metadata: {
      domainId: id,
      domainName: name,
      created: 1,
      updated: 0,
      deleted: 0,
      applied: true,
      reason: null,
    },
    actorId: null,
  })
/** The titles that the channel was to send since it was made. */
const toldOf = async (id: string) => {
  const { body } = await admin.get(`/api/notifications/configs/${id}/deliveries`)
  return (body.deliveries as { title: string }[]).map(({ title }) => title.replace(/ .*/, '')).toSorted()
}

void t.test('by group and tags of the domain, as they are then', async (t) => {
  await app.outbox.drain()
  const all = await listening()
  const production = await listening({ groups: ['production', 'staging'] })
  const paying = await listening({ tags: ['pay', 'other'] })
  const both = await listening({ groups: ['production'], tags: ['pay'] })
  for (const domain of [shop, blog, lab]) await drift(domain)
  await tell(app, 'account.locked', { metadata: { username: 'ada', ip: null }, actorId: null, userIds: [] })
  t.equal((await toldOf(all)).length, 4)
  t.same(await toldOf(production), ['blog.example', 'shop.example'], 'nothing that is about no domain')
  t.same(await toldOf(paying), ['lab.example', 'shop.example'])
  t.same(await toldOf(both), ['shop.example'])

  await admin.put(`/api/domains/${lab.id}`, { groupName: 'staging' })
  await drift(lab)
  t.same(await toldOf(production), ['blog.example', 'lab.example', 'shop.example'])

  await admin.delete(`/api/domains/${blog.id}`)
  await app.outbox.drain()
  t.same(
    await toldOf(production),
    ['blog.example', 'blog.example', 'lab.example', 'shop.example'],
    'of its end, too',
  )
  t.same(await toldOf(both), ['shop.example'])

  const path = `/api/notifications/configs/${both}`
  t.match(await channelOf(service, both), { domains: { groups: ['production'], tags: ['pay'] } })
  t.match((await admin.put(path, { name: 'x' })).body, { domains: { groups: ['production'], tags: ['pay'] } })
  t.match((await admin.put(path, { domains: { tags: ['web'] } })).body, {
    domains: { groups: { length: 0 }, tags: ['web'] },
  })
  const wrong = await admin.put(path, { domains: { groups: ['x'.repeat(101)], tags: Array(51).fill('a') } })
  t.same(
    wrong.body.errors.map((error: { path: string }) => error.path),
    ['/domains/groups/0', '/domains/tags', '/domains/tags'],
  )
  for (const id of [all, production, paying, both]) await admin.delete(`/api/notifications/configs/${id}`)
})

void t.test('106. a body by a template, signed', async (t) => {
  const receiver = await startReceiver(t)
  const template = `{
    "text": "{{title}}: {{ content }}", "level": "{{level}}", "link": {{url}}, "{{event}}": true,
    "count": {{metadata.created}}, "all": {{metadata}}, "none": {{metadata.nothing}}, "empty": "{{metadata.a.b}}"
  }`
  const id = await addChannel(service, 'webhook', { ...receiver.config, template }, { events: ['domain.*'] })
  const name = 'a"b\\c\n{{level}}</script>'
  await drift({ id: shop.id, name })
  await work(app)
  t.match(await logOf(service, id), [{ status: 'delivered', error: null }])
  const [told] = receiver.told as unknown as Record<string, unknown>[]
  t.match(told, {
    text: `${name} was changed at its provider: Records of ${name} were`,
    level: 'warning',
    link: `${SITE_URL}/domains/${shop.id}`,
    'domain.drift': true,
    count: 1,
    all: { domainName: name, applied: true },
    none: null,
    empty: '',
  })
  t.equal(receiver.requests.at(-1)?.headers['content-type'], 'application/json')

  const path = `/api/notifications/configs/${id}`
  t.match((await channelOf(service, id)).config, { template }, 'shown as it is')
  await admin.put(path, {
    config: { template: 'title={{title}}&level={{level}}', contentType: 'application/x-www-form-urlencoded' },
  })
  receiver.state.answer = { status: 302 }
  await drift({ id: shop.id, name: 'a&level=info b' })
  await work(app)
  const { headers, body = '' } = receiver.requests.at(-1) ?? {}
  t.match(headers, { 'content-type': 'application/x-www-form-urlencoded' })
  t.same(Object.fromEntries(new URLSearchParams(body)), {
    title: 'a&level=info b was changed at its provider',
    level: 'warning',
  })

  for (const [config, at, message] of [
    [{ template: '{"a": "{{titel}}"}', contentType: null }, '/config/template', /titel/],
    [{ template: '{"a": {{title}', contentType: null }, '/config/template', /JSON/],
    [{ template: '{ {{title}}: 1 }', contentType: null }, '/config/template', /JSON/],
    [{ template: '{"a": "{{metadata.__proto__.constructor.name.x.y.z}}"}' }, '/config/template', /metadata/],
    // Judged in time linear in the length.
    [{ template: `{"a": {{${' '.repeat(9_900)}}`, contentType: null }, '/config/template', /JSON/],
    [{ template: '\\"'.repeat(5_000), contentType: null }, '/config/template', /JSON/],
    [{ template: 'x'.repeat(10_001) }, '/config/template', /10000/],
    [{ contentType: 'text/html' }, '/config/contentType', /must be/],
    [{ template: null }, '/config/contentType', /requires a template/],
  ] as const) {
    t.match(await admin.put(path, { config }), { status: 400, body: { errors: [{ path: at, message }] } }, at)
  }

  await admin.delete(path)
  const repeated = { ...receiver.config, template: '{{content}}'.repeat(900), contentType: 'text/plain' }
  const long = await addChannel(service, 'webhook', repeated, { events: ['domain.*'] })
  await tell(app, 'domain.sync_failed', {
    metadata: { domainId: shop.id, domainName: 'shop.example', error: 'x'.repeat(1_000) },
    actorId: null,
  })
  await work(app)
  t.match(await logOf(service, long), [
    {
      status: 'dead',
      error: 'The filled template is too long',
    },
  ])
  await admin.delete(`/api/notifications/configs/${long}`)
})

void t.test('without a template the body stays what it was', async (t) => {
  const receiver = await startReceiver(t)
  const id = await addChannel(service, 'webhook', receiver.config, { events: [] })
  await testOf(service, id)
  const fields = ['event', 'id', 'title', 'content', 'level', 'metadata', 'createdAt']
  t.same(Object.keys(receiver.told[0] ?? {}), fields)
})

void t.test('robots and mails lead back to the domain, too', async (t) => {
  const [ding, feishu] = [await startDingTalk(t), await startFeishu(t)]
  await addChannel(service, 'chat_a', ding.config)
  await addChannel(service, 'chat_b', feishu.config)
  await addChannel(service, 'email', { to: ['ops@example.com'] })
  await drift(lab)
  await work(app)
  const link = `${SITE_URL}/domains/${lab.id}`
  t.ok(ding.told[0]?.endsWith(`\n${link}`))
  t.match(feishu.told, [new RegExp(`Open in Zonekeeper \\(${link}\\)$`)])
  const mail = await mailbox.next('ops@example.com')
  t.match(mail.text, `Open in Zonekeeper:\n${link}`)
})

void t.test('docs/channels.md shows how each kind is made', async (t) => {
  const page = readFileSync(new URL('../../docs/channels.md', import.meta.url), 'utf8')
  const bodies = [...page.matchAll(/^call "\$API\/notifications" --json '(\{[^']*\})'/gm)].map(
    ([, body = '']) => JSON.parse(body) as { channel: string },
  )
  t.same([...new Set(bodies.map(({ channel }) => channel))].toSorted(), CHANNELS.toSorted())
  for (const body of bodies) {
    t.match(
      await admin.post('/api/notifications', { ...body, enabled: false }),
      { status: 201 },
      body.channel,
    )
  }
})
