import t from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { addChannel, work } from '../channels/helpers.ts'
import { startReceiver } from '../channels/simulators/receiver.ts'
import { startApp } from '../helpers/app.ts'
import { tell } from '../helpers/events.ts'
import { startMailbox } from '../helpers/mailbox.ts'
import { addDomain, addManual } from '../helpers/zone.ts'

/* People are told of names as they read them; programs find both forms. */

const mailbox = await startMailbox(t)
const service = await startApp(t, { environment: mailbox.environment })
const { app, admin, database } = service
await database.db
  .updateTable('users')
  .set({ email: 'root@example.com', email_verified: true, email_notifications_enabled: true })
  .where('id', '=', admin.userId)
  .execute()
const domainName = 'xn--mnchen-3ya.de'
const { id: domainId } = await addDomain(admin, await addManual(admin), domainName)
await app.outbox.drain()
const receiver = await startReceiver(t)
await addChannel(service, 'webhook', receiver.config)
const domain = { domainId, domainName }

/** What the list of notifications says of what was told last. */
const latest = async () => (await admin.get('/api/notifications')).body.notifications[0]

void t.test('in the list, by mail and to a channel', async (t) => {
  const expiry = { expiresAt: '2030-01-02T03:04:05.000Z', daysLeft: 7, leadDays: 7 }
  await tell(app, 'domain.expiring', { metadata: { ...domain, ...expiry }, actorId: null })
  const said = {
    title: 'münchen.de expires in 7 days',
    content: /^The registration of münchen\.de expires/,
    metadata: { domainName, unicodeName: 'münchen.de' },
  }
  t.match(await latest(), said)
  const mail = await mailbox.next('root@example.com')
  t.match(mail.text, /The registration of münchen\.de expires/)
  t.notMatch(mail.text, /xn--/)
  await work(app)
  t.match(receiver.told.at(-1), said)
})

void t.test('names of records and of rights', async (t) => {
  const record = (name: string) => ({ id: uuidv7(), name, recordType: 'A' as const })
  const changed = (...records: ReturnType<typeof record>[]) =>
    tell(app, 'record.created', { metadata: { ...domain, changeId: uuidv7(), records }, actorId: null })
  await changed(record('xn--bro-hoa'))
  t.match(await latest(), {
    title: 'Created: A record of büro.münchen.de',
    metadata: { records: [{ name: 'xn--bro-hoa', unicodeName: 'büro' }] },
  })
  await changed(record('www'), record('xn--bro-hoa'))
  t.match(await latest(), {
    title: 'Created: 2 records of münchen.de',
    content: 'In münchen.de: www A, büro A',
    metadata: { records: [{ unicodeName: undefined }, { unicodeName: 'büro' }] },
  })
  const rights = { type: 'subdomain' as const, subdomainPattern: '*.xn--bro-hoa', username: 'ada' }
  const metadata = { ...domain, ...rights, host: `*.xn--bro-hoa.${domainName}` }
  await tell(app, 'assignment.create', { metadata, actorId: null, userIds: [admin.userId] })
  t.match(await latest(), {
    title: 'Access to *.büro.münchen.de granted',
    content: 'ada now has access to the names *.büro of münchen.de.',
    metadata: { subdomainPattern: '*.xn--bro-hoa', unicodeHost: '*.büro.münchen.de' },
  })
})
