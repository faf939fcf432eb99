import { createTransport } from 'nodemailer'
import type { MailMessage } from './message.ts'

const TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
}

/** `required` never sends unencrypted; `opportunistic` encrypts if the server offers it. */
export type SmtpTls = 'required' | 'opportunistic' | 'off'

export interface MailTransport {
  /**
   * Resolves when the mail server has accepted the message for at least one address, with the number of addresses it
   * has refused. Rejects with nodemailer's error. `id` becomes the Message-ID, so that mailboxes recognize a second
   * copy.
   */
  deliver(to: readonly string[], message: MailMessage, id: string): Promise<number>
  close(): void
}

/** Opens a transport to the mail server; `smtps://` is encrypted from the first byte. */
export function openTransport(smtpUrl: string, mailFrom: string, smtpTls: SmtpTls): MailTransport {
  const transport = createTransport({
    url: smtpUrl,
    ...TIMEOUTS,
    requireTLS: smtpTls === 'required',
    ignoreTLS: smtpTls === 'off',
    // Nothing in a message may name a file or URL to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async deliver(to, { subject, text, html }, id) {
      const { rejected } = await transport.sendMail({
        from: { name: 'Zonekeeper', address: mailFrom },
        // As objects: nodemailer would split a string into all addresses it finds in it.
        to: to.map((address) => ({ name: '', address })),
        subject: subject.replaceAll(/\p{Cc}+/gu, ' '),
        text,
        html,
        messageId: `<${id}@${mailFrom.slice(mailFrom.lastIndexOf('@') + 1)}>`,
      })
      return rejected.length
    },
    close: () => transport.close(),
  }
}
