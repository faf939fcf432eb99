import { Type, type Static } from '@sinclair/typebox'
import { DomainStatus } from '../../schemas/domain.ts'
import { ErrorReason } from '../../schemas/problem.ts'
import { Nullable, OneOf, Timestamp, Uuid } from '../../schemas/scalars.ts'

const Count = Type.Integer({ examples: [12] })

const Expiry = Type.Object({
  domainId: Uuid,
  domainName: Type.String({ examples: ['example.com'] }),
  unicodeName: Type.String({ description: 'The name in Unicode', examples: ['example.com'] }),
  expiresAt: Timestamp,
  daysLeft: Type.Integer({ description: 'Whole days', examples: [7] }),
  status: DomainStatus,
})

const RecentFailure = Type.Object({
  kind: OneOf(['sync', 'change', 'channel'], {
    description:
      'A failed sync, a change of records that failed or was partly applied, or a failed channel delivery',
  }),
  id: Type.String({ ...Uuid, description: 'Id of the domain, change or channel' }),
  domainId: Nullable(Uuid),
  name: Type.String({ description: 'Name of the domain or channel', examples: ['example.com'] }),
  error: Type.String({ examples: ['PowerDNS does not answer'] }),
  ...ErrorReason,
  at: Timestamp,
})
export type RecentFailure = Static<typeof RecentFailure>

const Unmanaged = Type.Object({
  domainId: Uuid,
  domainName: Type.String({ examples: ['example.com'] }),
  count: Type.Integer({ examples: [3] }),
})

/** Covers a year, whichever weekday it begins on. */
export const WEEKS = 53

export const ExpiriesAnswer = Type.Object({
  weeks: Type.Array(
    Type.Object({
      week: Type.Unsafe<string>({ ...Timestamp, description: 'Monday of the week, 00:00 UTC' }),
      active: Count,
      expiring: Count,
      expired: Count,
    }),
    { description: `${WEEKS} weeks, beginning with the current one` },
  ),
  overdue: Type.Integer({
    description: 'Domains that expired before the first of these weeks',
    examples: [0],
  }),
  leadDays: Type.Integer({
    description:
      'Longest reminder lead time of these domains, in days; a domain that expires within its lead time is `expiring`',
    examples: [30],
  }),
})
export type Expiries = Static<typeof ExpiriesAnswer>

export const DashboardAnswer = Type.Object({
  domains: Type.Object({ total: Count, active: Count, expiring: Count, expired: Count }),
  nextExpiries: Type.Array(Expiry, { description: 'At most 10, the earliest first' }),
  unmanaged: Type.Object(
    {
      total: Type.Integer({ description: 'In all domains', examples: [3] }),
      domains: Type.Array(Unmanaged, { description: 'At most 10, those with the most records first' }),
    },
    { description: 'Records of unmanaged types; see listUnmanagedRecords' },
  ),
  lastFailures: Type.Array(RecentFailure, { description: 'At most 10 from the last 30 days, newest first' }),
})
export type Dashboard = Static<typeof DashboardAnswer>
