// Generated from the description of the Open API by scripts/client.ts: not to be edited.

export type AssignmentScope = "domain" | "subdomain";

export type Level = "info" | "success" | "warning" | "error";

/** `add`: beside what is there. `replaceSets`: what is there of the names and types of the template goes */
export type TemplateMode = "add" | "replaceSets";

export type ZoneFormat = "bind" | "octodns";

/** `merge` adds and updates, and leaves there what the domain does not have; `replace` deletes that, except NS at the apex */
export type CopyMode = "merge" | "replace";

export type RecordSort = "name" | "type" | "createdAt";

export type SearchedIn = "name" | "value" | "name,value";

export type OperationOutcome = "succeeded" | "partly" | "failed";

/** Those of one domain are done one after another */
export type OperationState = "waiting" | "running" | "finished";

export type OperationKind =
  | "import"
  | "revert"
  | "restore"
  | "retry"
  | "copy"
  | "replace"
  | "template";

export type LookupSource = "rdap" | "whois";

export type ZoneKind = "primary" | "secondary";

export type ZoneStatus = "active" | "pending" | "paused";

/** `none`: nothing was done. `unknown`: it may have been done, in whole or in part; `statusUrl` says what, or a repeat with the same `Idempotency-Key` */
export type ProblemOutcome = "none" | "unknown";

export type Order = "asc" | "desc";

export type DomainSort = "name" | "expiresAt" | "createdAt" | "recordCount";

/** What `data` has: a number for integer and decimal, a list of texts for types and prefixes, an object for parameters, else text */
export type RecordFieldKind =
  | "integer"
  | "decimal"
  | "ipv4"
  | "ipv6"
  | "name"
  | "hex"
  | "base64"
  | "text"
  | "types"
  | "prefixes"
  | "parameters"
  | "coordinate";

/** `open`: it could not be reached several times in a row, and calls fail at once with `Retry-After` until the next try */
export type BreakerState = "closed" | "open";

export type CapabilityExtent = "none" | "read" | "write";

/** What public DNS says: `none`, no such record; `other`, another value; `unanswered`, the lookup failed */
export type NameChallengeFound = "none" | "other" | "unanswered";

/** With `permission_missing`: what the personal token lacks */
export type TokenPermission =
  | "domains:read"
  | "domains:write"
  | "records:read"
  | "records:write"
  | "templates:read"
  | "templates:write"
  | "providers:read"
  | "assignments:read"
  | "assignments:write"
  | "notifications:read"
  | "notifications:write"
  | "audit:read"
  | "ddns:update"
  | "acme:challenge";

/** What was done, as `<area>.<what happened>` */
export type AuditAction =
  | "acme_registration.created"
  | "acme_registration.deleted"
  | "assignment.approved"
  | "assignment.cancelled"
  | "assignment.created"
  | "assignment.deleted"
  | "assignment.left"
  | "assignment.rejected"
  | "assignment.requested"
  | "assignment.updated"
  | "audit.exported"
  | "auth.external_failed"
  | "auth.login"
  | "auth.login_failed"
  | "auth.logout"
  | "auth.password_reset_requested"
  | "auth.provider_logout"
  | "auth.provider_logout_failed"
  | "auth.recovery_code_used"
  | "auth.refresh_reused"
  | "auth.register_failed"
  | "auth.second_factor_failed"
  | "auth.second_factor_required"
  | "auth.session_ended"
  | "auth.sessions_ended"
  | "channel.created"
  | "channel.deleted"
  | "channel.replayed"
  | "channel.tested"
  | "channel.updated"
  | "domain.bulk_updated"
  | "domain.copied"
  | "domain.created"
  | "domain.deleted"
  | "domain.expiry_checked"
  | "domain.exported"
  | "domain.soa_changed"
  | "domain.dnssec_changed"
  | "domain.switched"
  | "domain.synced"
  | "domain.transfer_declined"
  | "domain.transfer_offered"
  | "domain.transfer_withdrawn"
  | "domain.transferred"
  | "domain.updated"
  | "domain.zone_created"
  | "invitation.created"
  | "invitation.revoked"
  | "oauth_provider.created"
  | "oauth_provider.deleted"
  | "oauth_provider.tested"
  | "oauth_provider.updated"
  | "provider_config.created"
  | "provider_config.deleted"
  | "provider_config.tested"
  | "provider_config.updated"
  | "records.changed"
  | "template.created"
  | "template.deleted"
  | "template.updated"
  | "token.created"
  | "token.revoked"
  | "token.rotated"
  | "user.created"
  | "user.deleted"
  | "user.email_change_requested"
  | "user.email_changed"
  | "user.identity_bind_failed"
  | "user.identity_bound"
  | "user.identity_unbound"
  | "user.passkey_added"
  | "user.passkey_removed"
  | "user.passkey_renamed"
  | "user.password_changed"
  | "user.password_reset"
  | "user.password_set"
  | "user.profile_changed"
  | "user.recovery_codes_renewed"
  | "user.rescued"
  | "user.second_factor_disabled"
  | "user.second_factor_enabled"
  | "user.second_factor_removed"
  | "user.sessions_ended"
  | "user.updated";

/** Ended once it is not `pending`; `withdrawn` also when the domain came to another owner in the meantime */
export type DomainTransferStatus =
  | "pending"
  | "accepted"
  | "declined"
  | "withdrawn"
  | "expired";

export type AssignmentRequestStatus =
  | "pending"
  | "approved"
  | "rejected"
  | "cancelled";

/** `write` includes `read` */
export type AssignmentPermission = "read" | "write";

export type AssignmentType = "domain" | "subdomain";

export type ChangeOutcome = "pending" | "applied" | "failed";

export type Origin =
  | "console"
  | "cli"
  | "mcp"
  | "api"
  | "ddns"
  | "acme"
  | "external-dns"
  | "powerdns-api"
  | "dns-update"
  | "schedule"
  | "sync";

/** `partial`: some of its items were done; see the outcome of each */
export type ChangeStatus = "pending" | "applied" | "partial" | "failed";

export type ChangeSource =
  | "single"
  | "bulk"
  | "apply"
  | "import"
  | "revert"
  | "restore"
  | "retry"
  | "sync"
  | "switch"
  | "replace"
  | "template"
  | "ddns";

export type ConflictKind =
  | "invalid"
  | "conflict"
  | "not_found"
  | "outdated"
  | "forbidden";

export type ChangeAction = "create" | "update" | "delete";

export type DomainsPlanKind = "replace" | "template" | "revert";

/** `pending`: sent to the provider and not confirmed yet; `failed`: the last change could not be confirmed, a sync tells the truth */
export type RecordStatus = "active" | "pending" | "failed";

export type ExpirySource = "manual" | "rdap" | "whois";

/** What the caller is to this domain */
export type DomainAccess = "owner" | "admin" | "write" | "read";

/** Follows from expiresAt: `expiring` within the largest reminder lead time (30 days without one), `active` without a date */
export type DomainStatus = "active" | "expiring" | "expired";

/** `machine`: of a program, which has tokens and never signs in */
export type AccountKind = "person" | "machine";

export type Role = "admin" | "member";

/** What went wrong, for programs; stays the same while the words may change */
export type ErrorCode =
  | "validation_failed"
  | "unauthenticated"
  | "invalid_credentials"
  | "token_expired"
  | "forbidden"
  | "reauthentication_required"
  | "second_factor_required"
  | "permission_missing"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "last_sign_in_method"
  | "confirmation_required"
  | "plan_outdated"
  | "precondition_failed"
  | "changes_failed"
  | "payload_too_large"
  | "unsupported_media_type"
  | "rate_limited"
  | "internal"
  | "provider_error"
  | "provider_auth_failed"
  | "provider_rejected"
  | "provider_quota"
  | "provider_timeout"
  | "unavailable";

/** `metadata` is what the event tells, for programs */
export type Notification =
  | ({
      event: "assignment.create";
    } & AssignmentCreateNotification)
  | ({
      event: "assignment.delete";
    } & AssignmentDeleteNotification)
  | ({
      event: "assignment.leave";
    } & AssignmentLeaveNotification)
  | ({
      event: "assignment.restricted";
    } & AssignmentRestrictedNotification)
  | ({
      event: "assignment.request";
    } & AssignmentRequestNotification)
  | ({
      event: "assignment.approve";
    } & AssignmentApproveNotification)
  | ({
      event: "assignment.reject";
    } & AssignmentRejectNotification)
  | ({
      event: "domain.created";
    } & DomainCreatedNotification)
  | ({
      event: "domain.overlapped";
    } & DomainOverlappedNotification)
  | ({
      event: "domain.deleted";
    } & DomainDeletedNotification)
  | ({
      event: "domain.transferred";
    } & DomainTransferredNotification)
  | ({
      event: "domain.transfer_offered";
    } & DomainTransferOfferedNotification)
  | ({
      event: "domain.transfer_declined";
    } & DomainTransferDeclinedNotification)
  | ({
      event: "domain.transfer_withdrawn";
    } & DomainTransferWithdrawnNotification)
  | ({
      event: "domain.transfer_expired";
    } & DomainTransferExpiredNotification)
  | ({
      event: "domain.switched";
    } & DomainSwitchedNotification)
  | ({
      event: "domain.expiring";
    } & DomainExpiringNotification)
  | ({
      event: "domain.expired";
    } & DomainExpiredNotification)
  | ({
      event: "domain.sync_failed";
    } & DomainSyncFailedNotification)
  | ({
      event: "domain.drift";
    } & DomainDriftNotification)
  | ({
      event: "record.created";
    } & RecordCreatedNotification)
  | ({
      event: "record.updated";
    } & RecordUpdatedNotification)
  | ({
      event: "record.deleted";
    } & RecordDeletedNotification)
  | ({
      event: "operation.finished";
    } & OperationFinishedNotification)
  | ({
      event: "operation.failed";
    } & OperationFailedNotification)
  | ({
      event: "account.password_changed";
    } & AccountPasswordChangedNotification)
  | ({
      event: "account.second_factor_changed";
    } & AccountSecondFactorChangedNotification)
  | ({
      event: "account.identity_changed";
    } & AccountIdentityChangedNotification)
  | ({
      event: "account.new_sign_in";
    } & AccountNewSignInNotification)
  | ({
      event: "account.token_expiring";
    } & AccountTokenExpiringNotification)
  | ({
      event: "account.locked";
    } & AccountLockedNotification)
  | ({
      event: "channel.failed";
    } & ChannelFailedNotification)
  | ({
      event: "channel.test";
    } & ChannelTestNotification)
  | ({
      event: "connected";
    } & ConnectedNotification);

export type RecordChange =
  | ({
      action: "create";
    } & CreateChange)
  | ({
      action: "update";
    } & UpdateChange)
  | ({
      action: "delete";
    } & DeleteChange)
  | ({
      action: "set";
    } & SetChange);

export interface FieldError {
  /** The field, as a JSON pointer */
  path: string;
  message: string;
  /** What it is, for programs; stays the same while the words may change. More may come */
  code: string;
  /** What the words name, such as a limit */
  params?: Record<string, any>;
}

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  /** What went wrong, for programs; stays the same while the words may change */
  code: ErrorCode;
  requestId: string;
  /** With validation_failed: what is wrong where */
  errors?: FieldError[];
  /** With conflict or forbidden: which of many, for programs, where neither `errors` nor `conflicts` say it. More may come */
  reason?: string;
  /** What the words of `detail` name, beside `reason` */
  params?: Record<string, any>;
}

export interface DomainOwner {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  username: string;
}

export interface Domain {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  /** Lower case, in punycode */
  name: string;
  unicodeName: string;
  /**
   * UUIDv7
   * @format uuid
   */
  providerId: string;
  /**
   * UUIDv7
   * @format uuid
   */
  providerConfigId: string;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  expiresAt: string | null;
  /** Follows from expiresAt: `expiring` within the largest reminder lead time (30 days without one), `active` without a date */
  status: DomainStatus;
  groupName: string;
  tags: string[];
  /** Of a part of the domain: those that it covers */
  recordCount: number;
  /** Records of types that are not managed here, as the last sync saw them; of a part likewise */
  unmanaged: number;
  /** Another number after each change of the records that the caller sees; it rises for callers who see all of them */
  recordsVersion: number;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Reminder lead times in days
   * @maxItems 10
   * @uniqueItems true
   */
  expiryRemindDays: number[];
  autoCheckExpiry: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  lastSyncedAt: string | null;
  /** What went wrong may name any record: who does not see all is told that it failed, not why */
  lastSyncError: string | null;
  /** What `error` is, for programs; null without one, and where it is older than its code. More may come */
  lastSyncErrorCode: string | null;
  /** What the words of `error` name, such as a status */
  lastSyncErrorParams: Record<string, any> | null;
  /** What the caller is to this domain */
  access: DomainAccess;
  owner: DomainOwner;
  /** Of the catalogue */
  providerKey: string;
  /** Null where the domain is not the caller’s to dispose of */
  providerConfigName: string | null;
  /** The provider's own id of the zone, which may have several of one name */
  zoneId: string;
  /**
   * UUIDv7
   * @format uuid
   */
  ownerId: string;
  /** Empty for those who have a part of the domain */
  notes: string;
  nameServers: string[];
  registrar: string | null;
  /** What the registry says of the registration, in the words of EPP */
  eppStatus: string[];
  expirySource: ExpirySource | null;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  expiryCheckedAt: string | null;
  /** Minutes between automatic syncs; null: none */
  syncInterval: number | null;
  /** Seconds, for records without a TTL */
  defaultTtl: number;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  updatedAt: string;
}

export interface DomainListItem {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  /** Lower case, in punycode */
  name: string;
  unicodeName: string;
  /**
   * UUIDv7
   * @format uuid
   */
  providerId: string;
  /**
   * UUIDv7
   * @format uuid
   */
  providerConfigId: string;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  expiresAt: string | null;
  /** Follows from expiresAt: `expiring` within the largest reminder lead time (30 days without one), `active` without a date */
  status: DomainStatus;
  groupName: string;
  tags: string[];
  /** Of a part of the domain: those that it covers */
  recordCount: number;
  /** Records of types that are not managed here, as the last sync saw them; of a part likewise */
  unmanaged: number;
  /** Another number after each change of the records that the caller sees; it rises for callers who see all of them */
  recordsVersion: number;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Reminder lead times in days
   * @maxItems 10
   * @uniqueItems true
   */
  expiryRemindDays: number[];
  autoCheckExpiry: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  lastSyncedAt: string | null;
  /** What went wrong may name any record: who does not see all is told that it failed, not why */
  lastSyncError: string | null;
  /** What `error` is, for programs; null without one, and where it is older than its code. More may come */
  lastSyncErrorCode: string | null;
  /** What the words of `error` name, such as a status */
  lastSyncErrorParams: Record<string, any> | null;
  /** What the caller is to this domain */
  access: DomainAccess;
  owner: DomainOwner;
  /** Of the catalogue */
  providerKey: string;
  /** Null where the domain is not the caller’s to dispose of */
  providerConfigName: string | null;
}

/**
 * DNS record type, one of `GET /api/v1/record-types`; or `TYPE65534`, of which the data is bytes (RFC 3597)
 * @maxLength 10
 * @pattern ^(?:A|AAAA|CNAME|NS|MX|TXT|SRV|CAA|PTR|DNAME|DS|CDS|CDNSKEY|DNSKEY|TLSA|SMIMEA|SSHFP|OPENPGPKEY|NAPTR|SVCB|HTTPS|LOC|URI|HINFO|RP|CERT|CSYNC|APL|EUI48|EUI64|ZONEMD|ALIAS|ANAME|TYPE[1-9][0-9]{0,4})$
 */
export type RecordType = string;

/** The fields of the value, as `GET /api/v1/record-types` describes them; in lists only when asked for */
export type RecordData = Record<string, any>;

export interface Routing {
  /** Tells the sets of one name and type apart */
  key: string;
  line?: string;
  weight?: number;
  setIdentifier?: string;
  region?: string;
}

export interface DnsRecord {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  /**
   * UUIDv7
   * @format uuid
   */
  domainId: string;
  /** DNS record type, one of `GET /api/v1/record-types`; or `TYPE65534`, of which the data is bytes (RFC 3597) */
  recordType: RecordType;
  /** Host part, `@` for the apex */
  name: string;
  unicodeName: string;
  /** In canonical form */
  value: string;
  /** Of a TXT whose strings are not the plain ones of 255 bytes; each as a value is written */
  strings?: string[];
  /** The fields of the value, as `GET /api/v1/record-types` describes them; in lists only when asked for */
  data?: RecordData;
  /** Seconds; null: the provider chooses */
  ttl: number | null;
  /** Of MX and SRV */
  priority: number | null;
  proxied: boolean;
  /** Not so: kept without being published */
  enabled: boolean;
  /** For people; not published */
  comment: string;
  /** Where the provider answers with one of several sets, by line, weight or region; null: there is one */
  routing: Routing | null;
  /** `pending`: sent to the provider and not confirmed yet; `failed`: the last change could not be confirmed, a sync tells the truth */
  status: RecordStatus;
  /** Rises with each change; for If-Match */
  version: number;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  updatedAt: string;
}

export interface RecordSnapshot {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  /** DNS record type, one of `GET /api/v1/record-types`; or `TYPE65534`, of which the data is bytes (RFC 3597) */
  recordType: RecordType;
  /** Host part, `@` for the apex */
  name: string;
  /** In canonical form */
  value: string;
  /** Of a TXT whose strings are not the plain ones of 255 bytes; each as a value is written */
  strings?: string[];
  /** Seconds; null: the provider chooses */
  ttl: number | null;
  /** Of MX and SRV */
  priority: number | null;
  proxied: boolean;
  /** Not so: kept without being published */
  enabled: boolean;
  /** For people; not published */
  comment: string;
  /** Where the provider answers with one of several sets, by line, weight or region; null: there is one */
  routing: Routing | null;
  /** Rises with each change; for If-Match */
  version: number;
}

export interface RecordContent {
  name: string;
  /** DNS record type, one of `GET /api/v1/record-types`; or `TYPE65534`, of which the data is bytes (RFC 3597) */
  recordType: RecordType;
  value: string;
  strings?: string[];
  /** Seconds; null: the provider chooses */
  ttl: number | null;
  priority: number | null;
  proxied: boolean;
  enabled: boolean;
  comment: string;
  /** Where the provider answers with one of several sets, by line, weight or region; null: there is one */
  routing: Routing | null;
}

export interface PlannedRecord {
  action: ChangeAction;
  /**
   * Null: it is made
   * @format uuid
   */
  recordId: string | null;
  before: RecordContent | null;
  after: RecordContent | null;
}

export interface BlockedRecord {
  /**
   * UUIDv7
   * @format uuid
   */
  recordId: string | null;
  before: RecordContent | null;
  wanted: {
    name: string;
    recordType: string;
    value: string;
  } | null;
  /** As of the conflicts of a plan */
  kind: string;
  /** What it is, for programs; stays the same while the words may change. More may come */
  code: string;
  /** What the words name, such as a limit */
  params: Record<string, any>;
  detail: string;
}

export interface ToldProblem {
  type: string;
  title: string;
  status: number;
  detail: string;
  /** What went wrong, for programs; stays the same while the words may change */
  code: ErrorCode;
  requestId: string;
  /** With validation_failed: what is wrong where */
  errors?: FieldError[];
  /** With conflict or forbidden: which of many, for programs, where neither `errors` nor `conflicts` say it. More may come */
  reason?: string;
  /** What the words of `detail` name, beside `reason` */
  params?: Record<string, any>;
  [key: string]: any;
}

export interface PlannedDomain {
  /**
   * UUIDv7
   * @format uuid
   */
  domainId: string;
  domainName: string;
  counts: {
    creates: number;
    updates: number;
    deletes: number;
    /** Records that can't be changed or made */
    blocked: number;
  };
  /** The first 100 */
  changes: PlannedRecord[];
  /** The first 100 */
  blocked: BlockedRecord[];
  warnings: {
    /** What it is, for programs; stays the same while the words may change. More may come */
    code: string;
    /** What the words name, such as a limit */
    params: Record<string, any>;
    message: string;
  }[];
  /** `applied`, `partly`, `failed`, or `pending` while the provider has not confirmed it; `unchanged`; `outdated`: the domain was changed after the plan, and nothing was done; `refused`: nothing was done, and `problem` says why; `blocked`: nothing was done, because of the records in `blocked`. `partly` also where some records are in `blocked` and the others were changed. Null: not applied yet */
  outcome: string | null;
  /**
   * What was done, in the history; can be reverted there
   * @format uuid
   */
  changeId: string | null;
  problem: ToldProblem | null;
}

export interface DomainsPlan {
  /**
   * UUIDv7
   * @format uuid
   */
  planId: string;
  kind: DomainsPlanKind;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  planExpiresAt: string;
  /**
   * By which it is done, once it was applied
   * @format uuid
   */
  operationId: string | null;
  /**
   * For kind `revert`: the operation that the plan reverts
   * @format uuid
   */
  undoesOperationId: string | null;
  /** Over all domains of the plan */
  totals: {
    /** Domains looked at, at most 5000 */
    domains: number;
    /** In which something would change */
    changedDomains: number;
    /** For kind `revert`: domains that the operation changed and that the caller cannot see; they are left alone */
    hidden: number;
    creates: number;
    updates: number;
    deletes: number;
    /** Records that can't be changed or made */
    blocked: number;
  };
  /** In the order of their names, without those of which nothing is to be told */
  domains: PlannedDomain[];
  /** For `GET /api/v1/records/plans/{id}`; null: this was the last page */
  nextCursor: string | null;
}

export interface CreatedDomain {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  /** Lower case, in punycode */
  name: string;
  unicodeName: string;
  /**
   * UUIDv7
   * @format uuid
   */
  providerId: string;
  /**
   * UUIDv7
   * @format uuid
   */
  providerConfigId: string;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  expiresAt: string | null;
  /** Follows from expiresAt: `expiring` within the largest reminder lead time (30 days without one), `active` without a date */
  status: DomainStatus;
  groupName: string;
  tags: string[];
  /** Of a part of the domain: those that it covers */
  recordCount: number;
  /** Records of types that are not managed here, as the last sync saw them; of a part likewise */
  unmanaged: number;
  /** Another number after each change of the records that the caller sees; it rises for callers who see all of them */
  recordsVersion: number;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Reminder lead times in days
   * @maxItems 10
   * @uniqueItems true
   */
  expiryRemindDays: number[];
  autoCheckExpiry: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  lastSyncedAt: string | null;
  /** What went wrong may name any record: who does not see all is told that it failed, not why */
  lastSyncError: string | null;
  /** What `error` is, for programs; null without one, and where it is older than its code. More may come */
  lastSyncErrorCode: string | null;
  /** What the words of `error` name, such as a status */
  lastSyncErrorParams: Record<string, any> | null;
  /** What the caller is to this domain */
  access: DomainAccess;
  owner: DomainOwner;
  /** Of the catalogue */
  providerKey: string;
  /** Null where the domain is not the caller’s to dispose of */
  providerConfigName: string | null;
  /** The provider's own id of the zone, which may have several of one name */
  zoneId: string;
  /**
   * UUIDv7
   * @format uuid
   */
  ownerId: string;
  /** Empty for those who have a part of the domain */
  notes: string;
  nameServers: string[];
  registrar: string | null;
  /** What the registry says of the registration, in the words of EPP */
  eppStatus: string[];
  expirySource: ExpirySource | null;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  expiryCheckedAt: string | null;
  /** Minutes between automatic syncs; null: none */
  syncInterval: number | null;
  /** Seconds, for records without a TTL */
  defaultTtl: number;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  updatedAt: string;
  /** Where a template was wished for: why it was not applied, or what to heed */
  warnings?: string[];
}

export interface ChangedRecord {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  /**
   * UUIDv7
   * @format uuid
   */
  domainId: string;
  /** DNS record type, one of `GET /api/v1/record-types`; or `TYPE65534`, of which the data is bytes (RFC 3597) */
  recordType: RecordType;
  /** Host part, `@` for the apex */
  name: string;
  unicodeName: string;
  /** In canonical form */
  value: string;
  /** Of a TXT whose strings are not the plain ones of 255 bytes; each as a value is written */
  strings?: string[];
  /** The fields of the value, as `GET /api/v1/record-types` describes them; in lists only when asked for */
  data?: RecordData;
  /** Seconds; null: the provider chooses */
  ttl: number | null;
  /** Of MX and SRV */
  priority: number | null;
  proxied: boolean;
  /** Not so: kept without being published */
  enabled: boolean;
  /** For people; not published */
  comment: string;
  /** Where the provider answers with one of several sets, by line, weight or region; null: there is one */
  routing: Routing | null;
  /** `pending`: sent to the provider and not confirmed yet; `failed`: the last change could not be confirmed, a sync tells the truth */
  status: RecordStatus;
  /** Rises with each change; for If-Match */
  version: number;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  updatedAt: string;
  /** Allowed, and most likely not meant */
  warnings: string[];
  /**
   * The change in the history; null when nothing changed
   * @format uuid
   */
  changeId: string | null;
}

export interface PlannedChange {
  /** Which of the changes asked for it */
  index: number | null;
  /**
   * UUIDv7
   * @format uuid
   */
  recordId: string;
  before: RecordContent | null;
  after: RecordContent | null;
}

export interface PlanConflict {
  index: number;
  kind: ConflictKind;
  /** What it is, for programs; stays the same while the words may change. More may come */
  code: string;
  /** What the words name, such as a limit */
  params: Record<string, any>;
  detail: string;
  /**
   * UUIDv7
   * @format uuid
   */
  recordId: string | null;
  /** With `invalid`: what is wrong where; paths within the change, such as `/value` */
  errors?: FieldError[];
  current?: RecordSnapshot;
}

export interface Plan {
  creates: PlannedChange[];
  updates: PlannedChange[];
  deletes: PlannedChange[];
  conflicts: PlanConflict[];
  warnings: {
    index: number | null;
    message: string;
    /** What it is, for programs; stays the same while the words may change. More may come */
    code: string;
    /** What the words name, such as a limit */
    params: Record<string, any>;
  }[];
  /** Whether it was done */
  applied: boolean;
  /**
   * UUIDv7
   * @format uuid
   */
  changeId: string | null;
  /**
   * With `keep`: by which it is applied; null: there is nothing to apply, or `conflicts`
   * @format uuid
   */
  planId?: string | null;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  planExpiresAt?: string | null;
}

export interface Actor {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string | null;
  /** As it was then; `system` is the service itself */
  name: string;
  /** Null where there is no such account any more, or none did it */
  kind: AccountKind | null;
}

export interface TokenMark {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  /** As it was then */
  name: string;
  /** Its last 4 characters; null for a token from before they were kept */
  suffix: string | null;
}

export interface Change {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  source: ChangeSource;
  /** `partial`: some of its items were done; see the outcome of each */
  status: ChangeStatus;
  actor: Actor;
  /** Null in entries from before it was recorded */
  origin: Origin | null;
  /** Null when no personal token was used */
  token: TokenMark | null;
  /**
   * The operation it is part of
   * @format uuid
   */
  operationId: string | null;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  settledAt: string | null;
  itemCount: number;
  /** The first 100 of each in a list, the first 10,000 of one that is read alone; `itemCount` has all */
  items: {
    action: ChangeAction;
    /**
     * UUIDv7
     * @format uuid
     */
    recordId: string;
    before: RecordContent | null;
    after: RecordContent | null;
    outcome: ChangeOutcome;
    error: string | null;
    /** What `error` is, for programs; null without one, and where it is older than its code. More may come */
    errorCode: string | null;
  }[];
  /** Of one change, where asked for: what stayed beside it of the same names and types */
  unchanged?: RecordContent[];
}

export interface TemplateVariable {
  /**
   * As `{{name}}` in names and values of records; `{{domain}}` and `{{dashedDomain}}` are there always
   * @maxLength 40
   * @pattern ^[a-z][A-Za-z0-9]{0,39}$
   */
  name: string;
  /**
   * @maxLength 100
   * @pattern ^(?=.*\S)[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$
   */
  label: string;
  /** @maxLength 500 */
  description?: string;
  /** Not so: records in which it stands are left out where it has no value */
  required?: boolean;
  /** @maxLength 1000 */
  default?: string;
  /**
   * Regular expression in RE2 syntax that a value must match as a whole; no look-around, back-references or counted groups
   * @maxLength 200
   */
  pattern?: string;
}

export interface TemplateRecord {
  /** DNS record type, one of `GET /api/v1/record-types`; or `TYPE65534`, of which the data is bytes (RFC 3597) */
  recordType: RecordType;
  /**
   * @minLength 1
   * @maxLength 1000
   */
  name: string;
  /**
   * @minLength 1
   * @maxLength 4000
   */
  value: string;
  /**
   * @min 1
   * @max 2147483647
   */
  ttl?: number;
}

export interface Template {
  /**
   * A UUID, or the key of a built-in one
   * @pattern ^[a-z0-9-]{1,50}$
   */
  id: string;
  /**
   * @maxLength 100
   * @pattern ^(?=.*\S)[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$
   */
  name: string;
  description: string;
  variables: TemplateVariable[];
  records: TemplateRecord[];
  /** Comes with the service, and can not be changed */
  builtIn: boolean;
  shared: boolean;
  /**
   * UUIDv7
   * @format uuid
   */
  ownerId: string | null;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string | null;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  updatedAt: string | null;
}

export interface Assignment {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  /**
   * UUIDv7
   * @format uuid
   */
  userId: string;
  username: string;
  /**
   * UUIDv7
   * @format uuid
   */
  domainId: string;
  domainName: string;
  /** `*` the whole domain with its apex, `@` the apex, `app` that name, `*.dev` every name below dev but not dev itself */
  subdomainPattern: string;
  type: AssignmentType;
  /** The pattern joined to the domain's name */
  host: string;
  /** `write` includes `read` */
  permission: AssignmentPermission;
  /**
   * What may be changed; null: all types. All types are seen. NS, DNAME, DS, CDS, CDNSKEY and CSYNC need rights on the name and everything below it (`app` and `*.app`); at the apex only the owner of the domain and administrators change them
   * @maxItems 64
   * @minItems 1
   * @uniqueItems true
   */
  recordTypes: RecordType[] | null;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  expiresAt: string | null;
  /**
   * UUIDv7
   * @format uuid
   */
  createdBy: string | null;
  createdByName: string | null;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
}

export interface AssignmentRequest {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  /**
   * UUIDv7
   * @format uuid
   */
  userId: string;
  username: string;
  /**
   * UUIDv7
   * @format uuid
   */
  domainId: string;
  domainName: string;
  /** `*` the whole domain with its apex, `@` the apex, `app` that name, `*.dev` every name below dev but not dev itself */
  subdomainPattern: string;
  type: AssignmentType;
  /** The pattern joined to the domain's name */
  host: string;
  /** `write` includes `read` */
  permission: AssignmentPermission;
  /**
   * @minLength 1
   * @maxLength 1000
   * @pattern \S
   */
  reason: string;
  status: AssignmentRequestStatus;
  /**
   * UUIDv7
   * @format uuid
   */
  decidedBy: string | null;
  decidedByName: string | null;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  decidedAt: string | null;
  decisionReason: string | null;
  /**
   * What came of it
   * @format uuid
   */
  assignmentId: string | null;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
}

export interface DomainTransfer {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  /**
   * UUIDv7
   * @format uuid
   */
  domainId: string;
  domainName: string;
  /**
   * UUIDv7
   * @format uuid
   */
  fromUserId: string;
  /** Who offers it */
  fromUsername: string;
  /**
   * UUIDv7
   * @format uuid
   */
  toUserId: string;
  /** Who gets it once they accept */
  toUsername: string;
  /** Ended once it is not `pending`; `withdrawn` also when the domain came to another owner in the meantime */
  status: DomainTransferStatus;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Until then it can be accepted
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  expiresAt: string;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  endedAt: string | null;
}

export interface ValidationProblem {
  /** With validation_failed: what is wrong where */
  errors?: FieldError[];
  type: string;
  title: string;
  status: number;
  detail: string;
  /** What went wrong, for programs; stays the same while the words may change */
  code: ErrorCode;
  requestId: string;
  /** With conflict or forbidden: which of many, for programs, where neither `errors` nor `conflicts` say it. More may come */
  reason?: string;
  /** What the words of `detail` name, beside `reason` */
  params?: Record<string, any>;
}

export interface UnauthenticatedProblem {
  /** Of a second factor: how often it may be tried again */
  triesLeft?: number;
  type: string;
  title: string;
  status: number;
  detail: string;
  /** What went wrong, for programs; stays the same while the words may change */
  code: ErrorCode;
  requestId: string;
  /** With conflict or forbidden: which of many, for programs, where neither `errors` nor `conflicts` say it. More may come */
  reason?: string;
  /** What the words of `detail` name, beside `reason` */
  params?: Record<string, any>;
}

/** With the reason `name_proof_required`: the TXT record that proves the right to the name */
export interface NameChallenge {
  /** Full name of the record */
  name: string;
  type: "TXT";
  /** Its value; specific to this user and this name, and the same each time */
  value: string;
  /** What public DNS says: `none`, no such record; `other`, another value; `unanswered`, the lookup failed */
  found: NameChallengeFound;
}

export interface ForbiddenProblem {
  /** With `permission_missing`: what the personal token lacks */
  permission?: TokenPermission;
  /** Of several changes: all that stands against them */
  conflicts?: PlanConflict[];
  /** With the reason `name_proof_required`: the TXT record that proves the right to the name */
  challenge?: NameChallenge;
  type: string;
  title: string;
  status: number;
  detail: string;
  /** What went wrong, for programs; stays the same while the words may change */
  code: ErrorCode;
  requestId: string;
  /** With conflict or forbidden: which of many, for programs, where neither `errors` nor `conflicts` say it. More may come */
  reason?: string;
  /** What the words of `detail` name, beside `reason` */
  params?: Record<string, any>;
}

export interface RateLimitedProblem {
  /**
   * Seconds to wait, as in `Retry-After`
   * @min 1
   */
  retryAfter?: number;
  type: string;
  title: string;
  status: number;
  detail: string;
  /** What went wrong, for programs; stays the same while the words may change */
  code: ErrorCode;
  requestId: string;
  /** With conflict or forbidden: which of many, for programs, where neither `errors` nor `conflicts` say it. More may come */
  reason?: string;
  /** What the words of `detail` name, beside `reason` */
  params?: Record<string, any>;
}

export interface TokenRestrictions {
  /**
   * @maxItems 1000
   * @minItems 1
   * @uniqueItems true
   */
  domainIds?: string[];
  /**
   * `*` all names, `@` the apex, `app` that name, `*.dev` every name below dev
   * @maxItems 50
   * @minItems 1
   * @uniqueItems true
   */
  namePatterns?: string[];
  /**
   * @maxItems 64
   * @minItems 1
   * @uniqueItems true
   */
  recordTypes?: RecordType[];
  /**
   * Client addresses, single or as CIDR
   * @maxItems 50
   * @minItems 1
   * @uniqueItems true
   */
  ipRanges?: string[];
}

export interface TokenOwner {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  /** `machine`: of a program, which has tokens and never signs in */
  kind: AccountKind;
  username: string;
  displayName: string | null;
  role: Role;
}

/** Created */
export interface NewToken {
  /** Shown only now */
  token: string;
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  name: string;
  permissions: TokenPermission[];
  /** Narrows what the token reaches; a field that is missing narrows nothing */
  restrictions: TokenRestrictions | null;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  expiresAt: string | null;
}

/** The first 100 of each */
export interface SyncDifference {
  created: RecordContent[];
  updated: {
    before: RecordContent;
    after: RecordContent;
  }[];
  deleted: RecordContent[];
}

export interface ConflictProblem {
  /** With validation_failed: what is wrong where */
  errors?: FieldError[];
  /** The member of the body whose value is taken */
  field?: string;
  record?: RecordSnapshot;
  current?: RecordSnapshot;
  /** Of several changes: all that stands against them */
  conflicts?: PlanConflict[];
  /** How much of what the user to be deleted still owns */
  owned?: Record<string, number>;
  /** How many users would lose a binding */
  boundUsers?: number;
  /**
   * The change by which a plan was applied, of which only a part was done, or for which to wait
   * @format uuid
   */
  changeId?: string;
  /**
   * The operation by which a plan was applied
   * @format uuid
   */
  operationId?: string;
  /**
   * Of a plan over many domains that was not done as a whole
   * @format uuid
   */
  planId?: string;
  /** Of that plan: how many domains ended how */
  outcomes?: Record<string, number>;
  plan?: Plan;
  /**
   * Seconds to wait, as in `Retry-After`
   * @min 1
   */
  retryAfter?: number;
  /** Records at the provider that were compared */
  synced?: number;
  created?: number;
  updated?: number;
  deleted?: number;
  unchanged?: number;
  /** Records of types that are not managed here: see listUnmanagedRecords */
  skipped?: number;
  dryRun?: boolean;
  /** The first 100 of each */
  difference?: SyncDifference;
  type: string;
  title: string;
  status: number;
  detail: string;
  /** What went wrong, for programs; stays the same while the words may change */
  code: ErrorCode;
  requestId: string;
  /** With conflict or forbidden: which of many, for programs, where neither `errors` nor `conflicts` say it. More may come */
  reason?: string;
  /** What the words of `detail` name, beside `reason` */
  params?: Record<string, any>;
}

export interface Breaker {
  /** `open`: it could not be reached several times in a row, and calls fail at once with `Retry-After` until the next try */
  state: BreakerState;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  since: string | null;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  nextTry: string | null;
}

export interface ProviderConfig {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  /**
   * UUIDv7
   * @format uuid
   */
  providerId: string;
  providerKey: string;
  name: string;
  /**
   * UUIDv7
   * @format uuid
   */
  ownerId: string;
  /** Secrets are masked */
  credentials: Record<string, string>;
  /**
   * Full names, for zones that are created with it; the first is the primary of their SOA
   * @maxItems 13
   */
  nameServers: string[];
  /**
   * Mail address in the SOA of zones that are created with it; null: hostmaster at the zone
   * @maxLength 254
   */
  hostmaster: string | null;
  breaker: Breaker;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  updatedAt: string;
}

export interface RecordField {
  /** In `data` */
  name: string;
  /** What `data` has: a number for integer and decimal, a list of texts for types and prefixes, an object for parameters, else text */
  kind: RecordFieldKind;
  title: string;
  help?: string;
  minimum?: number;
  maximum?: number;
  /** What is usual; of `parameters` their keys. Other values in the range are taken too */
  choices?: {
    /** A number or text */
    value: any;
    title: string;
  }[];
  /** A value as `data` has it */
  example: any;
}

export interface RecordTypeInfo {
  /** DNS record type, one of `GET /api/v1/record-types`; or `TYPE65534`, of which the data is bytes (RFC 3597) */
  type: RecordType;
  title: string;
  help: string;
  /** Where it is defined */
  rfc: string;
  /** Shown, and made by others */
  readOnly: boolean;
  /** Where in a zone: anywhere, at the apex alone, anywhere but there */
  place: "any" | "apex" | "below";
  /** A `value` */
  example: string;
  fields: RecordField[];
  /** Keys of the kinds of DNS hosts that can hold it */
  providers: string[];
  /** The caller's configurations of those kinds */
  providerConfigIds: string[];
}

/** Done */
export interface DomainPage {
  domains: DomainListItem[];
  /** Rows that match, on all pages */
  total: number;
  page: number;
  limit: number;
  /** `cursor` of the next page, which may be empty; null: this was the last */
  nextCursor: string | null;
}

/** Applied once the domain is registered; why it was not is in `warnings` */
export interface StartTemplate {
  /** @maxLength 50 */
  id: string;
  variables?: Record<string, string>;
}

export interface ProviderProblem {
  /**
   * Seconds to wait, as in `Retry-After`
   * @min 1
   */
  retryAfter?: number;
  /** `none`: nothing was done. `unknown`: it may have been done, in whole or in part; `statusUrl` says what, or a repeat with the same `Idempotency-Key` */
  outcome?: ProblemOutcome;
  /**
   * The change of records that was not done, only in part, or of which the outcome is not known
   * @format uuid
   */
  changeId?: string;
  /** How far that change is: `failed`, nothing was done; `partial`, `done` of `total` items, and `retryChange` does the rest; `pending`, not known yet */
  changeStatus?: ChangeStatus;
  /** Items of the change that were done, as far as is known */
  done?: number;
  /** Items of the change */
  total?: number;
  /**
   * Where the outcome of that change is told
   * @format uri-reference
   */
  statusUrl?: string;
  type: string;
  title: string;
  status: number;
  detail: string;
  /** What went wrong, for programs; stays the same while the words may change */
  code: ErrorCode;
  requestId: string;
  /** With conflict or forbidden: which of many, for programs, where neither `errors` nor `conflicts` say it. More may come */
  reason?: string;
  /** What the words of `detail` name, beside `reason` */
  params?: Record<string, any>;
}

export interface PreconditionProblem {
  /** With validation_failed: what is wrong where */
  errors?: FieldError[];
  current?: RecordSnapshot;
  type: string;
  title: string;
  status: number;
  detail: string;
  /** What went wrong, for programs; stays the same while the words may change */
  code: ErrorCode;
  requestId: string;
  /** With conflict or forbidden: which of many, for programs, where neither `errors` nor `conflicts` say it. More may come */
  reason?: string;
  /** What the words of `detail` name, beside `reason` */
  params?: Record<string, any>;
}

export interface Counted {
  name: string;
  count: number;
}

/** Done */
export interface Soa {
  /**
   * Full name of the name server that is changed first
   * @minLength 1
   * @maxLength 1020
   */
  primary: string;
  /**
   * Mail address of who is responsible
   * @maxLength 1020
   */
  mail: string;
  /**
   * @min 0
   * @max 2147483647
   */
  refresh: number;
  /**
   * @min 0
   * @max 2147483647
   */
  retry: number;
  /**
   * @min 0
   * @max 2147483647
   */
  expire: number;
  /**
   * How long resolvers remember that something is not there
   * @min 0
   * @max 2147483647
   */
  minimum: number;
  /**
   * @min 0
   * @max 2147483647
   */
  ttl: number;
  /** Rises with each change of the zone */
  serial: number;
}

/** Done */
export interface Dnssec {
  signed: boolean;
  /** For the zone above: one of them is enough */
  ds: {
    /** As a zone file has it */
    value: string;
    /** Its fields, as registrars ask for them */
    data: RecordData;
  }[];
}

/** Done */
export interface ExpiryLookup {
  /** The registry knows the domain */
  success: boolean;
  /** The registrable domain */
  domain: string;
  /**
   * Null also where the registry publishes no date
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  expiresAt: string | null;
  registrar: string | null;
  nameServers: string[];
  /** In the words of EPP */
  status: string[];
  source: LookupSource | null;
  /** Why nothing was found, such as that it is not registered */
  error: string | null;
}

export interface Operation {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  kind: OperationKind;
  /**
   * Null: it is over many domains
   * @format uuid
   */
  domainId: string | null;
  domainName: string | null;
  actor: Actor;
  /** Those of one domain are done one after another */
  state: OperationState;
  /** `partly`: some of the changes were done; those of `changeId` say which */
  outcome: OperationOutcome | null;
  /** Changes of records that are done */
  done: number;
  /** Changes of records in all, as far as known */
  total: number;
  /**
   * What was done to records, in the history; null: nothing yet
   * @format uuid
   */
  changeId: string | null;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  startedAt: string | null;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  finishedAt: string | null;
}

/** Done */
export interface OperationAnswer {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  kind: OperationKind;
  /**
   * Null: it is over many domains
   * @format uuid
   */
  domainId: string | null;
  domainName: string | null;
  actor: Actor;
  /** Those of one domain are done one after another */
  state: OperationState;
  /** `partly`: some of the changes were done; those of `changeId` say which */
  outcome: OperationOutcome | null;
  /** Changes of records that are done */
  done: number;
  /** Changes of records in all, as far as known */
  total: number;
  /**
   * What was done to records, in the history; null: nothing yet
   * @format uuid
   */
  changeId: string | null;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  startedAt: string | null;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  finishedAt: string | null;
  /** What the request would have answered with 200: of an import `plan` and `skipped`, else the plan. Null until it has succeeded, and when that was found out after an interruption */
  result: Record<string, any> | null;
  /** Why it was not done, or only in part: what the request would have answered */
  problem: ToldProblem | null;
}

/** Done */
export interface RecordPage {
  records: DnsRecord[];
  /** Rows that match, on all pages */
  total: number;
  page: number;
  limit: number;
  /** `cursor` of the next page, which may be empty; null: this was the last */
  nextCursor: string | null;
  /** As of the domain: pages of different versions do not belong together */
  recordsVersion: number;
}

export interface RoutingKey {
  /** @maxLength 500 */
  key: string;
}

export interface CreateRecord {
  /** DNS record type, one of `GET /api/v1/record-types`; or `TYPE65534`, of which the data is bytes (RFC 3597) */
  recordType: RecordType;
  /**
   * Host part, `@` for the apex; a full name under the domain is shortened
   * @minLength 1
   * @maxLength 1000
   */
  name: string;
  /**
   * As its type says: MX "10 mail.example.com", SRV "priority weight port target", TXT unquoted
   * @maxLength 300000
   */
  value?: string;
  /**
   * Of a TXT, instead of the value: its strings, of at most 255 bytes each
   * @maxItems 65535
   * @minItems 1
   */
  strings?: string[];
  /** Instead of the value: its fields, as `GET /api/v1/record-types` describes them */
  data?: RecordData;
  /**
   * Seconds; 0 or missing: that of the RRset, else the default of the domain; null: the provider chooses, where it can
   * @min 0
   * @max 2147483647
   */
  ttl?: number | null;
  /**
   * Of MX and SRV: instead of the value's first number, or the same
   * @min 0
   * @max 65535
   */
  priority?: number | null;
  /** Only where the provider can */
  proxied?: boolean;
  /** Not so: kept without being published; only where `capabilities.disabledRecords` */
  enabled?: boolean;
  /**
   * For people; kept here and not published
   * @maxLength 500
   */
  comment?: string;
  /** Which of several sets of that name and type; it must be there */
  routing?: RoutingKey | null;
}

export interface UpdateRecord {
  /** DNS record type, one of `GET /api/v1/record-types`; or `TYPE65534`, of which the data is bytes (RFC 3597) */
  recordType?: RecordType;
  /**
   * Host part, `@` for the apex; a full name under the domain is shortened
   * @minLength 1
   * @maxLength 1000
   */
  name?: string;
  /**
   * As its type says: MX "10 mail.example.com", SRV "priority weight port target", TXT unquoted
   * @maxLength 300000
   */
  value?: string;
  /**
   * Of a TXT, instead of the value: its strings, of at most 255 bytes each
   * @maxItems 65535
   * @minItems 1
   */
  strings?: string[];
  /** Instead of the value: its fields, as `GET /api/v1/record-types` describes them */
  data?: RecordData;
  /**
   * Seconds; 0 or missing: that of the RRset, else the default of the domain; null: the provider chooses, where it can
   * @min 0
   * @max 2147483647
   */
  ttl?: number | null;
  /**
   * Of MX and SRV: instead of the value's first number, or the same
   * @min 0
   * @max 65535
   */
  priority?: number | null;
  /** Only where the provider can */
  proxied?: boolean;
  /** Not so: kept without being published; only where `capabilities.disabledRecords` */
  enabled?: boolean;
  /**
   * For people; kept here and not published
   * @maxLength 500
   */
  comment?: string;
  /** Which of several sets of that name and type; it must be there */
  routing?: RoutingKey | null;
  /**
   * Refused with 409 when out of date
   * @min 1
   */
  version?: number;
}

export interface CreateChange {
  action: "create";
  /** DNS record type, one of `GET /api/v1/record-types`; or `TYPE65534`, of which the data is bytes (RFC 3597) */
  recordType: RecordType;
  /**
   * Host part, `@` for the apex; a full name under the domain is shortened
   * @minLength 1
   * @maxLength 1000
   */
  name: string;
  /**
   * As its type says: MX "10 mail.example.com", SRV "priority weight port target", TXT unquoted
   * @maxLength 300000
   */
  value?: string;
  /**
   * Of a TXT, instead of the value: its strings, of at most 255 bytes each
   * @maxItems 65535
   * @minItems 1
   */
  strings?: string[];
  /** Instead of the value: its fields, as `GET /api/v1/record-types` describes them */
  data?: RecordData;
  /**
   * Seconds; 0 or missing: that of the RRset, else the default of the domain; null: the provider chooses, where it can
   * @min 0
   * @max 2147483647
   */
  ttl?: number | null;
  /**
   * Of MX and SRV: instead of the value's first number, or the same
   * @min 0
   * @max 65535
   */
  priority?: number | null;
  /** Only where the provider can */
  proxied?: boolean;
  /** Not so: kept without being published; only where `capabilities.disabledRecords` */
  enabled?: boolean;
  /**
   * For people; kept here and not published
   * @maxLength 500
   */
  comment?: string;
  /** Which of several sets of that name and type; it must be there */
  routing?: RoutingKey | null;
}

export interface UpdateChange {
  action: "update";
  /**
   * UUIDv7
   * @format uuid
   */
  recordId: string;
  /**
   * Refused with 409 when out of date
   * @min 1
   */
  version?: number;
  /** DNS record type, one of `GET /api/v1/record-types`; or `TYPE65534`, of which the data is bytes (RFC 3597) */
  recordType?: RecordType;
  /**
   * Host part, `@` for the apex; a full name under the domain is shortened
   * @minLength 1
   * @maxLength 1000
   */
  name?: string;
  /**
   * As its type says: MX "10 mail.example.com", SRV "priority weight port target", TXT unquoted
   * @maxLength 300000
   */
  value?: string;
  /**
   * Of a TXT, instead of the value: its strings, of at most 255 bytes each
   * @maxItems 65535
   * @minItems 1
   */
  strings?: string[];
  /** Instead of the value: its fields, as `GET /api/v1/record-types` describes them */
  data?: RecordData;
  /**
   * Seconds; 0 or missing: that of the RRset, else the default of the domain; null: the provider chooses, where it can
   * @min 0
   * @max 2147483647
   */
  ttl?: number | null;
  /**
   * Of MX and SRV: instead of the value's first number, or the same
   * @min 0
   * @max 65535
   */
  priority?: number | null;
  /** Only where the provider can */
  proxied?: boolean;
  /** Not so: kept without being published; only where `capabilities.disabledRecords` */
  enabled?: boolean;
  /**
   * For people; kept here and not published
   * @maxLength 500
   */
  comment?: string;
  /** Which of several sets of that name and type; it must be there */
  routing?: RoutingKey | null;
}

export interface DeleteChange {
  action: "delete";
  /**
   * UUIDv7
   * @format uuid
   */
  recordId: string;
  /**
   * Refused as outdated when the record has another
   * @min 1
   */
  version?: number;
}

export interface SetChange {
  action: "set";
  /** DNS record type, one of `GET /api/v1/record-types`; or `TYPE65534`, of which the data is bytes (RFC 3597) */
  recordType: RecordType;
  /**
   * Host part, `@` for the apex; a full name under the domain is shortened
   * @minLength 1
   * @maxLength 1000
   */
  name: string;
  /**
   * Of this name and type, and no others: what else is there goes, also what only the DNS provider holds. When it still holds something else while this is written, the answer is 409 `unknown_siblings` and nothing is written
   * @maxItems 200
   * @minItems 1
   */
  values: string[];
  /**
   * Seconds; 0 or missing: that of the RRset, else the default of the domain; null: the provider chooses, where it can
   * @min 0
   * @max 2147483647
   */
  ttl?: number | null;
}

export interface RecordChanges {
  /**
   * @maxItems 1000
   * @minItems 1
   */
  changes: RecordChange[];
  /**
   * Only plan, and keep the plan for an hour: `planId` in the answer is what `applyRecords` does it by. Whoever makes the plan can apply it, once, and only while it would do the same
   * @default false
   */
  keep?: boolean;
}

export interface AppliedChanges {
  /**
   * @maxItems 1000
   * @minItems 1
   */
  changes?: RecordChange[];
  /**
   * In place of `changes`: what that plan has shown
   * @format uuid
   */
  planId?: string;
}

/** Accepted */
export interface AcceptedOperation {
  operation: Operation;
}

export interface ZoneFileRecord {
  /** In which it begins */
  line: number;
  name: string;
  /** DNS record type, one of `GET /api/v1/record-types`; or `TYPE65534`, of which the data is bytes (RFC 3597) */
  recordType: RecordType;
  /** In canonical form */
  value: string;
  /** Seconds; null: the file says nothing about it */
  ttl: number | null;
  proxied?: boolean;
}

/** Done */
export interface ZoneImport {
  plan: Plan;
  skipped: {
    line: number;
    type: string;
    name: string;
    reason: string;
    /** What it is, for programs; stays the same while the words may change. More may come */
    code: string;
    /** What the words name, such as a limit */
    params?: Record<string, any>;
  }[];
  /** Where `listRecords` asked for them; with those that are there already */
  records?: ZoneFileRecord[];
}

export interface FailedCopy {
  action: "create" | "update" | "delete";
  /**
   * UUIDv7
   * @format uuid
   */
  recordId: string;
  record: RecordContent;
  error: string;
}

/** Done */
export interface CopyAnswer {
  plan: Plan;
  /** At the other provider; null: not there yet */
  zoneId: string | null;
  /** With `skipRefused`: what the provider refused when it was sent */
  failed: FailedCopy[];
}

/** Done */
export interface SwitchAnswer {
  domain: Domain;
  /**
   * The entry in the history
   * @format uuid
   */
  changeId: string;
  /** Records that only the zone there had */
  created: number;
  /** Records that are there otherwise, such as in TTL */
  updated: number;
  /** Records that are not there */
  deleted: number;
  /** To be set at the registrar; empty: the provider does not say */
  nameServers: string[];
  /** To be taken off at the registrar before the name servers are changed; null: a provider that does not show it, or did not answer */
  dsToRemove: string[] | null;
  /** To be set at the registrar when the new name servers are known everywhere; null: a provider that does not show it, or did not answer */
  dsToSet: string[] | null;
}

/** `value` or `cidr`, or neither: then the records of `type` and `name`. Addresses are also found in `ipv4hint` and `ipv6hint` of HTTPS and SVCB and in `ip4:` and `ip6:` of SPF */
export interface FindRecords {
  /** DNS record type, one of `GET /api/v1/record-types`; or `TYPE65534`, of which the data is bytes (RFC 3597) */
  type?: RecordType;
  /**
   * The whole value, in any form that its type takes
   * @maxLength 300000
   */
  value?: string;
  /**
   * A network, of whose addresses all A and AAAA records are found
   * @maxLength 50
   */
  cidr?: string;
  /**
   * Of records with this host part alone
   * @minLength 1
   * @maxLength 1000
   */
  name?: string;
  /**
   * Of these records alone
   * @maxItems 1000
   * @minItems 1
   * @uniqueItems true
   */
  recordIds?: string[];
}

/** At least one of both; without `find.value` or `find.cidr` a value needs `find.type`. A TTL is for the found records, not for those that have an address inside of their value */
export interface ReplaceRecords {
  /**
   * With `cidr` an address, or a network of the same size in which each address keeps its place
   * @maxLength 300000
   */
  value?: string;
  /**
   * Seconds; 0 or missing: that of the RRset, else the default of the domain; null: the provider chooses, where it can
   * @min 0
   * @max 2147483647
   */
  ttl?: number | null;
}

/** Which domains: those for which all of it holds; missing: all that the caller sees */
export interface DomainScope {
  /**
   * @maxItems 5000
   * @minItems 1
   * @uniqueItems true
   */
  domainIds?: string[];
  /** @maxLength 100 */
  group?: string;
  /**
   * @maxLength 50
   * @pattern ^(?=.*\S)[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$
   */
  tag?: string;
  /**
   * Part of the name
   * @maxLength 253
   */
  search?: string;
  /**
   * UUIDv7
   * @format uuid
   */
  providerConfigId?: string;
}

export interface ReplaceBody {
  /** `value` or `cidr`, or neither: then the records of `type` and `name`. Addresses are also found in `ipv4hint` and `ipv6hint` of HTTPS and SVCB and in `ip4:` and `ip6:` of SPF */
  find: FindRecords;
  /** At least one of both; without `find.value` or `find.cidr` a value needs `find.type`. A TTL is for the found records, not for those that have an address inside of their value */
  replaceWith: ReplaceRecords;
  /** Which domains: those for which all of it holds; missing: all that the caller sees */
  scope?: DomainScope;
  /**
   * Domains of the plan in one answer
   * @min 1
   * @max 200
   * @default 50
   */
  limit?: number;
}

export interface PlanToApply {
  /**
   * Of a plan that was answered within the last hour
   * @format uuid
   */
  planId: string;
}

export interface OperationToRevert {
  /**
   * A kept plan to revert this operation. Omit it to plan and apply at once
   * @format uuid
   */
  planId?: string;
}

export interface TemplateBody {
  /**
   * @maxLength 100
   * @pattern ^(?=.*\S)[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$
   */
  name: string;
  /** @maxLength 2000 */
  description?: string;
  /** @maxItems 30 */
  variables?: TemplateVariable[];
  /**
   * @maxItems 100
   * @minItems 1
   */
  records: TemplateRecord[];
  /** For all users; administrators alone may */
  shared?: boolean;
}

export interface TemplatePlanBody {
  /**
   * @maxItems 1000
   * @minItems 1
   * @uniqueItems true
   */
  domainIds: string[];
  /** Values by the names of the variables */
  variables?: Record<string, string>;
  /**
   * `add`: beside what is there. `replaceSets`: what is there of the names and types of the template goes
   * @default "add"
   */
  mode?: TemplateMode;
  /**
   * Domains of the plan in one answer
   * @min 1
   * @max 200
   * @default 50
   */
  limit?: number;
}

export interface AcmeChallengeInput {
  /**
   * Where the TXT record goes; with `value`
   * @minLength 1
   * @maxLength 254
   */
  fqdn?: string;
  /**
   * A SHA-256 in base64url: 43 characters
   * @maxLength 43
   * @pattern ^[A-Za-z0-9_-]{43}$
   */
  value?: string;
  /**
   * In mode RAW, instead: what the certificate is for; with `keyAuth`
   * @minLength 1
   * @maxLength 254
   */
  domain?: string;
  /**
   * In mode RAW; not needed
   * @maxLength 500
   */
  token?: string;
  /**
   * The key authorization (RFC 8555 section 8.1)
   * @minLength 1
   * @maxLength 1000
   */
  keyAuth?: string;
}

/** Done */
export interface AcmeChallenge {
  /** With its final dot */
  fqdn: string;
  /**
   * A SHA-256 in base64url: 43 characters
   * @maxLength 43
   * @pattern ^[A-Za-z0-9_-]{43}$
   */
  value: string;
}

export interface AcmeDnsRegistrationInput {
  /**
   * Client addresses that may update, as CIDR; none: all
   * @maxItems 50
   */
  allowfrom?: string[];
}

/** Created */
export interface AcmeDnsAccount {
  /**
   * UUIDv7
   * @format uuid
   */
  username: string;
  /** Shown only now */
  password: string;
  /** Where `_acme-challenge` of what the certificate is for shall point to by CNAME */
  fulldomain: string;
  /** @format uuid */
  subdomain: string;
  /**
   * Client addresses that may update, as CIDR; none: all
   * @maxItems 50
   */
  allowfrom: string[];
}

export interface AcmeDnsProblem {
  /** With validation_failed: what is wrong where */
  errors?: FieldError[];
  type: string;
  title: string;
  status: number;
  detail: string;
  /** What went wrong, for programs; stays the same while the words may change */
  code: ErrorCode;
  requestId: string;
  /** With conflict or forbidden: which of many, for programs, where neither `errors` nor `conflicts` say it. More may come */
  reason?: string;
  /** What the words of `detail` name, beside `reason` */
  params?: Record<string, any>;
  /** Of a second factor: how often it may be tried again */
  triesLeft?: number;
  /** With `permission_missing`: what the personal token lacks */
  permission?: TokenPermission;
  /** Of several changes: all that stands against them */
  conflicts?: PlanConflict[];
  /** With the reason `name_proof_required`: the TXT record that proves the right to the name */
  challenge?: NameChallenge;
  /** The member of the body whose value is taken */
  field?: string;
  record?: RecordSnapshot;
  current?: RecordSnapshot;
  /** How much of what the user to be deleted still owns */
  owned?: Record<string, number>;
  /** How many users would lose a binding */
  boundUsers?: number;
  /**
   * The change of records that was not done, only in part, or of which the outcome is not known
   * @format uuid
   */
  changeId?: string;
  /**
   * The operation by which a plan was applied
   * @format uuid
   */
  operationId?: string;
  /**
   * Of a plan over many domains that was not done as a whole
   * @format uuid
   */
  planId?: string;
  /** Of that plan: how many domains ended how */
  outcomes?: Record<string, number>;
  plan?: Plan;
  /**
   * Seconds to wait, as in `Retry-After`
   * @min 1
   */
  retryAfter?: number;
  /** Records at the provider that were compared */
  synced?: number;
  created?: number;
  updated?: number;
  deleted?: number;
  unchanged?: number;
  /** Records of types that are not managed here: see listUnmanagedRecords */
  skipped?: number;
  dryRun?: boolean;
  /** The first 100 of each */
  difference?: SyncDifference;
  /** `none`: nothing was done. `unknown`: it may have been done, in whole or in part; `statusUrl` says what, or a repeat with the same `Idempotency-Key` */
  outcome?: ProblemOutcome;
  /** How far that change is: `failed`, nothing was done; `partial`, `done` of `total` items, and `retryChange` does the rest; `pending`, not known yet */
  changeStatus?: ChangeStatus;
  /** Items of the change that were done, as far as is known */
  done?: number;
  /** Items of the change */
  total?: number;
  /**
   * Where the outcome of that change is told
   * @format uri-reference
   */
  statusUrl?: string;
  /** What acme-dns says, such as `bad_subdomain`, `bad_txt` or `forbidden`; else as `code` */
  error?: string;
}

export interface AcmeDnsUpdate {
  /** @maxLength 253 */
  subdomain: string;
  /** @maxLength 255 */
  txt: string;
}

/** Done */
export interface AcmeDnsValue {
  /**
   * A SHA-256 in base64url: 43 characters
   * @maxLength 43
   * @pattern ^[A-Za-z0-9_-]{43}$
   */
  txt: string;
}

export interface AcmeDnsRegistration {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  /**
   * UUIDv7
   * @format uuid
   */
  domainId: string;
  /** Where `_acme-challenge` of what the certificate is for shall point to by CNAME */
  fulldomain: string;
  /** @format uuid */
  subdomain: string;
  /**
   * Client addresses that may update, as CIDR; none: all
   * @maxItems 50
   */
  allowfrom: string[];
  /**
   * The personal token that it ends with
   * @format uuid
   */
  tokenId: string | null;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  lastUsedAt: string | null;
}

/** Done */
export interface AcmeDnsRegistrationList {
  registrations: AcmeDnsRegistration[];
}

export interface ExternalDnsEndpoint {
  /** @maxLength 1000 */
  dnsName: string;
  /**
   * As the type has them: MX "10 mail.example.com", TXT in quotes
   * @maxItems 1000
   */
  targets?: string[] | null;
  /** @maxLength 50 */
  recordType: string;
  /** @maxLength 1000 */
  setIdentifier?: string;
  /**
   * Seconds; 0 or missing: not said
   * @min 0
   * @max 9007199254740991
   */
  recordTTL?: number;
  /** Kept by external-dns itself, in its TXT records */
  labels?: Record<string, string> | null;
  /** @maxItems 100 */
  providerSpecific?:
    | {
        /** @maxLength 500 */
        name?: string;
        /** @maxLength 10000 */
        value?: string;
      }[]
    | null;
}

/** @maxItems 50000 */
export type ExternalDnsWishes = ExternalDnsEndpoint[] | null;

export interface AssignmentMetadata {
  type: AssignmentScope;
  /**
   * UUIDv7
   * @format uuid
   */
  domainId: string;
  domainName: string;
  /** The name as people read it */
  unicodeName?: string;
  subdomainPattern: string;
  /** The pattern joined to the name */
  host: string;
  /** The name as people read it */
  unicodeHost?: string;
  /** Who has the rights, or asks for them */
  username: string;
}

export interface AssignmentCreateNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "assignment.create";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: AssignmentMetadata;
}

export interface AssignmentDeleteNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "assignment.delete";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: AssignmentMetadata;
}

export interface AssignmentLeaveNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "assignment.leave";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: AssignmentMetadata;
}

export interface AssignmentRestrictedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "assignment.restricted";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: {
    type: AssignmentScope;
    /**
     * UUIDv7
     * @format uuid
     */
    domainId: string;
    domainName: string;
    /** The name as people read it */
    unicodeName?: string;
    subdomainPattern: string;
    /** The pattern joined to the name */
    host: string;
    /** The name as people read it */
    unicodeHost?: string;
    /** Who has the rights, or asks for them */
    username: string;
    /** What the assignment named and no longer allows */
    recordTypes: RecordType[];
  };
}

export interface AssignmentRequestNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "assignment.request";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: AssignmentMetadata;
}

export interface AssignmentApproveNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "assignment.approve";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: AssignmentMetadata;
}

export interface AssignmentRejectNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "assignment.reject";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: AssignmentMetadata;
}

export interface DomainMetadata {
  /**
   * UUIDv7
   * @format uuid
   */
  domainId: string;
  domainName: string;
  /** The name as people read it */
  unicodeName?: string;
}

export interface DomainCreatedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "domain.created";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: DomainMetadata;
}

export interface DomainOverlappedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "domain.overlapped";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: {
    /**
     * UUIDv7
     * @format uuid
     */
    domainId: string;
    domainName: string;
    /** The name as people read it */
    unicodeName?: string;
    /** The new domain, which equals, contains or lies below this one */
    registeredName: string;
    /** Who registered it */
    username: string;
  };
}

export interface DomainDeletedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "domain.deleted";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: DomainMetadata;
}

export interface DomainTransferredNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "domain.transferred";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: {
    /**
     * UUIDv7
     * @format uuid
     */
    domainId: string;
    domainName: string;
    /** The name as people read it */
    unicodeName?: string;
    /** Who owns it now */
    username: string;
    /** Who had it */
    previousUsername: string;
  };
}

export interface TransferMetadata {
  /**
   * UUIDv7
   * @format uuid
   */
  domainId: string;
  domainName: string;
  /** The name as people read it */
  unicodeName?: string;
  /** Who gets it once they accept */
  username: string;
  /** Who owns it */
  previousUsername: string;
}

export interface DomainTransferOfferedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "domain.transfer_offered";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: TransferMetadata;
}

export interface DomainTransferDeclinedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "domain.transfer_declined";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: TransferMetadata;
}

export interface DomainTransferWithdrawnNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "domain.transfer_withdrawn";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: TransferMetadata;
}

export interface DomainTransferExpiredNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "domain.transfer_expired";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: TransferMetadata;
}

export interface DomainSwitchedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "domain.switched";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: {
    /**
     * UUIDv7
     * @format uuid
     */
    domainId: string;
    domainName: string;
    /** The name as people read it */
    unicodeName?: string;
    /** Where it is served from now */
    provider: string;
    /** Where it was */
    previousProvider: string;
  };
}

export interface ExpiryMetadata {
  /**
   * UUIDv7
   * @format uuid
   */
  domainId: string;
  domainName: string;
  /** The name as people read it */
  unicodeName?: string;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  expiresAt: string;
  /** Whole days; 0 on the last */
  daysLeft: number;
  /** The lead time that was passed */
  leadDays: number | null;
}

export interface DomainExpiringNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "domain.expiring";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: ExpiryMetadata;
}

export interface DomainExpiredNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "domain.expired";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: ExpiryMetadata;
}

export interface DomainSyncFailedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "domain.sync_failed";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: {
    /**
     * UUIDv7
     * @format uuid
     */
    domainId: string;
    domainName: string;
    /** The name as people read it */
    unicodeName?: string;
    error: string;
    /** What `error` is, for programs; null without one, and where it is older than its code. More may come */
    errorCode?: string | null;
    /** What the words of `error` name, such as a status */
    errorParams?: Record<string, any> | null;
  };
}

export interface DomainDriftNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "domain.drift";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: {
    /**
     * UUIDv7
     * @format uuid
     */
    domainId: string;
    domainName: string;
    /** The name as people read it */
    unicodeName?: string;
    created: number;
    updated: number;
    deleted: number;
    /** The records here were made the same */
    applied: boolean;
  };
}

export interface RecordsMetadata {
  /**
   * UUIDv7
   * @format uuid
   */
  domainId: string;
  domainName: string;
  /** The name as people read it */
  unicodeName?: string;
  /**
   * UUIDv7
   * @format uuid
   */
  changeId: string;
  records: {
    /**
     * UUIDv7
     * @format uuid
     */
    id: string;
    name: string;
    /** As people read it, where that is something else */
    unicodeName?: string;
    /** DNS record type, one of `GET /api/v1/record-types`; or `TYPE65534`, of which the data is bytes (RFC 3597) */
    recordType: RecordType;
  }[];
}

export interface RecordCreatedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "record.created";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: RecordsMetadata;
}

export interface RecordUpdatedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "record.updated";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: RecordsMetadata;
}

export interface RecordDeletedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "record.deleted";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: RecordsMetadata;
}

export interface OperationMetadata {
  /**
   * UUIDv7
   * @format uuid
   */
  domainId: string | null;
  domainName: string | null;
  /** The name as people read it */
  unicodeName?: string;
  /**
   * UUIDv7
   * @format uuid
   */
  operationId: string;
  kind: OperationKind;
  /** `partly`: some of the changes were done; those of `changeId` say which */
  outcome: OperationOutcome;
  done: number;
  total: number;
}

export interface OperationFinishedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "operation.finished";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: OperationMetadata;
}

export interface OperationFailedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "operation.failed";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: OperationMetadata;
}

export interface AccountMetadata {
  /** Whose account it is */
  username: string;
  ip: string | null;
}

export interface AccountPasswordChangedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "account.password_changed";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: AccountMetadata;
}

export interface AccountSecondFactorChangedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "account.second_factor_changed";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: {
    /** Whose account it is */
    username: string;
    change:
      | "totp_enabled"
      | "totp_disabled"
      | "email_enabled"
      | "email_disabled"
      | "passkey_added"
      | "passkey_removed"
      | "recovery_codes_renewed"
      | "recovery_code_used";
  };
}

export interface AccountIdentityChangedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "account.identity_changed";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: {
    /** Whose account it is */
    username: string;
    providerId: string;
    change: "bound" | "unbound";
  };
}

export interface AccountNewSignInNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "account.new_sign_in";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: {
    /** Whose account it is */
    username: string;
    ip: string | null;
    userAgent: string;
  };
}

export interface AccountTokenExpiringNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "account.token_expiring";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: {
    /** Whose account it is */
    username: string;
    /**
     * UUIDv7
     * @format uuid
     */
    tokenId: string;
    tokenName: string;
    /**
     * ISO 8601, UTC
     * @format date-time
     * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
     */
    expiresAt: string;
  };
}

export interface AccountLockedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "account.locked";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: AccountMetadata;
}

export interface ChannelFailedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "channel.failed";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: {
    /**
     * UUIDv7
     * @format uuid
     */
    channelId: string;
    channel: string;
    name: string;
    /**
     * UUIDv7
     * @format uuid
     */
    deliveryId: string;
    event: string;
    error: string;
    /** What `error` is, for programs; null without one, and where it is older than its code. More may come */
    errorCode?: string | null;
    /** What the words of `error` name, such as a status */
    errorParams?: Record<string, any> | null;
  };
}

export interface ChannelTestNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "channel.test";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  metadata: {
    /**
     * UUIDv7
     * @format uuid
     */
    channelId: string;
    channel: string;
    name: string;
  };
}

export interface ConnectedNotification {
  /**
   * UUIDv7
   * @format uuid
   */
  id: string;
  event: "connected";
  title: string;
  content: string;
  level: Level;
  read: boolean;
  /**
   * ISO 8601, UTC
   * @format date-time
   * @pattern ^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$
   */
  createdAt: string;
  /**
   * Older messages that the same person caused and that are not shown: they are beyond a share of the list
   * @min 1
   */
  more?: number;
  /** Only in the stream, as its first message */
  metadata: object;
}
