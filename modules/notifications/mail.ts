import type { Executor } from '../../db/connect.ts'
import { composeMail } from '../../plugins/mail/templates.ts'
import type { AnnounceContext } from './announce.ts'
import type { Message } from './message.ts'
import type { Receiver } from './queries.ts'

/** Sends a message to those who want e-mail, after the commit. */
export async function mailTo(
  { mail, installation }: AnnounceContext,
  trx: Executor,
  receivers: readonly Receiver[],
  { title, content }: Message,
): Promise<void> {
  if (!mail.configured) return
  const letter = composeMail({
    subject: title,
    paragraphs: [content],
    closing: [
      'You get this because e-mail notifications are on in your profile; they can be turned off there.',
    ],
    siteUrl: installation.url,
  })
  const addresses = receivers.flatMap(({ address }) => (address === null ? [] : [address]))
  await mail.send(trx, addresses, letter)
}
