import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { until } from './until.ts'

/** A message as it came in over SMTP. */
export interface ReceivedMail {
  from: string
  /** Of the envelope: where it really went. */
  to: string[]
  headers: Record<string, string>
  text: string
  html: string
  raw: string
}

export interface Mailbox {
  /** What the service needs to send here. */
  environment: { SMTP_URL: string; MAIL_FROM: string }
  received: ReceivedMail[]
  /** Waits for the next message to that address that has not been read yet. */
  next(to: string): Promise<ReceivedMail>
}

interface Owner {
  teardown(end: () => unknown): void
}

/** A real SMTP server on loopback that keeps what it is given. */
export async function startMailbox(t: Owner, options: SMTPServerOptions = {}): Promise<Mailbox> {
  const received: ReceivedMail[] = []
  const read = new Set<ReceivedMail>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 100,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const to = rcptTo.map(({ address }) => address)
        received.push({ from: (mailFrom || { address: '' }).address, to, ...parse(Buffer.concat(chunks)) })
        done()
      })
    },
    ...options,
  })
  // Clients that hang up in the middle are a part of some tests.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.teardown(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  return {
    environment: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'zonekeeper@example.com' },
    received,
    async next(to) {
      const mail = await until(`an e-mail to ${to}`, () =>
        received.find((candidate) => candidate.to.includes(to) && !read.has(candidate)),
      )
      read.add(mail)
      return mail
    },
  }
}

/** The code that a message shows. */
export const codeIn = (mail: ReceivedMail): string => /^ {4}(\d{6})$/m.exec(mail.text)?.[1] ?? ''

function parse(raw: Buffer) {
  const { headers, body } = split(raw.toString('latin1'))
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r\n/, '')))
  const content = (type: string) => {
    const part = parts.find(({ headers }) => headers['content-type']?.startsWith(type))
    return part ? decode(part.body, part.headers['content-transfer-encoding'] ?? '7bit') : ''
  }
  return { headers, raw: raw.toString(), text: content('text/plain'), html: content('text/html') }
}

function split(text: string): { headers: Record<string, string>; body: string } {
  const end = text.indexOf('\r\n\r\n')
  const lines = text
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { headers: Object.fromEntries(headers) as Record<string, string>, body: text.slice(end + 4) }
}

function decode(body: string, encoding: string): string {
  const text = body.replaceAll('\r\n', '\n')
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString()
  if (encoding !== 'quoted-printable') return text
  const bytes = text
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
