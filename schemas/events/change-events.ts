import { Type, type Static } from '@sinclair/typebox'
import { named } from '../named.ts'
import { Timestamp, Uuid } from '../scalars.ts'
import { domainFields, entry } from './event-entry.ts'

const Unverified = Type.Object(
  {
    ...domainFields,
    changeId: Uuid,
    agreeing: Type.Integer({ description: 'Name servers that serve the change', examples: [1] }),
    servers: Type.Integer({ description: 'Name servers that were compared', examples: [3] }),
    others: Type.Array(Type.String(), {
      description: 'Name servers that do not; empty for users with access to part of the domain',
      examples: [['ns2.example.net']],
    }),
  },
  named('UnverifiedChangeMetadata'),
)

const author = Type.String({ description: 'Who made or scheduled the change', examples: ['ada'] })

const scheduledFields = {
  ...domainFields,
  changeId: Uuid,
  author,
  applyAt: { ...Timestamp, description: 'When it was to be applied' },
  created: Type.Integer({ examples: [0] }),
  updated: Type.Integer({ examples: [1] }),
  deleted: Type.Integer({ examples: [0] }),
}
const Scheduled = Type.Object(scheduledFields, named('ScheduledChangeMetadata'))
const FailedChange = Type.Object(
  {
    ...scheduledFields,
    reason: Type.String({
      description:
        'Why it was not applied; empty if the DNS provider refused it, and for users with access to part of the domain',
      examples: ['www A 192.0.2.1 has changed since'],
    }),
  },
  named('FailedChangeMetadata'),
)

const confirmFields = {
  ...domainFields,
  changeId: Uuid,
  author,
  confirmBy: { ...Timestamp, description: 'When the change is reverted unless it is confirmed' },
}
const Unconfirmed = Type.Object(confirmFields, named('UnconfirmedChangeMetadata'))
const Reverted = Type.Object(
  {
    ...confirmFields,
    revertId: { ...Type.Union([Uuid, Type.Null()]), description: 'The change that reverts it' },
    left: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['www'] }),
        recordType: Type.String({ examples: ['A'] }),
      }),
      {
        description:
          'The first 20 records that were not reverted; empty for users with access to part of the domain',
        examples: [[]],
      },
    ),
  },
  named('RevertedChangeMetadata'),
)
type Reverted = Static<typeof Reverted>

const amount = ({ created, updated, deleted }: Static<typeof Scheduled>) =>
  `${created} created, ${updated} changed, ${deleted} deleted`

const minute = (time: string) => `${time.slice(0, 16).replace('T', ' ')} UTC`

const listOf = (left: Reverted['left']) =>
  left.map(({ name, recordType }) => `${name} ${recordType}`).join(', ')

/** Events about applied changes, and those that wait. */
export const CHANGE_EVENTS = {
  'change.applied': entry({
    level: 'success',
    audience: 'domain',
    mail: true,
    metadata: Scheduled,
    title: ({ domainName }) => `Scheduled change applied: ${domainName}`,
    content: (metadata) => `The change by ${metadata.author} was applied: ${amount(metadata)}.`,
  }),
  'change.failed': entry({
    level: 'error',
    audience: 'domain',
    mail: true,
    metadata: FailedChange,
    partly: (metadata) => ({ ...metadata, reason: '' }),
    title: ({ domainName }) => `Scheduled change failed: ${domainName}`,
    content: ({ author, reason }) =>
      reason === ''
        ? `The change by ${author} was not applied, or only in part. See the history for the reason.`
        : `The change by ${author} was not applied: ${reason}`,
  }),
  'change.unconfirmed': entry({
    level: 'warning',
    audience: 'domain',
    mail: true,
    metadata: Unconfirmed,
    title: ({ domainName }) => `Confirm the change: ${domainName}`,
    content: ({ author, confirmBy }) =>
      `The change by ${author} is reverted at ${minute(confirmBy)} unless it is confirmed.`,
  }),
  'change.reverted': entry({
    level: 'warning',
    audience: 'domain',
    mail: true,
    metadata: Reverted,
    partly: (metadata) => ({ ...metadata, left: [] }),
    title: ({ domainName }) => `Change reverted: ${domainName}`,
    content: ({ author, left }) =>
      `Nobody confirmed the change by ${author} in time, so it was reverted.` +
      (left.length === 0 ? '' : ` Left alone, because they have changed since: ${listOf(left)}.`),
  }),
  'change.not_reverted': entry({
    level: 'error',
    audience: 'domain',
    mail: true,
    metadata: Reverted,
    partly: (metadata) => ({ ...metadata, left: [] }),
    title: ({ domainName }) => `Change not reverted: ${domainName}`,
    content: ({ author, left }) =>
      `Nobody confirmed the change by ${author}, but it could not be reverted, or only in part.` +
      (left.length === 0 ? '' : ` Still in place, or changed since: ${listOf(left)}.`),
  }),
  'change.verification_failed': entry({
    level: 'warning',
    audience: 'domain',
    mail: true,
    metadata: Unverified,
    partly: (metadata) => ({ ...metadata, others: [] }),
    title: ({ domainName }) => `Change not on all name servers: ${domainName}`,
    content: ({ agreeing, servers, others }) =>
      `After ten minutes, ${agreeing} of ${servers} name servers serve the change.` +
      (others.length === 0 ? '' : ` Not yet: ${others.join(', ')}.`),
  }),
}
