import fp from 'fastify-plugin'
import { createTransport } from 'nodemailer'
import { AppError } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    mail: Mail
  }
}

/** One message to one person, as plain text and as HTML. */
export interface MailMessage {
  subject: string
  text: string
  html: string
}

/** Outgoing e-mail. It never delays an answer: messages are queued here and sent one after another. */
export interface Mail {
  readonly configured: boolean
  /** Throws a 503 that says so when no mail server is configured. */
  require(): void
  /** Queues the message. `to` is one address that was validated; a failure goes to the log. */
  send(to: string, message: MailMessage): void
}

export const mailNotConfigured = () =>
  new AppError(503, 'unavailable', 'E-mail is not set up on this service (SMTP_URL and MAIL_FROM)')

void createTransport
void fp
