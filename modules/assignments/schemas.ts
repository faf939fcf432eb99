import { Type } from '@sinclair/typebox'
import { NOT_BLANK, Nullable, Timestamp, Uuid } from '../../schemas/scalars.ts'
import { PageEnvelope, PageQuery } from '../../schemas/paging.ts'
import { MAX_TYPES, RecordType } from '../../schemas/records/record-type.ts'
import { ref } from '../../schemas/ref.ts'
import { named } from '../../schemas/named.ts'

const PERMISSIONS = ['read', 'write'] as const
const STATES = ['pending', 'approved', 'rejected', 'cancelled'] as const

const Permission = Type.Unsafe<(typeof PERMISSIONS)[number]>({
  ...named('AssignmentPermission'),
  type: 'string',
  enum: [...PERMISSIONS],
  description: '`write` includes `read`',
  examples: ['write'],
})
const Status = Type.Unsafe<(typeof STATES)[number]>({
  ...named('AssignmentRequestStatus'),
  type: 'string',
  enum: [...STATES],
  examples: ['pending'],
})
const Username = Type.String({ examples: ['ada'] })
const PATTERN =
  '`*` the whole domain with its apex, `@` the apex, `app` that name, `*.dev` every name below dev but not dev itself'
const RecordTypes = Nullable(
  Type.Array(RecordType, {
    minItems: 1,
    maxItems: MAX_TYPES,
    uniqueItems: true,
    description:
      'Record types that may be changed; null: all types. All types are visible. NS, DNAME, DS, CDS, CDNSKEY and CSYNC require permission on the name and everything below it (`app` and `*.app`); at the apex only the domain owner and administrators may change them',
    examples: [['A', 'AAAA']],
  }),
)
const ExpiresAt = Nullable(Type.Unsafe<string>({ ...Timestamp, description: 'End of the permission' }))
const SubdomainPattern = Nullable(
  Type.String({
    minLength: 1,
    maxLength: 253,
    description: `${PATTERN}; missing: the whole domain`,
    examples: ['*.dev'],
  }),
)
const Reason = Type.String({
  minLength: 1,
  maxLength: 1000,
  pattern: NOT_BLANK,
  examples: ['I run its mail'],
})

/** Fields shared by permissions and requests. */
const target = {
  userId: Uuid,
  username: Username,
  domainId: Uuid,
  domainName: Type.String({ examples: ['example.com'] }),
  subdomainPattern: Type.String({ description: PATTERN, examples: ['*.dev'] }),
  type: Type.Unsafe<'domain' | 'subdomain'>({
    ...named('AssignmentType'),
    type: 'string',
    enum: ['domain', 'subdomain'],
    examples: ['subdomain'],
  }),
  host: Type.String({
    description: 'The pattern as a full name',
    examples: ['*.dev.example.com'],
  }),
  permission: Permission,
}

export const Assignment = Type.Object(
  {
    id: Uuid,
    ...target,
    recordTypes: RecordTypes,
    expiresAt: Nullable(Timestamp),
    createdBy: Nullable(Uuid),
    createdByName: Nullable(Username),
    createdAt: Timestamp,
  },
  { $id: 'Assignment' },
)

export const AssignmentRequest = Type.Object(
  {
    id: Uuid,
    ...target,
    reason: Reason,
    status: Status,
    decidedBy: Nullable(Uuid),
    decidedByName: Nullable(Username),
    decidedAt: Nullable(Timestamp),
    decisionReason: Nullable(Type.String({ examples: ['Ask the owner of the zone'] })),
    assignmentId: Nullable(Type.Unsafe<string>({ ...Uuid, description: 'Outcome of the request' })),
    createdAt: Timestamp,
  },
  { $id: 'AssignmentRequest' },
)

export const ListQuery = Type.Object({
  ...PageQuery(20),
  userId: Type.Optional(Uuid),
  domainId: Type.Optional(Uuid),
})

export const AssignmentPage = Type.Object({
  assignments: Type.Array(ref(Assignment)),
  ...PageEnvelope,
})

export const CreateBody = Type.Object({
  userId: Type.Optional(
    Type.Unsafe<string>({ ...Uuid, description: 'The user to grant it to; this or `username`' }),
  ),
  username: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ['ada'] })),
  domainId: Uuid,
  subdomainPattern: Type.Optional(SubdomainPattern),
  permission: Permission,
  recordTypes: Type.Optional(RecordTypes),
  expiresAt: Type.Optional(ExpiresAt),
})

export const UpdateBody = Type.Partial(
  Type.Object({
    userId: Type.Unsafe<string>({ ...Uuid, description: "Can't be changed" }),
    domainId: Type.Unsafe<string>({ ...Uuid, description: "Can't be changed" }),
    subdomainPattern: Type.String({ maxLength: 253, description: "Can't be changed", examples: ['*.dev'] }),
    permission: Permission,
    recordTypes: RecordTypes,
    expiresAt: ExpiresAt,
  }),
)

export const RequestQuery = Type.Object({ ...PageQuery(20), status: Type.Optional(Status) })

export const RequestPage = Type.Object({
  requests: Type.Array(ref(AssignmentRequest)),
  ...PageEnvelope,
})

export const RequestBody = Type.Object({
  domain: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'Name or id of the domain',
    examples: ['example.com'],
  }),
  subdomainPattern: Type.Optional(SubdomainPattern),
  permission: Permission,
  reason: Reason,
})

const approval = Type.Partial(
  Type.Object({
    subdomainPattern: Type.String({
      minLength: 1,
      maxLength: 253,
      description: 'At most what was requested',
      examples: ['app.dev'],
    }),
    permission: Permission,
    recordTypes: RecordTypes,
    expiresAt: ExpiresAt,
  }),
)

/** Restricts what is granted; without a body the whole request is. */
export const ApproveBody = Type.Unsafe<typeof approval.static | null>({
  ...approval,
  type: ['object', 'null'],
})

export const RejectBody = Type.Object({ reason: Reason })
