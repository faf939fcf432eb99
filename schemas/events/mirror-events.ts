import { Type } from '@sinclair/typebox'
import { ToldErrorReason } from '../problem.ts'
import { Nullable, Timestamp, Uuid } from '../scalars.ts'
import { domainFields, entry, HIDDEN_CODE, HIDDEN_REASON } from './event-entry.ts'

const mirrorFields = {
  ...domainFields,
  mirrorId: Uuid,
  provider: Type.String({ description: 'Provider of the mirror', examples: ['deSEC'] }),
}

/** Events about zones at other providers that follow a domain. */
export const MIRROR_EVENTS = {
  'domain.mirror_failed': entry({
    level: 'error',
    audience: 'domain',
    mail: true,
    metadata: Type.Object({
      ...mirrorFields,
      error: Type.String({ examples: ['deSEC refused the credentials'] }),
      ...ToldErrorReason,
    }),
    partly: (metadata) => ({ ...metadata, error: HIDDEN_REASON, errorCode: HIDDEN_CODE, errorParams: null }),
    title: ({ domainName, provider }) => `The mirror of ${domainName} at ${provider} failed`,
    content: ({ domainName, provider, error }) =>
      `Changes of ${domainName} no longer reach ${provider}: ${error}`,
  }),
  'domain.mirror_behind': entry({
    level: 'warning',
    audience: 'domain',
    mail: true,
    metadata: Type.Object({
      ...mirrorFields,
      changes: Type.Integer({ description: 'Changes that wait', examples: [3] }),
      since: Timestamp,
      error: Nullable(
        Type.String({ description: 'Of the last attempt', examples: ['deSEC does not respond'] }),
      ),
    }),
    partly: (metadata) => ({ ...metadata, error: metadata.error === null ? null : HIDDEN_REASON }),
    title: ({ domainName, provider }) => `The mirror of ${domainName} at ${provider} is behind`,
    content: ({ domainName, provider, changes, since, error }) =>
      `Changes of ${domainName} that wait for ${provider}: ${changes}, the first since ${since}.` +
      (error === null ? '' : ` The last attempt failed: ${error}`),
  }),
  'domain.mirror_differs': entry({
    level: 'warning',
    audience: 'domain',
    mail: true,
    metadata: Type.Object({
      ...mirrorFields,
      differences: Type.Integer({ description: 'Records that are missing or differ', examples: [1] }),
    }),
    title: ({ domainName, provider }) => `The mirror of ${domainName} at ${provider} differs`,
    content: ({ domainName, provider, differences }) =>
      `Records of ${domainName} that are missing or differ at ${provider}: ${differences}. Compare and sync the mirror.`,
  }),
  'domain.mirror_in_step': entry({
    level: 'success',
    audience: 'domain',
    mail: true,
    metadata: Type.Object(mirrorFields),
    title: ({ domainName, provider }) => `The mirror of ${domainName} at ${provider} is in step again`,
    content: ({ domainName, provider }) => `${provider} has every change of ${domainName} again.`,
  }),
}
