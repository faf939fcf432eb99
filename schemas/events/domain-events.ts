import { Type, type Static } from '@sinclair/typebox'
import { domainFields, entry, HIDDEN_CODE, HIDDEN_REASON, UnicodeName } from './event-entry.ts'
import { named } from '../named.ts'
import { ToldErrorReason } from '../problem.ts'
import { DriftReason } from '../records/drift.ts'
import { Nullable, OneOf, Timestamp, Uuid } from '../scalars.ts'

const About = Type.Object(domainFields, named('DomainMetadata'))

const Expiry = Type.Object(
  {
    ...domainFields,
    expiresAt: Timestamp,
    daysLeft: Type.Integer({ description: 'Whole days; 0 on the last day', examples: [7] }),
    leadDays: Nullable(Type.Integer({ description: 'Lead time of this reminder', examples: [7] })),
  },
  named('ExpiryMetadata'),
)

const Offer = Type.Object(
  {
    ...domainFields,
    username: Type.String({
      description: 'Receiver, who becomes the owner on acceptance',
      examples: ['ada'],
    }),
    previousUsername: Type.String({ description: 'Current owner', examples: ['bob'] }),
  },
  named('TransferMetadata'),
)

const Finding = Type.Object(
  {
    name: Type.String({ description: 'Relative to the domain', examples: ['@'] }),
    unicodeName: UnicodeName,
    type: Nullable(Type.String({ description: 'Null if it is not about records', examples: ['MX'] })),
    code: Type.String({ description: 'Code of `getDomainHealth`', examples: ['mail.mx_without_address'] }),
    severity: OneOf(['error', 'warning', 'info'], named('HealthSeverity')),
    state: OneOf(['new', 'gone'], named('FindingState')),
  },
  named('ChangedFinding'),
)

const count = (findings: readonly Static<typeof Finding>[], state: 'new' | 'gone') =>
  findings.filter((finding) => finding.state === state).length

const changedThere = ({
  domainName,
  created,
  updated,
  deleted,
}: {
  domainName: string
  created: number
  updated: number
  deleted: number
}) =>
  `Records of ${domainName} were changed at the provider: ${created} added, ${updated} changed, ${deleted} deleted.`

const REVIEW = 'The local records were not changed. Review the differences and sync.'

/** What is reported about differences that were left, by the reason. */
const LEFT: Partial<Record<DriftReason, string>> & { alert: string } = {
  alert: REVIEW,
  many_changes: `They are too many to be put back automatically. ${REVIEW}`,
  comes_back: `They were put back three times and are there again, so they are left. ${REVIEW}`,
  not_taken: `They could not be put back. ${REVIEW}`,
}

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)

export const DOMAIN_EVENTS = {
  'domain.created': entry({
    level: 'success',
    audience: 'domain',
    mail: false,
    metadata: About,
    title: ({ domainName }) => `${domainName} was added`,
    content: ({ domainName }) => `The domain ${domainName} is now managed by Zonekeeper.`,
  }),
  'domain.overlapped': entry({
    level: 'warning',
    audience: 'users',
    mail: true,
    metadata: Type.Object({
      ...domainFields,
      registeredName: Type.String({
        description: 'The new domain: the same name, a parent or a subdomain',
        examples: ['app.example.com'],
      }),
      username: Type.String({ description: 'User who registered it', examples: ['ada'] }),
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
    title: ({ domainName }) => `${domainName} was removed`,
    content: ({ domainName }) => `The domain ${domainName} is no longer managed by Zonekeeper.`,
  }),
  'domain.transferred': entry({
    level: 'warning',
    audience: 'users',
    mail: true,
    metadata: Type.Object({
      ...domainFields,
      username: Type.String({ description: 'New owner', examples: ['ada'] }),
      previousUsername: Type.String({ description: 'Previous owner', examples: ['bob'] }),
    }),
    title: ({ domainName, username }) => `${domainName} now belongs to ${username}`,
    content: ({ domainName, username, previousUsername }) =>
      `The domain ${domainName} was transferred from ${previousUsername} to ${username}.`,
  }),
  'domain.transfer_offered': entry({
    level: 'info',
    audience: 'users',
    mail: true,
    metadata: Offer,
    title: ({ domainName, username }) => `${domainName} was offered to ${username}`,
    content: ({ domainName, username, previousUsername }) =>
      `${previousUsername} offers the domain ${domainName} to ${username}. The transfer takes effect when ${username} accepts it.`,
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
      provider: Type.String({ description: 'New provider', examples: ['deSEC'] }),
      previousProvider: Type.String({ description: 'Previous provider', examples: ['PowerDNS'] }),
    }),
    title: ({ domainName, provider }) => `${domainName} moved to ${provider}`,
    content: ({ domainName, provider, previousProvider }) =>
      `The domain ${domainName} was moved from ${previousProvider} to ${provider}. Changes to its records now go there.`,
  }),
  'domain.expiring': entry({
    level: 'warning',
    audience: 'domain',
    mail: true,
    metadata: Expiry,
    title: ({ domainName, daysLeft }) =>
      daysLeft === 0 ? `${domainName} expires today` : `${domainName} expires in ${days(daysLeft)}`,
    content: ({ domainName, expiresAt }) =>
      `The registration of ${domainName} expires at ${expiresAt}. Renew it with your registrar.`,
  }),
  'domain.expired': entry({
    level: 'error',
    audience: 'domain',
    mail: true,
    metadata: Expiry,
    title: ({ domainName }) => `${domainName} has expired`,
    content: ({ domainName, expiresAt }) =>
      `The registration of ${domainName} expired at ${expiresAt}. Renew it with your registrar before someone else registers the name.`,
  }),
  'domain.sync_failed': entry({
    level: 'error',
    audience: 'domain',
    mail: true,
    metadata: Type.Object({
      ...domainFields,
      error: Type.String({ examples: ['PowerDNS does not respond'] }),
      ...ToldErrorReason,
    }),
    partly: (metadata) => ({ ...metadata, error: HIDDEN_REASON, errorCode: HIDDEN_CODE, errorParams: null }),
    title: ({ domainName }) => `Sync of ${domainName} failed`,
    content: ({ domainName, error }) =>
      `The records of ${domainName} could not be read from the provider: ${error}`,
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
      applied: Type.Boolean({ description: 'Local records were updated to match', examples: [true] }),
      reason: { ...Nullable(DriftReason), description: 'Why they were not put back', examples: [null] },
    }),
    title: ({ domainName }) => `${domainName} was changed at its provider`,
    content: ({ applied, reason, ...found }) =>
      `${changedThere(found)} ${applied ? 'The local records now match.' : (LEFT[reason ?? 'alert'] ?? LEFT.alert)}`,
  }),
  'domain.drift_enforced': entry({
    level: 'warning',
    audience: 'counts',
    mail: true,
    metadata: Type.Object({
      ...domainFields,
      created: Type.Integer({ description: 'Records added at the provider', examples: [1] }),
      updated: Type.Integer({ examples: [0] }),
      deleted: Type.Integer({ examples: [2] }),
      changeId: { ...Uuid, description: 'The change that puts them back' },
    }),
    title: ({ domainName }) => `Changes of ${domainName} at its provider are put back`,
    content: (found) => `${changedThere(found)} The local records are written to the provider again.`,
  }),
  'domain.health_changed': entry({
    level: 'warning',
    audience: 'records',
    mail: true,
    metadata: Type.Object(
      {
        ...domainFields,
        records: Type.Array(Finding, { description: 'New and gone findings that the recipient may see' }),
        more: Type.Integer({ description: 'Further findings, not listed', examples: [0] }),
      },
      named('HealthChangeMetadata'),
    ),
    title: ({ domainName, records }) => {
      const added = count(records, 'new')
      return added > 0 ? `New problems of ${domainName}: ${added}` : `Problems of ${domainName} are resolved`
    },
    content: ({ domainName, records }) => {
      const told = records.slice(0, 10).map(({ code, name, state }) => `${code} at ${name} (${state})`)
      const rest = records.length > told.length ? ', …' : ''
      return `The health check of ${domainName} found changes: ${told.join(', ')}${rest}.`
    },
  }),
}
