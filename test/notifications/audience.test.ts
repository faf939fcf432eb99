import t, { type Test } from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { MAX_RECORDS_TOLD } from '../../modules/notifications/message.ts'
import { ANNOUNCED, type AnnouncedName, type MetadataOf } from '../../schemas/events/event-catalogue.ts'
import type { RecordType } from '../../schemas/records/record-type.ts'
import { startApp, type Client } from '../helpers/app.ts'
import { newEvent } from '../../plugins/events/outbox/event.ts'
import { insertEvents } from '../../plugins/events/outbox/queries.ts'
import { tell as tellEvent } from '../helpers/events.ts'
import { startMailbox } from '../helpers/mailbox.ts'
import { addDomain, addManual } from '../helpers/zone.ts'

const mailbox = await startMailbox(t)
const { app, admin, addUser, signIn, database } = await startApp(t, { environment: mailbox.environment })
const { db } = database

let users = 0
async function member(set: object = {}, role: 'admin' | 'member' = 'member'): Promise<Client> {
  const username = `hearer${users++}`
  const id = await addUser(username, role)
  const client = await signIn(username)
  if (Object.keys(set).length > 0) await db.updateTable('users').set(set).where('id', '=', id).execute()
  return client
}

let domains = 0
/** A domain of the client's; its own events are over. */
async function domainOf(owner: Client): Promise<{ domainId: string; domainName: string }> {
  const name = `domain${domains++}.example.com`
  const { id } = await addDomain(owner, await addManual(owner, name), name)
  await app.outbox.drain()
  await owner.delete('/api/notifications')
  return { domainId: id, domainName: name }
}

const assign = (client: Client, domainId: string, pattern: string, expires_at: Date | null = null) =>
  db
    .insertInto('assignments')
    .values({
      id: uuidv7(),
      user_id: client.userId,
      domain_id: domainId,
      pattern,
      permission: 'read',
      record_types: null,
      expires_at,
      created_by: null,
    })
    .execute()

/** Tells an event as its part of the service does, and waits until everybody has it. Answers its id. */
async function tell<N extends AnnouncedName>(
  name: N,
  metadata: MetadataOf<N>,
  {
    actorId = null,
    userIds,
    id = uuidv7(),
  }: { actorId?: string | null; userIds?: string[]; id?: string } = {},
): Promise<string> {
  const payload = { metadata, actorId, ...(userIds && { userIds }) }
  // Which payload goes with which name is lost in a generic function.
  return tellEvent(app, name, payload as never, id)
}

interface Heard {
  id: string
  event: string
  title: string
  read: boolean
  metadata: { records?: { name: string }[] }
}

async function heard(client: Client): Promise<Heard[]> {
  const { body } = await client.get('/api/notifications')
  return body.notifications as Heard[]
}

/** Says of each client whether it heard of that event. */
async function hears(t: Test, id: string, clients: Record<string, [Client, boolean]>): Promise<void> {
  for (const [who, [client, expected]] of Object.entries(clients)) {
    t.equal((await heard(client)).filter((message) => message.id === id).length, expected ? 1 : 0, who)
  }
}

const expiry = { expiresAt: '2026-12-01T00:00:00.000Z', daysLeft: 7, leadDays: 7 }
const soon = new Date(Date.now() + 3600_000)
const past = new Date(Date.now() - 1_000)

void t.test('of a domain: its owner, and who has a part of it', async (t) => {
  const [owner, whole, part, over, stranger] = [
    await member(),
    await member(),
    await member(),
    await member(),
    await member(),
  ]
  const domain = await domainOf(owner)
  await assign(whole, domain.domainId, '*', soon)
  await assign(part, domain.domainId, '*.dev')
  await assign(part, domain.domainId, 'www')
  await assign(over, domain.domainId, '*', past)
  await assign(owner, domain.domainId, 'www')
  const id = await tell('domain.expiring', { ...domain, ...expiry })
  await hears(t, id, {
    owner: [owner, true],
    'the whole assigned': [whole, true],
    'a part assigned': [part, true],
    'assigned until a moment ago': [over, false],
    'a stranger': [stranger, false],
    'an administrator': [admin, false],
  })
  const [message] = await heard(owner)
  t.match(message, { title: `${domain.domainName} expires in 7 days`, metadata: { ...domain, ...expiry } })
})

const record = (name: string, recordType: RecordType = 'A') => ({ id: uuidv7(), name, recordType })
const namesIn = ([message]: Heard[]) => message?.metadata.records?.map(({ name }) => name)

void t.test('of records: each hears of those that they see', async (t) => {
  const [owner, whole, dev, www, elsewhere, stranger] = [
    await member(),
    await member(),
    await member(),
    await member(),
    await member(),
    await member(),
  ]
  const domain = await domainOf(owner)
  await assign(whole, domain.domainId, '*')
  await assign(dev, domain.domainId, '*.dev')
  await assign(www, domain.domainId, 'www')
  await assign(www, domain.domainId, '@')
  await assign(elsewhere, domain.domainId, 'mail')
  await assign(elsewhere, domain.domainId, 'www', past)
  const names = ['@', 'www', 'dev', 'a.dev', 'b.a.dev', 'notdev', 'secret']
  const records = names.map((name) => record(name))
  await tell('record.created', { ...domain, changeId: uuidv7(), records })
  const seen: [string, Client, string[] | undefined][] = [
    ['the owner', owner, names],
    ['the whole', whole, names],
    ['*.dev', dev, ['a.dev', 'b.a.dev']],
    ['www and @', www, ['@', 'www']],
    ['mail', elsewhere, undefined],
    ['a stranger', stranger, undefined],
  ]
  for (const [who, client, expected] of seen) {
    const list = await heard(client)
    t.same(namesIn(list), expected, who)
    t.notMatch(JSON.stringify(expected === names ? [] : list), /secret/, `${who}: not even in the words`)
  }
  t.equal((await heard(dev))[0]?.title, `Created: 2 records of ${domain.domainName}`)

  await tell('record.updated', { ...domain, changeId: uuidv7(), records: [record('secret')] })
  t.equal((await heard(whole)).length, 2)
  t.equal((await heard(dev)).length, 1, 'of what they don’t see they hear nothing')
})

void t.test('of very many records the first are told', async (t) => {
  const owner = await member()
  const domain = await domainOf(owner)
  const records = Array.from({ length: 1_000 }, (_, n) => record(`host${n}`))
  await tell('record.deleted', { ...domain, changeId: uuidv7(), records })
  const [message] = await heard(owner)
  t.equal(message?.metadata.records?.length, MAX_RECORDS_TOLD)
  t.equal(message?.title, `Deleted: 1000 records of ${domain.domainName}`)
})

void t.test('for administrators: all of them', async (t) => {
  const [other, plain] = [await member({}, 'admin'), await member()]
  const off = await member({ disabled_at: new Date() }, 'admin')
  const metadata = {
    channelId: uuidv7(),
    channel: 'webhook',
    name: 'Operations',
    deliveryId: uuidv7(),
    event: 'domain.expired',
    error: 'HTTP status 500',
  }
  const id = await tell('channel.failed', metadata)
  await hears(t, id, { one: [admin, true], another: [other, true], 'a member': [plain, false] })
  await db.updateTable('users').set({ disabled_at: null }).where('id', '=', off.userId).execute()
  await hears(t, id, { 'who was disabled': [off, false] })
})

void t.test('who did it has it as read, also among many', async (t) => {
  const [owner, other] = [await member(), await member()]
  const domain = await domainOf(owner)
  await assign(other, domain.domainId, '*')
  await tell('domain.created', domain, { actorId: other.userId })
  t.match(await heard(other), [{ event: 'domain.created', read: true }])
  t.match(await heard(owner), [{ event: 'domain.created', read: false }])
})

void t.test('messages come in the order of the events', async (t) => {
  const owner = await member()
  const domain = await domainOf(owner)
  const ids = Array.from({ length: 60 }, () => uuidv7())
  await insertEvents(
    db,
    ids.map((id) => ({ ...newEvent('domain.created', { metadata: domain, actorId: null }), id })),
  )
  await app.outbox.drain()
  t.same(
    (await heard(owner)).map(({ id }) => id),
    ids.toReversed(),
  )
})

void t.test('one that can not be told keeps none from being told', async (t) => {
  const owner = await member()
  const domain = await domainOf(owner)
  const { id: eventId, ...broken } = newEvent('domain.created', { metadata: domain, actorId: null })
  await insertEvents(db, [{ ...broken, id: eventId, name: 'no.event' as 'domain.created', domain_id: null }])
  const id = await tell('domain.created', domain)
  await hears(t, id, { owner: [owner, true] })
})

void t.test('passed on by a channel: to administrators, or to everybody, once', async (t) => {
  const [owner, plain] = [await member(), await member()]
  const domain = await domainOf(owner)
  const pass = (to: 'admins' | 'all', id: string) =>
    tellEvent(app, 'notification.wanted', {
      event: 'domain.created',
      eventId: id,
      at: new Date().toISOString(),
      metadata: domain,
      to,
    })

  const one = await tell('domain.created', domain)
  await pass('admins', one)
  await hears(t, one, { owner: [owner, true], admin: [admin, true], member: [plain, false] })
  await pass('all', one)
  await pass('all', one)
  await hears(t, one, { owner: [owner, true], admin: [admin, true], member: [plain, true] })
})

void t.test('every event of the catalogue is listened to', async (t) => {
  const one = await member()
  for (const name of ANNOUNCED) {
    const metadata = { domainId: uuidv7(), domainName: 'example.com', records: [], change: 'bound' }
    await tell(name, metadata as never, { userIds: [one.userId] })
  }
  const events = new Set((await heard(one)).map(({ event }) => event))
  t.ok(['account.locked', 'assignment.create', 'domain.deleted'].every((name) => events.has(name)))
})

/** Of a member who wants e-mail. */
const wantsMail = (email: string, set: object = {}) =>
  member({ email, email_verified: true, email_notifications_enabled: true, ...set })

void t.test('by e-mail to who asked for it, at a verified address', async (t) => {
  const [reader, unverified, unasked, mailOnly, disabled] = [
    await wantsMail('reader@example.com'),
    await wantsMail('unverified@example.com', { email_verified: false }),
    await wantsMail('unasked@example.com', { email_notifications_enabled: false }),
    await wantsMail('mail-only@example.com', { notifications_enabled: false }),
    await wantsMail('disabled@example.com', { disabled_at: new Date() }),
  ]
  const actor = await wantsMail('actor@example.com')
  const domain = await domainOf(reader)
  for (const client of [unverified, unasked, mailOnly, disabled, actor])
    await assign(client, domain.domainId, '*')
  const before = mailbox.received.length

  const id = await tell('domain.expiring', { ...domain, ...expiry }, { actorId: actor.userId })
  const mail = await mailbox.next('reader@example.com')
  t.equal(mail.headers['subject'], `${domain.domainName} expires in 7 days`)
  t.match(mail.text, /Renew it/)
  t.match(mail.text, /turn them off/)
  await mailbox.next('mail-only@example.com')
  await hears(t, id, { 'mail alone': [mailOnly, false] })

  // Not every event is worth a mail.
  await tell('record.created', { ...domain, changeId: uuidv7(), records: [record('www')] })
  await tell('domain.expired', { ...domain, ...expiry })
  for (const who of ['reader', 'mail-only', 'actor']) await mailbox.next(`${who}@example.com`)
  const sent = mailbox.received.slice(before).map(({ to, headers }) => `${to.join()} ${headers['subject']}`)
  t.same(sent.sort(), [
    `actor@example.com ${domain.domainName} has expired`,
    `mail-only@example.com ${domain.domainName} expires in 7 days`,
    `mail-only@example.com ${domain.domainName} has expired`,
    `reader@example.com ${domain.domainName} expires in 7 days`,
    `reader@example.com ${domain.domainName} has expired`,
  ])
})
