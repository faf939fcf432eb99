import { Type, type Static } from '@sinclair/typebox'
import { DomainStatus } from '../../schemas/domain.ts'
import { ErrorReason } from '../../schemas/problem.ts'
import { Nullable, Timestamp, Uuid } from '../../schemas/scalars.ts'

const Count = Type.Integer({ examples: [12] })

const Expiry = Type.Object({
  domainId: Uuid,
  domainName: Type.String({ examples: ['example.com'] }),
  unicodeName: Type.String({ description: 'As people read it', examples: ['example.com'] }),
  expiresAt: Timestamp,
  daysLeft: Type.Integer({ description: 'Whole days', examples: [7] }),
  status: DomainStatus,
})

const Failure = Type.Object({
  kind: Type.Unsafe<'sync' | 'change' | 'channel'>({
    type: 'string',
    enum: ['sync', 'change', 'channel'],
    description:
      'A sync with the provider, a change of records that was not done or only in part, or a message by a channel',
    examples: ['sync'],
  }),
  id: Type.String({ ...Uuid, description: 'Of the domain, the change or the channel configuration' }),
  domainId: Nullable(Uuid),
  name: Type.String({ description: 'Of the domain or the channel', examples: ['example.com'] }),
  error: Type.String({ examples: ['PowerDNS does not answer'] }),
  ...ErrorReason,
  at: Timestamp,
})
export type Failure = Static<typeof Failure>

const Unmanaged = Type.Object({
  domainId: Uuid,
  domainName: Type.String({ examples: ['example.com'] }),
  count: Type.Integer({ examples: [3] }),
})

/** A year, also when it begins on a Sunday. */
export const WEEKS = 53

export const ExpiriesAnswer = Type.Object({
  weeks: Type.Array(
    Type.Object({
      week: Type.Unsafe<string>({ ...Timestamp, description: 'Its Monday, 00:00 UTC' }),
      active: Count,
      expiring: Count,
      expired: Count,
    }),
    { description: `${WEEKS} of them, this one first` },
  ),
  overdue: Type.Integer({
    description: 'Domains that expired before the first of these weeks',
    examples: [0],
  }),
  leadDays: Type.Integer({
    description:
      'The longest lead time of a reminder of these domains, in days: who expires within it expires soon',
    examples: [30],
  }),
})
export type Expiries = Static<typeof ExpiriesAnswer>

export const DashboardAnswer = Type.Object({
  domains: Type.Object({ total: Count, active: Count, expiring: Count, expired: Count }),
  nextExpiries: Type.Array(Expiry, { description: 'At most 10, the soonest first' }),
  unmanaged: Type.Object(
    {
      total: Type.Integer({ description: 'In all domains', examples: [3] }),
      domains: Type.Array(Unmanaged, { description: 'At most 10, those with the most first' }),
    },
    { description: 'Records of types that are not managed here: see listUnmanagedRecords' },
  ),
  lastFailures: Type.Array(Failure, { description: 'At most 10 of the last 30 days, the newest first' }),
})
export type Dashboard = Static<typeof DashboardAnswer>
