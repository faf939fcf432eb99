import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import pino from 'pino'
import t, { type Test } from 'tap'
import db from '../../../plugins/db.ts'
import errors from '../../../plugins/http/errors.ts'
import events from '../../../plugins/events/index.ts'
import metrics from '../../../plugins/metrics.ts'
import mail, { type MailOptions } from '../../../plugins/mail/index.ts'
import { composeMail } from '../../../plugins/mail/templates.ts'
import secrets from '../../../plugins/security/secrets.ts'
import work from '../../../plugins/work/index.ts'
import { isEmailAddress } from '../../../schemas/people/email-address.ts'
import { createDatabase, type TestDatabase } from '../../helpers/database.ts'
import { startMailbox } from '../../helpers/mailbox.ts'
import { until } from '../../helpers/until.ts'

const MESSAGE = { subject: 'Hello', text: 'Hello there', html: '<p>Hello there</p>' }

/** The plugin on an app of its own, and what it logs. */
async function startMail(t: Test, options: Partial<MailOptions>, given?: TestDatabase) {
  const database = given ?? (await createDatabase(t))
  const lines: { level: number; msg: string; messages?: number; tries?: number; err?: object }[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const app = Fastify({ loggerInstance: log })
  await app.register(errors)
  await app.register(db, { connection: database })
  await app.register(events, { createClient: () => database.createClient() })
  await app.register(secrets, { keys: [Buffer.alloc(32, 7)] })
  await app.register(metrics)
  await app.register(work, { alone: false })
  await app.register(mail, {
    smtpUrl: null,
    smtpTls: 'opportunistic',
    mailFrom: 'zonekeeper@example.com',
    ...options,
  })
  app.get('/', async () => {
    await app.mail.send(app.db, 'ada@example.com', MESSAGE)
    return { sent: true }
  })
  await app.ready()
  t.teardown(() => app.close())
  return { app, database, lines, logged: (msg: string) => lines.filter((line) => line.msg === msg) }
}

/** A server that does with each connection what it is told. */
async function startServer(t: Test, onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets }
}

void t.test('a message arrives, as text and as HTML', async (t) => {
  const mailbox = await startMailbox(t)
  const { app } = await startMail(t, { smtpUrl: mailbox.environment.SMTP_URL })
  t.equal(app.mail.configured, true)
  t.doesNotThrow(() => app.mail.require())
  await app.mail.send(
    app.db,
    'ada@example.com',
    composeMail({
      subject: 'Grüße',
      paragraphs: ['Hello <b>Ada</b> & "friends"'],
      code: '012345',
      link: { label: 'Go on', url: 'https://dns.example.com/x?a=1&b="2"' },
      closing: ['Line\nbreak é'],
      siteUrl: 'https://dns.example.com',
    }),
  )
  const received = await mailbox.next('ada@example.com')
  t.equal(received.from, 'zonekeeper@example.com')
  t.same(received.to, ['ada@example.com'])
  t.match(received.headers, { from: 'Zonekeeper <zonekeeper@example.com>', to: 'ada@example.com' })
  t.match(received.headers['subject'], /^=\?UTF-8\?/)
  t.match(
    received.text,
    /Hello <b>Ada<\/b> & "friends"\n\n {4}012345\n\nGo on:\nhttps:\/\/dns.example.com\/x\?a=1&b="2"/,
  )
  t.match(received.text, /break é/)
  t.match(received.html, '<p>Hello &lt;b&gt;Ada&lt;/b&gt; &amp; &quot;friends&quot;</p>')
  t.match(received.html, 'href="https://dns.example.com/x?a=1&amp;b=&quot;2&quot;"')
  t.notMatch(received.html, /<(?:img|script|link|iframe)|src=/, 'nothing is loaded from anywhere')
})

void t.test('without a mail server it says so', async (t) => {
  for (const options of [{ smtpUrl: null }, { smtpUrl: 'smtp://127.0.0.1', mailFrom: null }]) {
    const { app } = await startMail(t, options)
    t.equal(app.mail.configured, false)
    t.throws(() => app.mail.require(), { status: 503, code: 'unavailable', message: /SMTP_URL/ })
    t.match(await app.inject('/'), { statusCode: 200 })
  }
})

void t.test('69. an address is one mailbox and nothing else', async (t) => {
  const good = [
    'ada@example.com',
    "o'brien+dns@mail.example.co.uk",
    'a@xn--bcher-kva.example',
    'A.B@EXAMPLE.com',
  ]
  for (const address of good) t.ok(isEmailAddress(address), address)
  const bad = [
    'a@x.example\r\nBcc: evil@x.example',
    'a@x.example\nRCPT TO:<evil@x.example>',
    'a@x.example,evil@x.example',
    'a@x.example;evil@x.example',
    'a@x.example evil@x.example',
    '<a@x.example>',
    'Ada <a@x.example>',
    'a@x.example>',
    '"a b"@x.example',
    'group:a@x.example;',
    '@relay.example:a@x.example',
    'a@b@x.example',
    'a@[127.0.0.1]',
    'a@localhost',
    'a@-x.example',
    'a..b@x.example',
    '.a@x.example',
    'a(comment)@x.example',
    'ä@x.example',
    'a@x.example\0',
    '@x.example',
    'a',
    '',
    `${'a'.repeat(65)}@x.example`,
    `a@${'x'.repeat(64)}.example`,
    `a@${'x.'.repeat(130)}example`,
  ]
  const mailbox = await startMailbox(t)
  const { app, logged } = await startMail(t, { smtpUrl: mailbox.environment.SMTP_URL })
  for (const address of bad) {
    t.notOk(isEmailAddress(address), JSON.stringify(address))
    await app.mail.send(app.db, address, MESSAGE)
  }
  t.equal(logged('email address not valid').length, bad.length)
  await app.mail.send(app.db, 'last@example.com', {
    ...MESSAGE,
    subject: 'Hi\r\nBcc: evil@x.example\r\n\r\nbody',
  })
  const last = await mailbox.next('last@example.com')
  t.equal(mailbox.received.length, 1, 'nothing else was sent')
  t.same(last.to, ['last@example.com'])
  t.notOk('bcc' in last.headers)
  t.equal(last.headers['subject'], 'Hi Bcc: evil@x.example body')
})

void t.test('a server that never answers delays no answer of ours, nor the end for long', async (t) => {
  const silent = await startServer(t, () => {})
  const { app, database } = await startMail(t, { smtpUrl: silent.url })
  const begin = Date.now()
  for (let i = 0; i < 20; i++) t.match(await app.inject('/'), { statusCode: 200 })
  t.ok(Date.now() - begin < 5_000, `${Date.now() - begin} ms`)
  await until('the connections', () => silent.sockets.size >= 3)
  await sleep(50)
  t.equal(silent.sockets.size, 3, 'and it gets only a few connections')
  const end = Date.now()
  await app.close()
  t.ok(Date.now() - end < 7_000)
  const waiting = await database.db.selectFrom('mails').select('recipient').execute()
  t.equal(waiting.length, 20, 'and nothing is lost')
})

void t.test('a temporary failure is tried again, a permanent one is not', async (t) => {
  let refusals = 2
  const mailbox = await startMailbox(t, {
    onRcptTo({ address }, _session, done) {
      if (address === 'nobody@example.com') return done(Object.assign(new Error('No'), { responseCode: 550 }))
      if (address === 'later@example.com' && refusals-- > 0) {
        return done(Object.assign(new Error('Greylisted'), { responseCode: 450 }))
      }
      done()
    },
  })
  const { app, logged } = await startMail(t, {
    smtpUrl: mailbox.environment.SMTP_URL,
    retrySeconds: [0.01, 0.02, 0.03],
  })
  await app.mail.send(app.db, 'later@example.com', MESSAGE)
  await app.mail.send(app.db, 'nobody@example.com', MESSAGE)
  await app.mail.send(app.db, 'ada@example.com', MESSAGE)
  await mailbox.next('ada@example.com')
  await mailbox.next('later@example.com')
  await until('a failure in the log', () => logged('email could not be sent').length === 1)
  t.equal(logged('email not sent yet; will be retried').length, 2)
  t.match(logged('email could not be sent'), [{ tries: 1, err: { responseCode: 550 } }])
})

void t.test('deliver: one message to several, and what became of it', async (t) => {
  const mailbox = await startMailbox(t, {
    onRcptTo({ address }, _session, done) {
      done(address.startsWith('nobody') ? Object.assign(new Error('No'), { responseCode: 550 }) : null)
    },
  })
  const { app, logged } = await startMail(t, { smtpUrl: mailbox.environment.SMTP_URL })
  await app.mail.deliver(['ada@example.com', 'nobody@example.com', 'bob@example.org'], MESSAGE, 'event-1')
  const mail = await mailbox.next('ada@example.com')
  t.same(mail.to, ['ada@example.com', 'bob@example.org'])
  t.equal(mail.headers['message-id'], '<event-1@example.com>', 'the same on each try')
  t.match(logged('email refused for some recipients'), [{ level: 40 }])
  await t.rejects(
    app.mail.deliver(['nobody@example.com'], MESSAGE, 'event-2'),
    /all recipients were rejected: 550/,
  )
  t.equal(mailbox.received.length, 1, 'it is not tried again by itself')

  const none = await startMail(t, { smtpUrl: null })
  await t.rejects(none.app.mail.deliver(['ada@example.com'], MESSAGE, 'event-3'), /not configured/)
})

void t.test('a server that is away is tried again, until it is not worth it', async (t) => {
  let connections = 0
  const dead = await startServer(t, (socket) => {
    connections++
    socket.destroy()
  })
  const { app, database, logged } = await startMail(t, { smtpUrl: dead.url, retrySeconds: [0.01, 0.01, 60] })
  await app.mail.send(app.db, 'ada@example.com', MESSAGE, 30)
  await until('a failure in the log', () => logged('email could not be sent').length === 1)
  t.equal(connections, 3)
  t.match(logged('email could not be sent'), [{ tries: 3 }])
  t.same(await database.db.selectFrom('mails').select('id').execute(), [])
})

void t.test('what was stored goes out after the commit, also by the next start', async (t) => {
  const mailbox = await startMailbox(t)
  const { app, database } = await startMail(t, { smtpUrl: mailbox.environment.SMTP_URL })
  await t.rejects(
    app.db.transaction().execute(async (trx) => {
      await app.mail.send(trx, 'never@example.com', MESSAGE)
      throw new Error('no')
    }),
  )
  await app.close()
  await app.mail.send(database.db, ['ada@example.com', 'bob@example.com'], MESSAGE)
  await startMail(t, { smtpUrl: mailbox.environment.SMTP_URL }, database)
  const one = await mailbox.next('ada@example.com')
  const other = await mailbox.next('bob@example.com')
  t.not(one.headers['message-id'], other.headers['message-id'])
  t.equal(mailbox.received.length, 2, 'what was rolled back is not sent')
})

void t.test('91. what is being sent is held by a short lease, for as long as that takes', async (t) => {
  const silent = await startServer(t, () => {})
  const { app, database } = await startMail(t, { smtpUrl: silent.url })
  await app.mail.send(app.db, 'ada@example.com', MESSAGE)
  const heldUntil = async () => {
    const query = database.db.selectFrom('mails').select('next_try_at').where('tries', '=', 1)
    return (await query.executeTakeFirst())?.next_try_at.getTime() ?? 0
  }
  const first = await until('it is being sent', heldUntil)
  t.ok(first - Date.now() < 11_000, 'short')
  await until('it is renewed', async () => (await heldUntil()) > first)
})

void t.test('what it says is sealed while it waits', async (t) => {
  const silent = await startServer(t, () => {})
  const { app, database } = await startMail(t, { smtpUrl: silent.url })
  await app.mail.send(app.db, 'ada@example.com', { ...MESSAGE, text: 'code 492039' })
  const { content } = await database.db.selectFrom('mails').select('content').executeTakeFirstOrThrow()
  t.notMatch(content.toString('latin1'), /492039|Hello/)
})

void t.test('79. the log never shows what a message says', async (t) => {
  const dead = await startServer(t, (socket) => socket.destroy())
  const { app, lines, logged } = await startMail(t, { smtpUrl: dead.url, retrySeconds: [60] })
  const html = '<p>code 492039</p>'
  await app.mail.send(app.db, 'ada@example.com', { ...MESSAGE, text: 'code 492039', html }, 30)
  await until('a failure in the log', () => logged('email could not be sent').length === 1)
  t.notMatch(JSON.stringify(lines), '492039')
})
