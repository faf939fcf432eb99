import { Type, type Static } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp, Uuid } from './scalars.ts'
import { named } from './named.ts'
import { ErrorReason } from './problem.ts'
import { Drift, DriftPolicy } from './records/drift.ts'
import { ReviewExempt, ReviewPolicy } from './records/review.ts'
import { Verify } from './records/verify.ts'

export const DomainStatus = OneOf(['active', 'expiring', 'expired'], {
  ...named('DomainStatus'),
  description:
    'Derived from `expiresAt`: `expiring` within the longest reminder lead time (30 days by default), `active` without a date',
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
  recordCount: Type.Integer({ description: 'Records the caller may see', examples: [12] }),
  unmanaged: Type.Integer({
    description:
      'Records of types that are not managed here, as of the last sync; only those the caller may see',
    examples: [0],
  }),
  recordsVersion: Type.Integer({
    description:
      'Changes with each change to the records the caller may see; increases for callers who see all of them',
    examples: [7],
  }),
  createdAt: Timestamp,
  expiryRemindDays: ExpiryRemindDays,
  autoCheckExpiry: Type.Boolean({ examples: [false] }),
  lastSyncedAt: Nullable(Timestamp),
  lastSyncError: Nullable(
    Type.String({
      description:
        'Error of the last sync. Callers who see only part of the domain learn that it failed, but not why',
      examples: ['PowerDNS does not respond'],
    }),
  ),
  lastSyncErrorCode: ErrorReason.errorCode,
  lastSyncErrorParams: ErrorReason.errorParams,
  access: OneOf(['owner', 'admin', 'write', 'read'], {
    ...named('DomainAccess'),
    description: 'Access of the caller to this domain',
  }),
  owner: Type.Object({ id: Uuid, username: Type.String({ examples: ['ada'] }) }, named('DomainOwner')),
  providerKey: Type.String({ description: 'Key of the provider in the catalogue', examples: ['powerdns'] }),
  providerConfigName: Nullable(
    Type.String({
      description: 'Null for callers who neither own the domain nor administer the service',
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
      description: "The provider's id of the zone; a provider may have several zones with one name",
      examples: ['example.com.'],
    }),
    ownerId: Uuid,
    notes: Type.String({
      description: 'Empty for callers with access to only part of the domain',
      examples: ['bought from the previous owner'],
    }),
    nameServers: Type.Array(Type.String({ examples: ['ns1.example.net'] })),
    registrar: Nullable(Type.String({ examples: ['Example Registrar Ltd'] })),
    eppStatus: Type.Array(Type.String({ examples: ['clientTransferProhibited'] }), {
      description: 'EPP status codes from the registry',
    }),
    expirySource: Nullable(OneOf(['manual', 'rdap', 'whois'], named('ExpirySource'))),
    expiryCheckedAt: Nullable(Timestamp),
    syncInterval: Nullable(
      Type.Integer({ description: 'Minutes between automatic syncs; null for none', examples: [60] }),
    ),
    defaultTtl: Type.Integer({ description: 'Seconds, for records without a TTL', examples: [3600] }),
    reviewPolicy: ReviewPolicy,
    reviewExempt: ReviewExempt,
    verify: Verify,
    driftPolicy: DriftPolicy,
    driftFoundAt: Nullable({
      ...Timestamp,
      description:
        'Since when the provider is known to hold other records than those here; null: it did not at the last sync',
      examples: [null],
    }),
    drift: {
      ...Nullable(Drift),
      description: 'These differences, for callers who see the whole domain',
      examples: [null],
    },
    updatedAt: Timestamp,
  },
  { $id: 'Domain' },
)
export type Domain = Static<typeof Domain>
