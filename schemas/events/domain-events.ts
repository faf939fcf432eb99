import { Type } from '@sinclair/typebox'
import { domainFields, entry, HIDDEN_CODE, HIDDEN_REASON } from './event-entry.ts'
import { named } from '../named.ts'
import { ToldErrorReason } from '../problem.ts'
import { Nullable, Timestamp } from '../scalars.ts'

const About = Type.Object(domainFields, named('DomainMetadata'))

const Expiry = Type.Object(
  {
    ...domainFields,
    expiresAt: Timestamp,
    daysLeft: Type.Integer({ description: 'Whole days; 0 on the last', examples: [7] }),
    leadDays: Nullable(Type.Integer({ description: 'The lead time that was passed', examples: [7] })),
  },
  named('ExpiryMetadata'),
)

const Offer = Type.Object(
  {
    ...domainFields,
    username: Type.String({ description: 'Who gets it once they accept', examples: ['ada'] }),
    previousUsername: Type.String({ description: 'Who owns it', examples: ['bob'] }),
  },
  named('TransferMetadata'),
)

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)

export const DOMAIN_EVENTS = {
  'domain.created': entry({
    level: 'success',
    audience: 'domain',
    mail: false,
    metadata: About,
    title: ({ domainName }) => `${domainName} was registered here`,
    content: ({ domainName }) => `The domain ${domainName} is now managed here.`,
  }),
  'domain.overlapped': entry({
    level: 'warning',
    audience: 'users',
    mail: true,
    metadata: Type.Object({
      ...domainFields,
      registeredName: Type.String({
        description: 'The new domain, which equals, contains or lies below this one',
        examples: ['app.example.com'],
      }),
      username: Type.String({ description: 'Who registered it', examples: ['ada'] }),
    }),
    title: ({ registeredName, username }) => `${username} registered ${registeredName}`,
    content: ({ domainName, registeredName, username }) =>
      `${username} registered ${registeredName}, which overlaps with your domain ${domainName}. If you did not expect this, contact an administrator.`,
  }),
  'domain.deleted': entry({
    level: 'warning',
    audience: 'users',
    mail: false,
    metadata: About,
    title: ({ domainName }) => `${domainName} was removed here`,
    content: ({ domainName }) => `The domain ${domainName} is no longer managed here.`,
  }),
  'domain.transferred': entry({
    level: 'warning',
    audience: 'users',
    mail: true,
    metadata: Type.Object({
      ...domainFields,
      username: Type.String({ description: 'Who owns it now', examples: ['ada'] }),
      previousUsername: Type.String({ description: 'Who had it', examples: ['bob'] }),
    }),
    title: ({ domainName, username }) => `${domainName} now belongs to ${username}`,
    content: ({ domainName, username, previousUsername }) =>
      `The domain ${domainName} was given to ${username}; ${previousUsername} had it before.`,
  }),
  'domain.transfer_offered': entry({
    level: 'info',
    audience: 'users',
    mail: true,
    metadata: Offer,
    title: ({ domainName, username }) => `${domainName} was offered to ${username}`,
    content: ({ domainName, username, previousUsername }) =>
      `${previousUsername} offers the domain ${domainName} to ${username}, who owns it once they accept.`,
  }),
  'domain.transfer_declined': entry({
    level: 'info',
    audience: 'users',
    mail: true,
    metadata: Offer,
    title: ({ domainName, username }) => `${username} declined ${domainName}`,
    content: ({ domainName, username, previousUsername }) =>
      `${username} declined the transfer of ${domainName}; it still belongs to ${previousUsername}.`,
  }),
  'domain.transfer_withdrawn': entry({
    level: 'info',
    audience: 'users',
    mail: true,
    metadata: Offer,
    title: ({ domainName }) => `The transfer of ${domainName} was withdrawn`,
    content: ({ domainName, username }) => `The domain ${domainName} is no longer offered to ${username}.`,
  }),
  'domain.transfer_expired': entry({
    level: 'info',
    audience: 'users',
    mail: true,
    metadata: Offer,
    title: ({ domainName }) => `The transfer of ${domainName} expired`,
    content: ({ domainName, username }) =>
      `${username} did not accept the transfer of ${domainName} in time.`,
  }),
  'domain.switched': entry({
    level: 'warning',
    audience: 'domain',
    mail: true,
    metadata: Type.Object({
      ...domainFields,
      provider: Type.String({ description: 'Where it is served from now', examples: ['deSEC'] }),
      previousProvider: Type.String({ description: 'Where it was', examples: ['PowerDNS'] }),
    }),
    title: ({ domainName, provider }) => `${domainName} is now at ${provider}`,
    content: ({ domainName, provider, previousProvider }) =>
      `The domain ${domainName} was moved from ${previousProvider} to ${provider}: its records are changed there from now on.`,
  }),
  'domain.expiring': entry({
    level: 'warning',
    audience: 'domain',
    mail: true,
    metadata: Expiry,
    title: ({ domainName, daysLeft }) =>
      daysLeft === 0 ? `${domainName} expires today` : `${domainName} expires in ${days(daysLeft)}`,
    content: ({ domainName, expiresAt }) =>
      `The registration of ${domainName} ends at ${expiresAt}. Renew it at its registrar in time.`,
  }),
  'domain.expired': entry({
    level: 'error',
    audience: 'domain',
    mail: true,
    metadata: Expiry,
    title: ({ domainName }) => `${domainName} has expired`,
    content: ({ domainName, expiresAt }) =>
      `The registration of ${domainName} ended at ${expiresAt}. Renew it at its registrar before somebody else takes it.`,
  }),
  'domain.sync_failed': entry({
    level: 'error',
    audience: 'domain',
    mail: true,
    metadata: Type.Object({
      ...domainFields,
      error: Type.String({ examples: ['PowerDNS does not answer'] }),
      ...ToldErrorReason,
    }),
    partly: (metadata) => ({ ...metadata, error: HIDDEN_REASON, errorCode: HIDDEN_CODE, errorParams: null }),
    title: ({ domainName }) => `Synchronising ${domainName} failed`,
    content: ({ domainName, error }) => `The records of ${domainName} could not be read: ${error}`,
  }),
  'domain.drift': entry({
    level: 'warning',
    audience: 'counts',
    mail: true,
    metadata: Type.Object({
      ...domainFields,
      created: Type.Integer({ examples: [1] }),
      updated: Type.Integer({ examples: [0] }),
      deleted: Type.Integer({ examples: [2] }),
      applied: Type.Boolean({ description: 'The records here were made the same', examples: [true] }),
    }),
    title: ({ domainName }) => `${domainName} was changed at its provider`,
    content: ({ domainName, created, updated, deleted, applied }) =>
      `Records of ${domainName} were changed outside: ${created} new, ${updated} changed, ${deleted} gone. ` +
      (applied
        ? 'The records here are now the same.'
        : 'Nothing was changed here: look at it and synchronise.'),
  }),
}
