import type {
  AcmeRegistrationsTable,
  PasskeysTable,
  PersonalTokensTable,
  RecoveryCodesTable,
  RefreshTokensTable,
  SessionsTable,
  SignInChallengesTable,
  WebauthnChallengesTable,
} from './auth.ts'
import type { AssignmentRequestsTable, AssignmentsTable } from './assignments.ts'
import type { AuditTable } from './audit.ts'
import type { ChangeRequestEntriesTable, ChangeRequestsTable } from './change-requests.ts'
import type { ChannelConfigsTable, DeliveriesTable } from './channels.ts'
import type { DomainListsTable, DomainsTable, DomainTransfersTable, ExpiryRemindersTable } from './domains.ts'
import type {
  IdempotencyKeysTable,
  LeasesTable,
  RateLimitCountersTable,
  RegistryTurnsTable,
  ScheduledTasksTable,
  StreamSlotsTable,
} from './limits.ts'
import type {
  EventsTable,
  MailsTable,
  NotificationMailsTable,
  NotificationReceiversTable,
  NotificationsTable,
} from './events.ts'
import type { DomainsPlansTable, PlannedDomainsTable, TemplatesTable } from './many-domains.ts'
import type {
  OAuthFlowsTable,
  OAuthIdentitiesTable,
  OAuthLogoutTokensTable,
  OAuthPendingTable,
  OAuthProvidersTable,
  OAuthTicketsTable,
} from './oauth.ts'
import type { OperationsTable, KeptPlansTable } from './operations.ts'
import type { ProviderConfigsTable } from './providers.ts'
import type {
  ChangeItemsTable,
  ChangesTable,
  NameLocksTable,
  RecordsTable,
  UnmanagedRecordsTable,
} from './records.ts'
import type { InvitationsTable, MailTokensTable, UsersTable } from './users.ts'

export type * from './assignments.ts'
export type * from './audit.ts'
export type * from './auth.ts'
export type * from './change-requests.ts'
export type * from './channels.ts'
export type * from './domains.ts'
export type * from './events.ts'
export type * from './limits.ts'
export type * from './many-domains.ts'
export type * from './oauth.ts'
export type * from './operations.ts'
export type * from './providers.ts'
export type * from './records.ts'
export type * from './users.ts'

/** Table types, by area. Column names are those of the database; mappers turn rows into API shapes. */
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
  change_requests: ChangeRequestsTable
  change_request_entries: ChangeRequestEntriesTable
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
  scheduled_tasks: ScheduledTasksTable
  rate_limit_counters: RateLimitCountersTable
}
