import t from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { sumUpMails } from '../../modules/notifications/mail.ts'
import { deleteOldEntries } from '../../modules/notifications/store-queries.ts'
import { newEvent, type NewEvent } from '../../plugins/events/outbox/event.ts'
import { insertEvents } from '../../plugins/events/outbox/queries.ts'
import { startApp } from '../helpers/app.ts'
import { startMailbox } from '../helpers/mailbox.ts'
import { until } from '../helpers/until.ts'

/* What one person may take of the lists and mailboxes of others. */

const mailbox = await startMailbox(t)
const { app, addUser, signIn, database } = await startApp(t, { environment: mailbox.environment })
const { db } = database

let users = 0
async function member(set: object = {}) {
  const username = `flooded${users++}`
  const id = await addUser(username)
  if (Object.keys(set).length > 0) await db.updateTable('users').set(set).where('id', '=', id).execute()
  return { ...(await signIn(username)), username }
}

const tell = async (...events: NewEvent[]) => {
  await insertEvents(db, events)
  await app.outbox.drain()
}
const assignment = (actorId: string | null, userId: string, host: string) =>
  newEvent('assignment.create', {
    metadata: {
      type: 'subdomain',
      domainId: uuidv7(),
      domainName: 'example.com',
      subdomainPattern: host,
      host: `${host}.example.com`,
      username: 'x',
    },
    actorId,
    userIds: [userId],
  })
const many = (count: number, actorId: string | null, userId: string) =>
  Array.from({ length: count }, (_, n) => assignment(actorId, userId, `h${n}`))

interface Listed {
  event: string
  title: string
  more?: number
}

void t.test(
  '86. the list of one user is not filled by another, and says how many more there were',
  async (t) => {
    const [ada, bob, mallory] = [await member(), await member(), await member()]
    await ada.delete('/api/notifications')
    const place = { username: ada.username, ip: '192.0.2.1', userAgent: 'a browser' }
    await tell(
      newEvent('account.new_sign_in', { metadata: place, actorId: null, userIds: [ada.userId] }),
      assignment(bob.userId, ada.userId, 'of-bob'),
      ...many(220, mallory.userId, ada.userId),
    )
    const list = async () => (await ada.get('/api/notifications')).body.notifications as Listed[]
    const look = async (more: number) => {
      const listed = await list()
      t.equal(listed.length, 52)
      t.match(listed.at(-1), { event: 'account.new_sign_in' })
      t.match(listed.at(-2), { title: /of-bob/ })
      t.match(listed.at(-3), { title: /h170/, more })
      t.equal(listed.filter((message) => 'more' in message).length, 1)
    }
    await look(170)
    await deleteOldEntries(db)
    await look(170)
    await tell(...many(230, null, ada.userId))
    for (let i = 0; i < 2; i++) {
      const listed = await list()
      t.equal(listed.length, 200)
      t.match(listed.at(-1), { event: 'account.new_sign_in' }, 'stays, whatever else comes')
      await deleteOldEntries(db)
    }
  },
)

void t.test('86. a mailbox gets so many mails in an hour, and one that says how many more', async (t) => {
  const email = 'flooded@example.com'
  const ada = await member({ email, email_verified: true, email_notifications_enabled: true })
  const mallory = await member()
  const received = () =>
    mailbox.received.filter(
      ({ to, headers }) => to.includes(email) && /Access/.test(headers['subject'] ?? ''),
    ).length
  await tell(...many(37, mallory.userId, ada.userId))
  await until('the share', () => received() === 20)
  await tell(assignment(null, ada.userId, 'of-the-service'))
  await until('what the service says has a share of its own', () => received() === 21)
  const context = { mail: app.mail, installation: app.installation }
  await sumUpMails(context, db)
  await db
    .updateTable('notification_mails')
    .set({ resets_at: new Date(0) })
    .execute()
  await Promise.all([sumUpMails(context, db), sumUpMails(context, db)])
  await until('the sum', () =>
    mailbox.received.some(({ headers }) => headers['subject'] === '17 more notifications'),
  )
  t.equal(received(), 21)
  await tell(assignment(mallory.userId, ada.userId, 'again'))
  await until('the next hour', () => received() === 22)
  t.equal(
    mailbox.received.filter(({ headers }) => /more notifications/.test(headers['subject'] ?? '')).length,
    1,
  )
})
