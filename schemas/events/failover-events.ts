import { Type, type Static } from '@sinclair/typebox'
import { domainFields, entry } from './event-entry.ts'
import { ToldRecord } from './record-events.ts'
import { named } from '../named.ts'
import { Nullable, Uuid } from '../scalars.ts'

const fields = {
  ...domainFields,
  monitorId: Uuid,
  records: Type.Array(ToldRecord, { description: 'The RRset; `id` is that of the monitor' }),
}

const Switched = Type.Object(
  {
    ...fields,
    changeId: Uuid,
    from: Type.String({ description: 'Name of the alternative before', examples: ['primary'] }),
    to: Type.String({ description: 'Name of the alternative that is served now', examples: ['backup'] }),
    username: Nullable(
      Type.String({ description: 'Who switched by hand; null: the checks decided', examples: [null] }),
    ),
    detail: Nullable(Type.String({ description: 'What failed', examples: ['192.0.2.1:443 answered 503'] })),
  },
  named('FailoverSwitchMetadata'),
)

const Trouble = Type.Object(
  {
    ...fields,
    reason: Type.String({
      description: 'Stable code for programs. New codes may be added',
      examples: ['no_alternative'],
    }),
    detail: Nullable(Type.String({ description: 'What failed', examples: ['192.0.2.1:443 answered 503'] })),
  },
  named('FailoverTroubleMetadata'),
)

const hostOf = ({ records, domainName }: Static<typeof Trouble> | Static<typeof Switched>) => {
  const [first] = records
  if (!first) return domainName
  return first.name === '@'
    ? `${first.recordType} of ${domainName}`
    : `${first.recordType} of ${first.name}.${domainName}`
}

const moved = ({ from, to, username, detail }: Static<typeof Switched>) =>
  `${from} → ${to}${username === null ? '' : `, by ${username}`}.` + (detail === null ? '' : ` ${detail}.`)

const REASONS: Record<string, string> = {
  no_alternative: 'The served alternative is down, and none of the others works.',
  not_applied: 'The DNS provider did not accept the change. It is tried again.',
  partial:
    'The change was applied only in part. Nothing more is switched until somebody resumes the monitor.',
  records_changed: 'Somebody else changed the records, so they are left alone.',
  author: 'Who set it up may no longer change these records.',
}

const why = ({ reason, detail }: Static<typeof Trouble>) =>
  (REASONS[reason] ?? reason) + (detail === null ? '' : ` ${detail}.`)

const told = { audience: 'records', mail: true } as const

/** Events of failover monitors. */
export const FAILOVER_EVENTS = {
  'failover.switched': entry({
    ...told,
    level: 'warning',
    metadata: Switched,
    title: (metadata) => `Failover: ${hostOf(metadata)} is served by ${metadata.to}`,
    content: moved,
  }),
  'failover.back': entry({
    ...told,
    level: 'success',
    metadata: Switched,
    title: (metadata) => `Failover: ${hostOf(metadata)} is back at ${metadata.to}`,
    content: moved,
  }),
  'failover.failed': entry({
    ...told,
    level: 'error',
    metadata: Trouble,
    title: (metadata) => `No failover for ${hostOf(metadata)}`,
    content: why,
  }),
  'failover.paused': entry({
    ...told,
    level: 'warning',
    metadata: Trouble,
    title: (metadata) => `Failover paused: ${hostOf(metadata)}`,
    content: why,
  }),
}
