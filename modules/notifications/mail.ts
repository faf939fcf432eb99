import type { Kysely } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import type { Database } from '../../db/tables/index.ts'
import { domainLink, LINK_LABEL } from '../../plugins/events/domain-links.ts'
import type { Installation } from '../../plugins/installation.ts'
import type { Mail } from '../../plugins/mail/index.ts'
import { composeMail } from '../../plugins/mail/templates.ts'
import { endShares, takeShares } from './mail-share-queries.ts'
import type { Message } from './message.ts'
import type { Recipient } from './queries.ts'

/** What notification emails need of the app. */
export interface MailContext {
  mail: Mail
  installation: Installation
}

const CLOSING =
  'You receive this email because email notifications are enabled in your profile. You can turn them off there.'

/**
 * Emails a notification, after the commit, to recipients who want emails and whose hourly share has room; emails
 * beyond it are summed up when the hour is over.
 */
export async function mailNotification(
  { mail, installation }: MailContext,
  trx: Executor,
  recipients: readonly Recipient[],
  message: Message,
  byPerson: boolean,
): Promise<void> {
  const addresses = recipients.flatMap(({ address }) => (address === null ? [] : [address]))
  if (!mail.configured || addresses.length === 0) return
  const url = domainLink(message, installation)
  const mailMessage = composeMail({
    subject: message.title,
    paragraphs: [message.content],
    ...(url !== null && { link: { label: LINK_LABEL, url } }),
    closing: [CLOSING],
    siteUrl: installation.url,
  })
  await mail.send(trx, await takeShares(trx, addresses, byPerson), mailMessage)
}

/** Tells recipients how many emails were held back in an hour that is over. */
export async function sumUpMails({ mail, installation }: MailContext, db: Kysely<Database>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const { recipient, heldBack } of await endShares(trx)) {
      const mailMessage = composeMail({
        subject: `${heldBack} more ${heldBack === 1 ? 'notification' : 'notifications'}`,
        paragraphs: [
          `You received ${heldBack} more ${heldBack === 1 ? 'notification' : 'notifications'} in the last hour than are sent as separate emails.`,
        ],
        link: { label: 'View notifications', url: installation.url },
        closing: [CLOSING],
        siteUrl: installation.url,
      })
      await mail.send(trx, recipient, mailMessage)
    }
  })
}
