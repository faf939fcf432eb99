import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Timestamp, Uuid } from './scalars.ts'
import { named } from './named.ts'
import { ErrorReason } from './problem.ts'

export const DomainStatus = Type.Unsafe<'active' | 'expiring' | 'expired'>({
  ...named('DomainStatus'),
  type: 'string',
  enum: ['active', 'expiring', 'expired'],
  description:
    'Follows from expiresAt: `expiring` within the largest reminder lead time (30 days without one), `active` without a date',
  examples: ['active'],
})
export type DomainStatus = Static<typeof DomainStatus>

export const ExpiryRemindDays = Type.Array(Type.Integer({ minimum: 0, maximum: 365, examples: [30] }), {
  maxItems: 10,
  uniqueItems: true,
  description: 'Reminder lead times in days',
  examples: [[30, 14, 7, 1]],
})

const listed = {
  id: Uuid,
  name: Type.String({ description: 'Lower case, in punycode', examples: ['example.com'] }),
  unicodeName: Type.String({ examples: ['example.com'] }),
  providerId: Uuid,
  providerConfigId: Uuid,
  expiresAt: Nullable(Timestamp),
  status: DomainStatus,
  groupName: Type.String({ examples: ['production'] }),
  tags: Type.Array(Type.String({ examples: ['web'] })),
  recordCount: Type.Integer({ description: 'Of a part of the domain: those that it covers', examples: [12] }),
  unmanaged: Type.Integer({
    description: 'Records of types that are not managed here, as the last sync saw them; of a part likewise',
    examples: [0],
  }),
  recordsVersion: Type.Integer({
    description:
      'Another number after each change of the records that the caller sees; it rises for callers who see all of them',
    examples: [7],
  }),
  createdAt: Timestamp,
  expiryRemindDays: ExpiryRemindDays,
  autoCheckExpiry: Type.Boolean({ examples: [false] }),
  lastSyncedAt: Nullable(Timestamp),
  lastSyncError: Nullable(
    Type.String({
      description:
        'What went wrong may name any record: who does not see all is told that it failed, not why',
      examples: ['PowerDNS does not answer'],
    }),
  ),
  lastSyncErrorCode: ErrorReason.errorCode,
  lastSyncErrorParams: ErrorReason.errorParams,
  access: Type.Unsafe<'owner' | 'admin' | 'write' | 'read'>({
    ...named('DomainAccess'),
    type: 'string',
    enum: ['owner', 'admin', 'write', 'read'],
    description: 'What the caller is to this domain',
    examples: ['owner'],
  }),
  owner: Type.Object({ id: Uuid, username: Type.String({ examples: ['ada'] }) }, named('DomainOwner')),
  providerKey: Type.String({ description: 'Of the catalogue', examples: ['powerdns'] }),
  providerConfigName: Nullable(
    Type.String({
      description: 'Null where the domain is not the caller’s to dispose of',
      examples: ['Own name servers'],
    }),
  ),
}

export const DomainListItem = Type.Object(listed, { $id: 'DomainListItem' })
export type DomainListItem = Static<typeof DomainListItem>

export const Domain = Type.Object(
  {
    ...listed,
    zoneId: Type.String({
      description: "The provider's own id of the zone, which may have several of one name",
      examples: ['example.com.'],
    }),
    ownerId: Uuid,
    notes: Type.String({
      description: 'Empty for those who have a part of the domain',
      examples: ['bought from the previous owner'],
    }),
    nameServers: Type.Array(Type.String({ examples: ['ns1.example.net'] })),
    registrar: Nullable(Type.String({ examples: ['Example Registrar Ltd'] })),
    eppStatus: Type.Array(Type.String({ examples: ['clientTransferProhibited'] }), {
      description: 'What the registry says of the registration, in the words of EPP',
    }),
    expirySource: Nullable(
      Type.Unsafe<'manual' | 'rdap' | 'whois'>({
        type: 'string',
        enum: ['manual', 'rdap', 'whois'],
        examples: ['manual'],
        ...named('ExpirySource'),
      }),
    ),
    expiryCheckedAt: Nullable(Timestamp),
    syncInterval: Nullable(
      Type.Integer({ description: 'Minutes between automatic syncs; null: none', examples: [60] }),
    ),
    defaultTtl: Type.Integer({ description: 'Seconds, for records without a TTL', examples: [3600] }),
    updatedAt: Timestamp,
  },
  { $id: 'Domain' },
)
export type Domain = Static<typeof Domain>
