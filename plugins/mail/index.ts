import fp from 'fastify-plugin'
import type { Executor } from '../../db/connection/connect.ts'
import { isEmailAddress } from '../../schemas/people/email-address.ts'
import { AppError } from '../http/errors.ts'
import type { MailMessage } from './message.ts'
import { addMails, mailQueue, RETRY_SECONDS } from './queue.ts'
import type { SmtpTls } from './transport.ts'

declare module 'fastify' {
  interface FastifyInstance {
    mail: Mail
  }
}

/** Outgoing email. It never delays a response: messages are stored, and sent after the commit. */
export interface Mail {
  readonly configured: boolean
  /** Throws a 503 when no mail server is configured. */
  require(): void
  /**
   * Stores the message for each of these validated addresses, in the transaction of `db` if it is one. It is sent
   * after the commit, at least once, and retried for `validSeconds` (default: a day). Without a mail server, nothing is
   * stored.
   */
  send(
    db: Executor,
    to: string | readonly string[],
    message: MailMessage,
    validSeconds?: number,
  ): Promise<void>
  /**
   * Sends one message to these validated addresses now, without retries. Resolves when the mail server has accepted it
   * for at least one of them; rejects with nodemailer's error. `id` becomes the Message-ID, so that mailboxes recognize
   * a second copy.
   */
  deliver(to: readonly string[], message: MailMessage, id: string): Promise<void>
}

export interface MailOptions {
  /** Null: no mail server is configured. */
  smtpUrl: string | null
  smtpTls: SmtpTls
  mailFrom: string | null
  /** Delays after temporary failures, in seconds. */
  retrySeconds?: readonly number[]
}

const mailNotConfigured = () =>
  new AppError(503, 'unavailable', 'Email is not configured; set SMTP_URL and MAIL_FROM')

/** As long as channels retry. */
const VALID_SECONDS = 24 * 3_600

export default fp<MailOptions>(
  async (app, { smtpUrl, smtpTls, mailFrom, retrySeconds = RETRY_SECONDS }) => {
    if (smtpUrl === null || mailFrom === null) {
      app.decorate('mail', {
        configured: false,
        require: () => {
          throw mailNotConfigured()
        },
        send: async () => {},
        deliver: async () => {
          throw mailNotConfigured()
        },
      })
      return
    }

    // Large, and needed only where mail is set up.
    const { openTransport } = await import('./transport.ts')
    const transport = openTransport(smtpUrl, mailFrom, smtpTls)
    app.decorate('mail', {
      configured: true,
      require: () => {},
      async send(db, to, message, validSeconds = VALID_SECONDS) {
        const addresses = [to].flat()
        const usable = addresses.filter(isEmailAddress)
        if (usable.length < addresses.length)
          app.log.error({ subject: message.subject }, 'email address not valid')
        await addMails(db, app.secrets, usable, { message, validSeconds })
      },
      async deliver(to, message, id) {
        const refused = await transport.deliver(to, message, id)
        if (refused > 0) {
          app.log.warn({ subject: message.subject, refused }, 'email refused for some recipients')
        }
      },
    } satisfies Mail)

    // Registered before the queue's own hook, so that it runs after the queue has drained.
    app.addHook('onClose', async () => transport.close())
    app.work.queue(mailQueue({ db: app.jobsDb, secrets: app.secrets, transport, log: app.log, retrySeconds }))
  },
  { name: 'mail', dependencies: ['db', 'events', 'secrets', 'work'] },
)
