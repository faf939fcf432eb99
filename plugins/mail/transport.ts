import { createTransport } from 'nodemailer'
import type { MailMessage } from './message.ts'

const TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
}

export interface MailTransport {
  /**
   * Resolves when the mail server has taken the message for at least one of the addresses, with the number of
   * those for which it has not. Rejects with the error of nodemailer. `id` makes its Message-ID, so that
   * mailboxes can tell a second copy.
   */
  deliver(to: readonly string[], message: MailMessage, id: string): Promise<number>
  close(): void
}

export function openTransport(smtpUrl: string, mailFrom: string): MailTransport {
  const transport = createTransport({
    url: smtpUrl,
    ...TIMEOUTS,
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
