import type { Mail } from '../../plugins/mail.ts'
import { composeMail } from '../../plugins/mail-templates.ts'
import type { Site } from '../../plugins/site.ts'
import type { Receiver } from './queries.ts'
import type { Message } from './store/contract.ts'

/** Sends a message to those who want e-mail. */
export function mailTo(
  receivers: readonly Receiver[],
  { title, content }: Message,
  { mail, site }: { mail: Mail; site: Site },
): void {
  if (!mail.configured) return
  const letter = composeMail({
    subject: title,
    paragraphs: [content],
    closing: [
      'You get this because e-mail notifications are on in your profile; they can be turned off there.',
    ],
    siteUrl: site.url,
  })
  for (const { address } of receivers) if (address !== null) mail.send(address, letter)
}
