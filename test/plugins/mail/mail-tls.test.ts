import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import type { SMTPServerOptions } from 'smtp-server'
import t, { type Test } from 'tap'
import { openTransport, type SmtpTls } from '../../../plugins/mail/transport.ts'
import { startMailbox } from '../../helpers/mailbox.ts'

const MESSAGE = { subject: 'Hello', text: 'code 492039', html: '<p>code 492039</p>' }

/** The library's own certificate, which no authority has signed. */
const UNVERIFIED = '?tls.rejectUnauthorized=false'

/** A server that takes a password, with STARTTLS or without; `logins` are those it was given. */
async function startServer(t: Test, { starttls }: { starttls: boolean }) {
  const logins: { user: string; isSecure: boolean }[] = []
  const options: SMTPServerOptions = {
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: starttls ? [] : ['STARTTLS'],
    onAuth({ username = '' }, { secure }, done) {
      logins.push({ user: username, isSecure: secure })
      done(null, { user: username })
    },
  }
  const mailbox = await startMailbox(t, options)
  return { logins, received: mailbox.received, port: Number(new URL(mailbox.environment.SMTP_URL).port) }
}

/** Stands between and passes on what `change` makes of the server's words; `heard` is what the client says. */
async function startMiddle(t: Test, port: number, change: (answer: string) => string) {
  const heard: Buffer[] = []
  const sockets = new Set<Socket>()
  const middle = createServer((client) => {
    const server = connect(port, '127.0.0.1')
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.on('data', (data) => {
      heard.push(data)
      server.write(data)
    })
    server.on('data', (data) => client.write(change(data.toString('latin1')), 'latin1'))
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
  })
  middle.listen(0, '127.0.0.1')
  await once(middle, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    middle.close()
  })
  return {
    port: (middle.address() as AddressInfo).port,
    heard: () => Buffer.concat(heard).toString('latin1'),
  }
}

const deliver = async (t: Test, port: number, mode: SmtpTls, query = '') => {
  const url = `smtp://ada:hidden-password@127.0.0.1:${port}${query}`
  const transport = openTransport(url, 'dns@example.com', mode)
  t.teardown(() => transport.close())
  return transport.deliver(['ada@example.com'], MESSAGE, 'event-1')
}

/** Commands that would show a password or a message. */
const TELLING = /^(AUTH|MAIL|RCPT|DATA)/im

void t.test('a server without STARTTLS gets neither password nor mail where TLS is required', async (t) => {
  const server = await startServer(t, { starttls: false })
  const middle = await startMiddle(t, server.port, (answer) => answer)
  await t.rejects(deliver(t, middle.port, 'required'), { code: 'ETLS' })
  t.match(middle.heard(), /^EHLO /)
  t.notMatch(middle.heard(), TELLING)
  t.same([server.logins, server.received], [[], []])
  t.equal(await deliver(t, server.port, 'opportunistic'), 0)
  t.equal(await deliver(t, server.port, 'off'), 0)
  t.equal(server.received.length, 2)
})

void t.test('a server with STARTTLS gets both by TLS', async (t) => {
  const server = await startServer(t, { starttls: true })
  const middle = await startMiddle(t, server.port, (answer) => answer)
  for (const mode of ['required', 'opportunistic'] as const) {
    t.equal(await deliver(t, server.port, mode, UNVERIFIED), 0)
    t.match(server.logins.pop(), { user: 'ada', isSecure: true })
  }
  await t.rejects(
    deliver(t, middle.port, 'required'),
    { message: /certificate/ },
    'its certificate is verified',
  )
  t.notMatch(middle.heard(), TELLING)
  t.equal(await deliver(t, server.port, 'off'), 0)
  t.match(server.logins.pop(), { isSecure: false })
  t.equal(server.received.length, 3)
})

const offerStripped = (answer: string) => answer.replace(/STARTTLS/g, 'X-NOTHING')
const refused = (answer: string) => answer.replace(/^220 (?!.*ESMTP)/, '502 ')

void t.test('somebody between who strips STARTTLS gets neither password nor mail', async (t) => {
  for (const change of [refused, (answer: string) => refused(offerStripped(answer))]) {
    const server = await startServer(t, { starttls: true })
    const middle = await startMiddle(t, server.port, change)
    await t.rejects(deliver(t, middle.port, 'required', UNVERIFIED), { code: 'ETLS' })
    t.match(middle.heard(), /STARTTLS/)
    t.notMatch(middle.heard(), TELLING)
    t.same([server.logins, server.received], [[], []])
  }
})

void t.test('STARTTLS is asked for although it is not offered', async (t) => {
  const server = await startServer(t, { starttls: true })
  const middle = await startMiddle(t, server.port, offerStripped)
  t.equal(await deliver(t, middle.port, 'required', UNVERIFIED), 0)
  t.notMatch(middle.heard(), TELLING)
  t.match(server.logins, [{ isSecure: true }])
})
