import { createTransport } from 'nodemailer'
import type { MailMessage } from './message.ts'

const TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
}

/** `required` refuses to send in the clear; `opportunistic` encrypts where the server offers it. */
export type SmtpTls = 'required' | 'opportunistic' | 'off'

export interface MailTransport {
  /**
   * Resolves when the mail server has taken the message for at least one of the addresses, with the number of
   * those for which it has not. Rejects with the error of nodemailer. `id` makes its Message-ID, so that
   * mailboxes can tell a second copy.
   */
  deliver(to: readonly string[], message: MailMessage, id: string): Promise<number>
  close(): void
}

/** Opens the mail server of this address; `smtps://` is encrypted from the first byte. */
export function openTransport(smtpUrl: string, mailFrom: string, smtpTls: SmtpTls): MailTransport {
  const transport = createTransport({
    url: smtpUrl,
    ...TIMEOUTS,
    requireTLS: smtpTls === 'required',
    ignoreTLS: smtpTls === 'off',
    // A message is made of our own text alone; nothing in it may name a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async deliver(to, { subject, text, html }, id) {
      const { rejected } = await transport.sendMail({
        from: { name: 'Zonekeeper', address: mailFrom },
        // As objects: of a string the library would make as many receivers as it finds in it.
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
