import { Type, type Static } from '@sinclair/typebox'
import { Uuid } from '../scalars.ts'
import { domainFields, entry } from './event-entry.ts'
import { named } from '../named.ts'

const Request = Type.Object(
  {
    ...domainFields,
    changeRequestId: Uuid,
    title: Type.String({ examples: ['Move www to the new host'] }),
    author: Type.String({ description: 'Who made the request', examples: ['ada'] }),
    created: Type.Integer({ examples: [0] }),
    updated: Type.Integer({ examples: [1] }),
    deleted: Type.Integer({ examples: [0] }),
  },
  named('ChangeRequestMetadata'),
)
type Request = Static<typeof Request>

const Bypass = Type.Object(
  {
    ...domainFields,
    changeId: Uuid,
    username: Type.String({ examples: ['ada'] }),
    reason: Type.String({ examples: ['The mail server is down'] }),
  },
  named('ReviewBypassMetadata'),
)

/** Counts what the request changes. */
const amount = ({ created, updated, deleted, domainName }: Request) => {
  const parts = [
    [created, 'created'],
    [updated, 'changed'],
    [deleted, 'deleted'],
  ] as const
  const told = parts.filter(([count]) => count > 0).map(([count, verb]) => `${count} ${verb}`)
  return `Records of ${domainName}: ${told.join(', ')}.`
}

const told = { audience: 'users', metadata: Request } as const

/** Events about change requests, for their authors and approvers. */
export const CHANGE_REQUEST_EVENTS = {
  'change_request.opened': entry({
    ...told,
    level: 'info',
    mail: true,
    title: ({ title }) => `Review requested: ${title}`,
    content: (metadata) => `${metadata.author} asks for approval. ${amount(metadata)}`,
  }),
  'change_request.approved': entry({
    ...told,
    level: 'info',
    mail: false,
    title: ({ title }) => `Approved: ${title}`,
    content: amount,
  }),
  'change_request.rejected': entry({
    ...told,
    level: 'warning',
    mail: true,
    title: ({ title }) => `Rejected: ${title}`,
    content: (metadata) => `${amount(metadata)} Nothing was changed. See the request for the reason.`,
  }),
  'change_request.applied': entry({
    ...told,
    level: 'success',
    mail: true,
    title: ({ title }) => `Applied: ${title}`,
    content: amount,
  }),
  'change_request.failed': entry({
    ...told,
    level: 'error',
    mail: true,
    title: ({ title }) => `Failed: ${title}`,
    content: (metadata) => `${amount(metadata)} Not all of it was applied. See the request for the reason.`,
  }),
  'change_request.outdated': entry({
    ...told,
    level: 'warning',
    mail: true,
    title: ({ title }) => `Outdated: ${title}`,
    content: ({ domainName }) =>
      `Records of ${domainName} have changed since the approval, so nothing was applied. Plan the request again.`,
  }),
  'change_request.bypassed': entry({
    level: 'warning',
    audience: 'domain',
    mail: true,
    metadata: Bypass,
    partly: (metadata) => ({ ...metadata, reason: '' }),
    title: ({ domainName }) => `Change without review in ${domainName}`,
    content: ({ username, reason }) =>
      `${username} bypassed the review in an emergency${reason === '' ? '.' : `: ${reason}`}`,
  }),
}
