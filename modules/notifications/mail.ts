import type { Kysely } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import type { Database } from '../../db/tables/index.ts'
import { domainLink, LINK_LABEL } from '../../plugins/events/domain-links.ts'
import type { Installation } from '../../plugins/installation.ts'
import type { Mail } from '../../plugins/mail/index.ts'
import { composeMail } from '../../plugins/mail/templates.ts'
import { endShares, takeShares } from './mail-share-queries.ts'
import type { Message } from './message.ts'
import type { Receiver } from './queries.ts'

/** What letters need of the app. */
export interface MailContext {
  mail: Mail
  installation: Installation
}

const CLOSING =
  'You get this because e-mail notifications are on in your profile; they can be turned off there.'

/**
 * Sends a message to those who want e-mail, after the commit, as far as their share of the hour has room for it;
 * what is beyond is summed up when the hour is over.
 */
export async function mailTo(
  { mail, installation }: MailContext,
  trx: Executor,
  receivers: readonly Receiver[],
  message: Message,
  byPerson: boolean,
): Promise<void> {
  const addresses = receivers.flatMap(({ address }) => (address === null ? [] : [address]))
  if (!mail.configured || addresses.length === 0) return
  const url = domainLink(message, installation)
  const letter = composeMail({
    subject: message.title,
    paragraphs: [message.content],
    ...(url !== null && { link: { label: LINK_LABEL, url } }),
    closing: [CLOSING],
    siteUrl: installation.url,
  })
  await mail.send(trx, await takeShares(trx, addresses, byPerson), letter)
}

/** Says to each address of an hour that is over how many more there were. */
export async function sumUpMails({ mail, installation }: MailContext, db: Kysely<Database>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const { recipient, heldBack } of await endShares(trx)) {
      const letter = composeMail({
        subject: `${heldBack} more ${heldBack === 1 ? 'notification' : 'notifications'}`,
        paragraphs: [
          `In the last hour there were ${heldBack} more notifications for you than are sent one by one.`,
        ],
        link: { label: 'See them', url: installation.url },
        closing: [CLOSING],
        siteUrl: installation.url,
      })
      await mail.send(trx, recipient, letter)
    }
  })
}
