import { Type, type Static } from '@sinclair/typebox'
import { named } from '../../schemas/named.ts'
import { PageEnvelope } from '../../schemas/paging.ts'
import { ReasonCode, ReasonParams } from '../../schemas/problem.ts'
import { RecordType } from '../../schemas/records/record-type.ts'
import { ref } from '../../schemas/ref.ts'
import { Nullable, OneOf, Timestamp, Uuid } from '../../schemas/scalars.ts'
import { AlternativeName, check, Name, Port, Revision, settings, Values } from './schemas.ts'

const Person = Type.Object(
  {
    id: Nullable({ ...Uuid, description: 'Null if the account no longer exists' }),
    name: Type.String({ description: 'Username at that time', examples: ['ada'] }),
  },
  named('FailoverPerson'),
)

const HEALTHS = ['up', 'answering', 'down', 'undecided'] as const
const STATES = [
  'preferred',
  'failed_over',
  'down',
  'undecided',
  'maintenance',
  'paused',
  'unapproved',
] as const

const Caution = Type.Object(
  {
    code: Type.Unsafe<string>({ ...ReasonCode, examples: ['failover_ttl'] }),
    message: Type.String({
      examples: ['Resolvers keep the old values for up to 3600 s (TTL), which is longer than the interval'],
    }),
    params: Type.Unsafe<Record<string, unknown>>({ ...ReasonParams, examples: [{ ttl: 3600 }] }),
  },
  named('FailoverWarning'),
)

const Checked = Type.Object(
  {
    at: Timestamp,
    ok: Type.Boolean({ examples: [true] }),
    latencyMs: Nullable(Type.Integer({ description: 'Null if it failed', examples: [42] })),
  },
  named('FailoverCheckResult'),
)

const Alternative = Type.Object(
  {
    name: AlternativeName,
    values: Values,
    targets: {
      ...Type.Array(Type.String()),
      description: 'What is checked; all of them must pass',
      examples: [['192.0.2.1']],
    },
    isActive: Type.Boolean({ description: 'It is served', examples: [true] }),
    health: OneOf(HEALTHS, {
      ...named('FailoverHealth'),
      description:
        'What more than half of the living instances say. `answering`: it works, but not for `successes` checks yet',
      examples: ['up'],
    }),
    instancesUp: Type.Integer({ description: 'Instances that say `up` or `answering`', examples: [2] }),
    instancesDown: Type.Integer({ examples: [0] }),
    latencyMs: Nullable(
      Type.Integer({ description: 'Of the last successful check, the slowest target', examples: [42] }),
    ),
    reason: Nullable(
      Type.String({
        description:
          'Why its last check failed: `timeout`, `unreachable`, `status`, `text`, `certificate`, `rcode`, `answer`, `blocked`. New codes may be added',
        examples: [null],
      }),
    ),
    detail: Nullable(Type.String({ description: 'The same for people', examples: [null] })),
    certificateExpiresAt: Nullable({ ...Timestamp, examples: [null] }),
    history: Type.Array(Checked, {
      description: 'The latest checks of one instance, oldest first: up to 60, in lists up to 20',
      examples: [[{ at: '2026-11-21T12:00:00.000Z', ok: true, latencyMs: 42 }]],
    }),
  },
  named('FailoverAlternative'),
)

const ShownCheck = Type.Object(
  {
    kind: check.kind,
    port: Port,
    timeoutSeconds: check.timeoutSeconds,
    tls: check.tls,
    host: Nullable(check.host),
    path: Nullable(check.path),
    status: check.status,
    contains: Nullable(check.contains),
    verifyCertificate: check.verifyCertificate,
    certificateDays: Nullable(check.certificateDays),
    query: Nullable(check.query),
    queryType: Nullable(Type.String({ description: '`dns`: the record type', examples: [null] })),
  },
  named('FailoverCheck'),
)

export const FailoverMonitor = Type.Object(
  {
    id: Uuid,
    domainId: Uuid,
    domainName: Type.String({ examples: ['example.com'] }),
    name: Name,
    recordType: RecordType,
    state: OneOf(STATES, {
      ...named('FailoverState'),
      description:
        '`preferred`: the first alternative is served and works. `down`: the served one does not work, and nothing was switched. `unapproved`: a second person must approve its alternatives first',
      examples: ['preferred'],
    }),
    active: { ...AlternativeName, description: 'The alternative that is served' },
    isSwitching: Type.Boolean({
      description: 'A switch is under way: its outcome at the DNS provider is not known yet',
      examples: [false],
    }),
    switchedAt: { ...Nullable(Timestamp), description: 'The last switch', examples: [null] },
    switchedBy: Nullable(
      OneOf(['failure', 'recovery', 'hand'], { ...named('FailoverCause'), examples: ['failure'] }),
    ),
    changeId: Nullable({ ...Uuid, description: 'The change of the last switch', examples: [null] }),
    paused: Nullable(
      OneOf(['hand', 'records_changed', 'author', 'partial'], {
        ...named('FailoverPause'),
        description:
          'Why it does not switch automatically: `hand`: by a user, `records_changed`: somebody else changed the records, `author`: its author may no longer change them, `partial`: a switch was applied only in part. Null: it does',
        examples: ['hand'],
      }),
    ),
    pausedAt: { ...Nullable(Timestamp), examples: [null] },
    problem: Nullable(
      Type.String({
        description:
          'Why it could not switch: `no_alternative`, `not_applied`, `partial`. New codes may be added',
        examples: [null],
      }),
    ),
    isMaintenance: Type.Boolean({ description: 'A maintenance window is open', examples: [false] }),
    revision: Revision,
    awaitsApproval: Type.Boolean({ examples: [false] }),
    canApprove: Type.Boolean({ description: 'Whether the caller may approve it', examples: [false] }),
    canWrite: Type.Boolean({ description: 'Whether the caller may change it and switch', examples: [true] }),
    author: {
      ...Person,
      description: 'Who set up its alternatives: switches are made with their permissions',
    },
    approver: { ...Type.Union([Person, Type.Null()]), examples: [null] },
    alternatives: Type.Array(Alternative),
    check: ShownCheck,
    ...settings,
    instances: Type.Integer({ description: 'Living instances that check', examples: [2] }),
    checkedAt: { ...Nullable(Timestamp), description: 'The last check of any instance' },
    nextCheckAt: { ...Nullable(Timestamp), description: 'The next check of that instance' },
    ttl: Nullable(
      Type.Integer({ description: 'Of the RRset; null if the provider chooses', examples: [60] }),
    ),
    warnings: Type.Array(Caution, {
      examples: [
        [
          {
            code: 'failover_ttl',
            message:
              'Resolvers keep the old values for up to 3600 s (TTL), which is longer than the interval',
            params: { ttl: 3600 },
          },
        ],
      ],
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'FailoverMonitor' },
)
export type FailoverMonitor = Static<typeof FailoverMonitor>

export const MonitorPage = Type.Object(
  { monitors: Type.Array(ref(FailoverMonitor)), ...PageEnvelope },
  named('FailoverMonitorPage'),
)
