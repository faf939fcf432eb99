import type { AcmeRegistrationsTable } from './tables/acme.ts'
import type { AssignmentRequestsTable, AssignmentsTable } from './tables/assignments.ts'
import type { AuditTable } from './tables/audit.ts'
import type {
  PasskeysTable,
  PersonalTokensTable,
  RecoveryCodesTable,
  RefreshTokensTable,
  SessionsTable,
  SignInChallengesTable,
  WebauthnChallengesTable,
} from './tables/auth.ts'
import type { ChannelConfigsTable, DeliveriesTable } from './tables/channels.ts'
import type {
  DomainListsTable,
  DomainsTable,
  DomainTransfersTable,
  ExpiryRemindersTable,
} from './tables/domains.ts'
import type { IdempotencyKeysTable } from './tables/idempotency.ts'
import type {
  EventsTable,
  MailsTable,
  NotificationMailsTable,
  NotificationReceiversTable,
  NotificationsTable,
} from './tables/events.ts'
import type {
  LeasesTable,
  RateLimitCountersTable,
  RegistryTurnsTable,
  StreamSlotsTable,
} from './tables/limits.ts'
import type { DomainsPlansTable, PlannedDomainsTable, TemplatesTable } from './tables/many-domains.ts'
import type {
  OAuthFlowsTable,
  OAuthIdentitiesTable,
  OAuthLogoutTokensTable,
  OAuthPendingTable,
  OAuthProvidersTable,
  OAuthTicketsTable,
} from './tables/oauth.ts'
import type { OperationsTable } from './tables/operations.ts'
import type { KeptPlansTable } from './tables/plans.ts'
import type { ProviderConfigsTable } from './tables/providers.ts'
import type {
  ChangeItemsTable,
  ChangesTable,
  NameLocksTable,
  RecordsTable,
  UnmanagedRecordsTable,
} from './tables/records.ts'
import type { InvitationsTable, MailTokensTable, UsersTable } from './tables/users.ts'

export type * from './tables/acme.ts'
export type * from './tables/assignments.ts'
export type * from './tables/audit.ts'
export type * from './tables/origins.ts'
export type * from './tables/auth.ts'
export type * from './tables/channels.ts'
export type * from './tables/domains.ts'
export type * from './tables/events.ts'
export type * from './tables/idempotency.ts'
export type * from './tables/limits.ts'
export type * from './tables/many-domains.ts'
export type * from './tables/oauth.ts'
export type * from './tables/operations.ts'
export type * from './tables/plans.ts'
export type * from './tables/providers.ts'
export type * from './tables/records.ts'
export type * from './tables/users.ts'

/** Table types, by area. Column names are the database's; mappers turn rows into the wire's shapes. */
export interface Database {
  users: UsersTable
  sessions: SessionsTable
  refresh_tokens: RefreshTokensTable
  recovery_codes: RecoveryCodesTable
  passkeys: PasskeysTable
  sign_in_challenges: SignInChallengesTable
  webauthn_challenges: WebauthnChallengesTable
  mail_tokens: MailTokensTable
  personal_tokens: PersonalTokensTable
  invitations: InvitationsTable
  oauth_providers: OAuthProvidersTable
  oauth_identities: OAuthIdentitiesTable
  oauth_flows: OAuthFlowsTable
  oauth_tickets: OAuthTicketsTable
  oauth_logout_tokens: OAuthLogoutTokensTable
  oauth_pending: OAuthPendingTable
  provider_configs: ProviderConfigsTable
  domains: DomainsTable
  domain_lists: DomainListsTable
  assignments: AssignmentsTable
  assignment_requests: AssignmentRequestsTable
  domain_transfers: DomainTransfersTable
  expiry_reminders: ExpiryRemindersTable
  channel_configs: ChannelConfigsTable
  deliveries: DeliveriesTable
  events: EventsTable
  notifications: NotificationsTable
  notification_receivers: NotificationReceiversTable
  mails: MailsTable
  notification_mails: NotificationMailsTable
  records: RecordsTable
  unmanaged_records: UnmanagedRecordsTable
  changes: ChangesTable
  change_items: ChangeItemsTable
  name_locks: NameLocksTable
  operations: OperationsTable
  domains_plans: DomainsPlansTable
  planned_domains: PlannedDomainsTable
  templates: TemplatesTable
  kept_plans: KeptPlansTable
  audit: AuditTable
  idempotency_keys: IdempotencyKeysTable
  acme_registrations: AcmeRegistrationsTable
  stream_slots: StreamSlotsTable
  registry_turns: RegistryTurnsTable
  leases: LeasesTable
  rate_limit_counters: RateLimitCountersTable
}
