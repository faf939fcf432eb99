import { Type, type Static } from '@sinclair/typebox'
import { domainLink, LINK_LABEL } from '../../../plugins/events/domain-links.ts'
import { composeMail } from '../../../plugins/mail/templates.ts'
import type { FailureCode } from '../../../schemas/codes/failure-codes.ts'
import { isEmailAddress } from '../../../schemas/people/email-address.ts'
import { DeliveryError, type Sender } from './contract.ts'
import { named } from '../../../schemas/named.ts'

const Config = Type.Object(
  {
    to: Type.Array(Type.String({ maxLength: 254, examples: ['ops@example.com'] }), {
      title: 'Addresses',
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
    }),
  },
  named('EmailConfig'),
)
type Config = Static<typeof Config>

/** Email to fixed addresses, through the mail server of the service. */
export const email: Sender<Config> = {
  kind: 'email',
  schema: Config,
  pace: { burst: 30, intervalMs: 1_000 },
  require: ({ mail }) => mail.require(),
  check: ({ to }) =>
    to.flatMap((address, i) =>
      isEmailAddress(address)
        ? []
        : [{ path: `/to/${i}`, code: 'mail_address', message: 'must be an email address' }],
    ),
  mask: (config) => config,
  async send(told, { to }, { mail, installation }) {
    // It may have been removed since the channel was created.
    if (!mail.configured)
      throw new DeliveryError('Email is no longer configured on this service', { code: 'mail_off' })
    const url = domainLink(told, installation)
    const message = composeMail({
      subject: told.title,
      paragraphs: [told.content],
      ...(url !== null && { link: { label: LINK_LABEL, url } }),
      siteUrl: installation.url,
    })
    try {
      await mail.deliver(to, message, told.id)
    } catch (cause) {
      throw refusalOf(cause)
    }
  },
}

/** Our words instead of the server's, which may contain anything. */
function refusalOf(cause: unknown): DeliveryError {
  const { code = '', responseCode: answer } = cause as { code?: string; responseCode?: number }
  const refused = (of: FailureCode, what: string) =>
    new DeliveryError(`The mail server refused ${what}${answer === undefined ? '' : ` (${answer})`}`, {
      code: of,
      ...(answer !== undefined && { params: { answer } }),
      cause,
    })
  if (code === 'EAUTH') return refused('mail_credentials', 'the credentials of the service')
  if (code === 'EENVELOPE') return refused('mail_envelope', 'the sender or recipients')
  if (answer !== undefined) return refused('mail_refused', 'the message')
  return new DeliveryError('The mail server does not respond', { code: 'mail_unreachable', cause })
}
