import { Type } from '@sinclair/typebox'
import { named } from '../named.ts'
import { Uuid } from '../scalars.ts'
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

/** Events about applied changes. */
export const CHANGE_EVENTS = {
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
