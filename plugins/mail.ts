import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { AppError } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    mail: Mail
  }
}

/** One message to one person, as plain text and as HTML; plugins/mail-templates makes it. */
export interface MailMessage {
  subject: string
  text: string
  html: string
}

/** Outgoing e-mail. It never delays an answer: messages are queued here and sent in the background. */
export interface Mail {
  readonly configured: boolean
  /** Throws a 503 that says so when no mail server is configured. */
  require(): void
  /**
   * Queues the message; never throws. `to` is one address that was validated; a failure goes to the log.
   * What is queued lives in memory: it is lost when the process dies.
   */
  send(to: string, message: MailMessage): void
  /**
   * Sends one message to these validated addresses now, without further tries, and resolves when the mail
   * server has taken it for at least one of them. Rejects with the error of nodemailer. `id` makes its
   * Message-ID, so that mailboxes can tell a second copy.
   */
  deliver(to: readonly string[], message: MailMessage, id: string): Promise<void>
}

export interface MailOptions {
  /** Null: no mail server. */
  smtpUrl: string | null
  mailFrom: string | null
  /** Milliseconds to wait before each further try after a temporary failure. */
  retryDelays?: readonly number[]
  /** Milliseconds that closing waits for what is queued. */
  closingTime?: number
}

export const mailNotConfigured = () =>
  new AppError(503, 'unavailable', 'E-mail is not set up on this service (SMTP_URL and MAIL_FROM)')

/** Beyond, messages are dropped and the log says so: a flood must not pile up behind a dead server. */
const MAX_QUEUED = 500

/** Connections at a time; more than one, so that a server which is slow for one receiver keeps none waiting. */
const SENDERS = 3

const TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
}

/** The whole stays below the 10 minutes that a code lives. */
const RETRY_DELAYS = [2_000, 15_000, 60_000]

const CLOSING_MS = 4_000

/** RFC 5321 in its plain form: no quotes, comments, lists or routes, and no address literals. */
const ADDRESS =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/i

/** Whether this is the address of one mailbox and nothing else. */
export const isMailAddress = (text: string): boolean =>
  text.length <= 254 && text.lastIndexOf('@') <= 64 && ADDRESS.test(text)

interface Queued {
  to: string
  message: MailMessage
  tries: number
}

export default fp<MailOptions>(
  async (app, { smtpUrl, mailFrom, retryDelays = RETRY_DELAYS, closingTime = CLOSING_MS }) => {
    if (smtpUrl === null || mailFrom === null) {
      app.decorate('mail', {
        configured: false,
        require: () => {
          throw mailNotConfigured()
        },
        send: () => {},
        deliver: async () => {
          throw mailNotConfigured()
        },
      })
      return
    }

    // Large, and needed only where mail is set up.
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      url: smtpUrl,
      ...TIMEOUTS,
      // A message is made of our own text alone; nothing in it may name a file or an address to fetch.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    const from = { name: 'Zonekeeper', address: mailFrom }
    const queue: Queued[] = []
    // Each belongs to one message that is on its way or waits for another try.
    const underWay = new Set<Promise<void>>()
    const closing = new AbortController()
    let sending = 0

    function next(): void {
      if (sending >= SENDERS) return
      const mail = queue.shift()
      if (!mail) return
      sending++
      track(
        deliver(mail).finally(() => {
          sending--
          next()
        }),
      )
    }

    async function deliver(mail: Queued): Promise<void> {
      const { subject, text, html } = mail.message
      mail.tries++
      try {
        // As an object: of a string the library would make as many receivers as it finds in it.
        await transport.sendMail({ from, to: { name: '', address: mail.to }, subject, text, html })
      } catch (error) {
        const delay = closing.signal.aborted ? undefined : retryDelays[mail.tries - 1]
        if (delay === undefined || !isTemporary(error)) {
          app.log.error({ err: error, subject, tries: mail.tries }, 'e-mail could not be sent')
        } else {
          app.log.warn({ err: error, subject, tries: mail.tries }, 'e-mail is tried again')
          track(later(mail, delay))
        }
      }
    }

    async function later(mail: Queued, delay: number): Promise<void> {
      // At closing there is no later: the last try is now.
      await sleep(delay, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      queue.push(mail)
      next()
    }

    function track(work: Promise<void>): void {
      underWay.add(work)
      void work.finally(() => underWay.delete(work))
    }

    app.decorate('mail', {
      configured: true,
      require: () => {},
      send(to, message) {
        if (!isMailAddress(to)) {
          app.log.error({ subject: message.subject }, 'e-mail to what is no address')
        } else if (queue.length + underWay.size >= MAX_QUEUED) {
          app.log.error({ subject: message.subject }, 'too much e-mail is waiting; this one is dropped')
        } else {
          queue.push({ to, message: { ...message, subject: oneLine(message.subject) }, tries: 0 })
          next()
        }
      },
      async deliver(to, { subject, text, html }, id) {
        const { rejected } = await transport.sendMail({
          from,
          to: to.map((address) => ({ name: '', address })),
          subject: oneLine(subject),
          text,
          html,
          messageId: `<${id}@${mailFrom.slice(mailFrom.lastIndexOf('@') + 1)}>`,
        })
        if (rejected.length > 0) {
          app.log.warn({ subject, refused: rejected.length }, 'e-mail was refused for some of its receivers')
        }
      },
    } satisfies Mail)

    app.addHook('onClose', async () => {
      closing.abort()
      const late = sleep(closingTime, 'late' as const, { ref: false })
      while (underWay.size > 0) {
        if ((await Promise.race([Promise.all(underWay), late])) === 'late') break
      }
      const lost = underWay.size + queue.length
      if (lost > 0) app.log.error({ messages: lost }, 'e-mail was not sent before the end')
      transport.close()
    })
  },
  { name: 'mail' },
)

const oneLine = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ')

/** What may go better later: no connection, a time-out, or an answer 4xx of the server (RFC 5321 section 4.2.1). */
function isTemporary(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  if (code === 'EAUTH') return false
  return responseCode === undefined ? code !== 'EENVELOPE' && code !== 'EMESSAGE' : responseCode < 500
}
