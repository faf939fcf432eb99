import { Type, type Static } from '@sinclair/typebox'
import { entry, UnicodeName } from './event-entry.ts'
import { named } from '../named.ts'
import { OperationKind, OperationOutcome } from '../operation.ts'
import { Nullable, Uuid } from '../scalars.ts'

const Finished = Type.Object(
  {
    domainId: Nullable(Uuid),
    domainName: Nullable(Type.String({ examples: ['example.com'] })),
    unicodeName: UnicodeName,
    operationId: Uuid,
    kind: OperationKind,
    outcome: OperationOutcome,
    done: Type.Integer({ examples: [20_000] }),
    total: Type.Integer({ examples: [20_000] }),
  },
  named('OperationMetadata'),
)
type Finished = Static<typeof Finished>

const NAMES: Record<OperationKind, string> = {
  import: 'import',
  revert: 'revert',
  restore: 'restore',
  retry: 'retry',
  copy: 'copy',
  replace: 'replacement',
  template: 'template',
}

const whichOf = ({ kind, domainName }: Finished) =>
  `The ${NAMES[kind]} ${domainName === null ? 'on several domains' : `of ${domainName}`}`

export const OPERATION_EVENTS = {
  'operation.finished': entry({
    level: 'success',
    audience: 'users',
    mail: false,
    metadata: Finished,
    title: (metadata) => `${whichOf(metadata)} finished`,
    content: ({ done }) => `${done} record changes were applied.`,
  }),
  'operation.failed': entry({
    level: 'error',
    audience: 'users',
    mail: true,
    metadata: Finished,
    title: (metadata) =>
      `${whichOf(metadata)} ${metadata.outcome === 'partly' ? 'failed in part' : 'failed'}`,
    content: ({ done, total }) =>
      `${done} of ${total} record changes were applied. See the operation for the reason.`,
  }),
}
