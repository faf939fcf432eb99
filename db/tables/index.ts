import type * as assignments from './people/assignments.ts'
import type * as audit from './audit.ts'
import type * as auth from './people/auth.ts'
import type * as changeRequests from './zones/change-requests.ts'
import type * as channels from './channels.ts'
import type * as domainHealth from './zones/domain-health.ts'
import type * as domains from './zones/domains.ts'
import type * as failover from './zones/failover.ts'
import type * as events from './events.ts'
import type * as laterChanges from './zones/later-changes.ts'
import type * as limits from './limits.ts'
import type * as manyDomains from './zones/many-domains.ts'
import type * as mirrors from './zones/mirrors.ts'
import type * as oauth from './people/oauth.ts'
import type * as operations from './operations.ts'
import type * as providers from './providers.ts'
import type * as records from './zones/records.ts'
import type * as users from './people/users.ts'
import type * as verifications from './zones/verifications.ts'

export type * from './people/assignments.ts'
export type * from './audit.ts'
export type * from './people/auth.ts'
export type * from './zones/change-requests.ts'
export type * from './channels.ts'
export type * from './zones/domain-health.ts'
export type * from './zones/domains.ts'
export type * from './events.ts'
export type * from './zones/later-changes.ts'
export type * from './zones/failover.ts'
export type * from './limits.ts'
export type * from './zones/many-domains.ts'
export type * from './zones/mirrors.ts'
export type * from './people/oauth.ts'
export type * from './operations.ts'
export type * from './providers.ts'
export type * from './zones/records.ts'
export type * from './people/users.ts'
export type * from './zones/verifications.ts'

/** Table types, by area. Column names are those of the database; mappers turn rows into API shapes. */
export interface Database {
  users: users.UsersTable
  sessions: auth.SessionsTable
  refresh_tokens: auth.RefreshTokensTable
  recovery_codes: auth.RecoveryCodesTable
  passkeys: auth.PasskeysTable
  sign_in_challenges: auth.SignInChallengesTable
  webauthn_challenges: auth.WebauthnChallengesTable
  mail_tokens: users.MailTokensTable
  personal_tokens: auth.PersonalTokensTable
  invitations: users.InvitationsTable
  oauth_providers: oauth.OAuthProvidersTable
  oauth_identities: oauth.OAuthIdentitiesTable
  oauth_flows: oauth.OAuthFlowsTable
  oauth_tickets: oauth.OAuthTicketsTable
  oauth_logout_tokens: oauth.OAuthLogoutTokensTable
  oauth_pending: oauth.OAuthPendingTable
  provider_configs: providers.ProviderConfigsTable
  domains: domains.DomainsTable
  domain_lists: domains.DomainListsTable
  assignments: assignments.AssignmentsTable
  assignment_requests: assignments.AssignmentRequestsTable
  domain_transfers: domains.DomainTransfersTable
  expiry_reminders: domains.ExpiryRemindersTable
  domain_health: domainHealth.DomainHealthTable
  health_findings: domainHealth.HealthFindingsTable
  instances: failover.InstancesTable
  failover_monitors: failover.FailoverMonitorsTable
  failover_verdicts: failover.FailoverVerdictsTable
  change_requests: changeRequests.ChangeRequestsTable
  change_request_entries: changeRequests.ChangeRequestEntriesTable
  channel_configs: channels.ChannelConfigsTable
  deliveries: channels.DeliveriesTable
  events: events.EventsTable
  notifications: events.NotificationsTable
  notification_receivers: events.NotificationReceiversTable
  mails: events.MailsTable
  notification_mails: events.NotificationMailsTable
  records: records.RecordsTable
  unmanaged_records: records.UnmanagedRecordsTable
  changes: records.ChangesTable
  verifications: verifications.VerificationsTable
  scheduled_changes: laterChanges.ScheduledChangesTable
  confirmations: laterChanges.ConfirmationsTable
  change_items: records.ChangeItemsTable
  name_locks: records.NameLocksTable
  mirrors: mirrors.MirrorsTable
  mirror_changes: mirrors.MirrorChangesTable
  operations: operations.OperationsTable
  domains_plans: manyDomains.DomainsPlansTable
  planned_domains: manyDomains.PlannedDomainsTable
  templates: manyDomains.TemplatesTable
  kept_plans: operations.KeptPlansTable
  audit: audit.AuditTable
  archives: audit.ArchivesTable
  idempotency_keys: limits.IdempotencyKeysTable
  acme_registrations: auth.AcmeRegistrationsTable
  tsig_keys: auth.TsigKeysTable
  signed_messages: auth.SignedMessagesTable
  stream_slots: limits.StreamSlotsTable
  registry_turns: limits.RegistryTurnsTable
  leases: limits.LeasesTable
  scheduled_tasks: limits.ScheduledTasksTable
  rate_limit_counters: limits.RateLimitCountersTable
}
