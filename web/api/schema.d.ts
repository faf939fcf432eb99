// Made from the API description by `npm run console:types`; not edited by hand.

export interface Schemas {
  FieldError: { path: string; message: string; code: string; params?: Record<string, unknown> }
  ErrorCode: "validation_failed" | "unauthenticated" | "invalid_credentials" | "token_expired" | "forbidden" | "reauthentication_required" | "second_factor_required" | "permission_missing" | "not_found" | "method_not_allowed" | "conflict" | "last_sign_in_method" | "confirmation_required" | "plan_outdated" | "precondition_failed" | "changes_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "provider_error" | "provider_auth_failed" | "provider_rejected" | "provider_quota" | "provider_timeout" | "unavailable"
  Problem: { type: string; title: string; status: number; detail: string; code: Schemas["ErrorCode"]; requestId: string; errors?: Schemas["FieldError"][]; reason?: string; params?: Record<string, unknown> }
  Role: "admin" | "member"
  UserSummary: { id: string; username: string; email: string | null; role: Schemas["Role"] }
  SecondFactorMethod: "totp" | "passkey" | "email"
  TwoFactorState: { enabled: boolean; methods: Schemas["SecondFactorMethod"][] }
  CurrentUser: { id: string; username: string; email: string | null; emailVerified: boolean; role: Schemas["Role"]; displayName: string | null; nickname: string | null; avatarUrl: string | null; notificationsEnabled: boolean; emailNotificationsEnabled: boolean; hasPassword: boolean; twoFactor: Schemas["TwoFactorState"]; createdAt: string }
  AccountKind: "person" | "machine"
  User: { id: string; kind: Schemas["AccountKind"]; username: string; email: string | null; emailVerified: boolean; role: Schemas["Role"]; displayName: string | null; nickname: string | null; avatarUrl: string | null; disabled: boolean; hasPassword: boolean; twoFactor: Schemas["TwoFactorState"]; sessionCount: number; createdAt: string; updatedAt: string; lastLoginAt: string | null }
  DomainStatus: "active" | "expiring" | "expired"
  DomainAccess: "owner" | "admin" | "write" | "read"
  DomainOwner: { id: string; username: string }
  ExpirySource: "manual" | "rdap" | "whois"
  Domain: { id: string; name: string; unicodeName: string; providerId: string; providerConfigId: string; expiresAt: string | null; status: Schemas["DomainStatus"]; groupName: string; tags: string[]; recordCount: number; unmanaged: number; recordsVersion: number; createdAt: string; expiryRemindDays: number[]; autoCheckExpiry: boolean; lastSyncedAt: string | null; lastSyncError: string | null; lastSyncErrorCode: string | null; lastSyncErrorParams: Record<string, unknown> | null; access: Schemas["DomainAccess"]; owner: Schemas["DomainOwner"]; providerKey: string; providerConfigName: string | null; zoneId: string; ownerId: string; notes: string; nameServers: string[]; registrar: string | null; eppStatus: string[]; expirySource: Schemas["ExpirySource"] | null; expiryCheckedAt: string | null; syncInterval: number | null; defaultTtl: number; updatedAt: string }
  DomainListItem: { id: string; name: string; unicodeName: string; providerId: string; providerConfigId: string; expiresAt: string | null; status: Schemas["DomainStatus"]; groupName: string; tags: string[]; recordCount: number; unmanaged: number; recordsVersion: number; createdAt: string; expiryRemindDays: number[]; autoCheckExpiry: boolean; lastSyncedAt: string | null; lastSyncError: string | null; lastSyncErrorCode: string | null; lastSyncErrorParams: Record<string, unknown> | null; access: Schemas["DomainAccess"]; owner: Schemas["DomainOwner"]; providerKey: string; providerConfigName: string | null }
  RecordType: string
  RecordData: Record<string, unknown>
  Routing: { key: string; line?: string; weight?: number; setIdentifier?: string; region?: string }
  RecordStatus: "active" | "pending" | "failed"
  DnsRecord: { id: string; domainId: string; recordType: Schemas["RecordType"]; name: string; unicodeName: string; value: string; strings?: string[]; data?: Schemas["RecordData"]; ttl: number | null; priority: number | null; proxied: boolean; enabled: boolean; comment: string; routing: Schemas["Routing"] | null; status: Schemas["RecordStatus"]; version: number; createdAt: string; updatedAt: string }
  RecordSnapshot: { id: string; recordType: Schemas["RecordType"]; name: string; value: string; strings?: string[]; ttl: number | null; priority: number | null; proxied: boolean; enabled: boolean; comment: string; routing: Schemas["Routing"] | null; version: number }
  DomainsPlanKind: "replace" | "template" | "revert"
  ChangeAction: "create" | "update" | "delete"
  RecordContent: { name: string; recordType: Schemas["RecordType"]; value: string; strings?: string[]; ttl: number | null; priority: number | null; proxied: boolean; enabled: boolean; comment: string; routing: Schemas["Routing"] | null }
  PlannedRecord: { action: Schemas["ChangeAction"]; recordId: string | null; before: Schemas["RecordContent"] | null; after: Schemas["RecordContent"] | null }
  BlockedRecord: { recordId: string | null; before: Schemas["RecordContent"] | null; wanted: { name: string; recordType: string; value: string } | null; kind: string; code: string; params: Record<string, unknown>; detail: string }
  ToldProblem: { type: string; title: string; status: number; detail: string; code: Schemas["ErrorCode"]; requestId: string; errors?: Schemas["FieldError"][]; reason?: string; params?: Record<string, unknown> }
  PlannedDomain: { domainId: string; domainName: string; counts: { creates: number; updates: number; deletes: number; blocked: number }; changes: Schemas["PlannedRecord"][]; blocked: Schemas["BlockedRecord"][]; warnings: { code: string; params: Record<string, unknown>; message: string }[]; outcome: string | null; changeId: string | null; problem: Schemas["ToldProblem"] | null }
  DomainsPlan: { planId: string; kind: Schemas["DomainsPlanKind"]; planExpiresAt: string; operationId: string | null; undoesOperationId: string | null; totals: { domains: number; changedDomains: number; hidden: number; creates: number; updates: number; deletes: number; blocked: number }; domains: Schemas["PlannedDomain"][]; nextCursor: string | null }
  CreatedDomain: { id: string; name: string; unicodeName: string; providerId: string; providerConfigId: string; expiresAt: string | null; status: Schemas["DomainStatus"]; groupName: string; tags: string[]; recordCount: number; unmanaged: number; recordsVersion: number; createdAt: string; expiryRemindDays: number[]; autoCheckExpiry: boolean; lastSyncedAt: string | null; lastSyncError: string | null; lastSyncErrorCode: string | null; lastSyncErrorParams: Record<string, unknown> | null; access: Schemas["DomainAccess"]; owner: Schemas["DomainOwner"]; providerKey: string; providerConfigName: string | null; zoneId: string; ownerId: string; notes: string; nameServers: string[]; registrar: string | null; eppStatus: string[]; expirySource: Schemas["ExpirySource"] | null; expiryCheckedAt: string | null; syncInterval: number | null; defaultTtl: number; updatedAt: string; warnings?: string[] }
  ChangedRecord: { id: string; domainId: string; recordType: Schemas["RecordType"]; name: string; unicodeName: string; value: string; strings?: string[]; data?: Schemas["RecordData"]; ttl: number | null; priority: number | null; proxied: boolean; enabled: boolean; comment: string; routing: Schemas["Routing"] | null; status: Schemas["RecordStatus"]; version: number; createdAt: string; updatedAt: string; warnings: string[]; changeId: string | null }
  PlannedChange: { index: number | null; recordId: string; before: Schemas["RecordContent"] | null; after: Schemas["RecordContent"] | null }
  ConflictKind: "invalid" | "conflict" | "not_found" | "outdated" | "forbidden"
  PlanConflict: { index: number; kind: Schemas["ConflictKind"]; code: string; params: Record<string, unknown>; detail: string; recordId: string | null; errors?: Schemas["FieldError"][]; current?: Schemas["RecordSnapshot"] }
  Plan: { creates: Schemas["PlannedChange"][]; updates: Schemas["PlannedChange"][]; deletes: Schemas["PlannedChange"][]; conflicts: Schemas["PlanConflict"][]; warnings: ({ index: number | null; message: string; code: string; params: Record<string, unknown> })[]; applied: boolean; changeId: string | null; planId?: string | null; planExpiresAt?: string | null }
  ChangeSource: "single" | "bulk" | "apply" | "import" | "revert" | "restore" | "retry" | "sync" | "switch" | "replace" | "template" | "ddns"
  ChangeStatus: "pending" | "applied" | "partial" | "failed"
  Actor: { id: string | null; name: string; kind: Schemas["AccountKind"] | null }
  Origin: "console" | "cli" | "mcp" | "api" | "ddns" | "acme" | "external-dns" | "powerdns-api" | "dns-update" | "schedule" | "sync"
  TokenMark: { id: string; name: string; suffix: string | null }
  ChangeOutcome: "pending" | "applied" | "failed"
  Change: { id: string; source: Schemas["ChangeSource"]; status: Schemas["ChangeStatus"]; actor: Schemas["Actor"]; origin: Schemas["Origin"] | null; token: Schemas["TokenMark"] | null; operationId: string | null; createdAt: string; settledAt: string | null; itemCount: number; items: ({ action: Schemas["ChangeAction"]; recordId: string; before: Schemas["RecordContent"] | null; after: Schemas["RecordContent"] | null; outcome: Schemas["ChangeOutcome"]; error: string | null; errorCode: string | null })[]; unchanged?: Schemas["RecordContent"][] }
  TemplateVariable: { name: string; label: string; description?: string; required?: boolean; default?: string; pattern?: string }
  TemplateRecord: { recordType: Schemas["RecordType"]; name: string; value: string; ttl?: number }
  Template: { id: string; name: string; description: string; variables: Schemas["TemplateVariable"][]; records: Schemas["TemplateRecord"][]; builtIn: boolean; shared: boolean; ownerId: string | null; createdAt: string | null; updatedAt: string | null }
  AssignmentType: "domain" | "subdomain"
  AssignmentPermission: "read" | "write"
  Assignment: { id: string; userId: string; username: string; domainId: string; domainName: string; subdomainPattern: string; type: Schemas["AssignmentType"]; host: string; permission: Schemas["AssignmentPermission"]; recordTypes: Schemas["RecordType"][] | null; expiresAt: string | null; createdBy: string | null; createdByName: string | null; createdAt: string }
  AssignmentRequestStatus: "pending" | "approved" | "rejected" | "cancelled"
  AssignmentRequest: { id: string; userId: string; username: string; domainId: string; domainName: string; subdomainPattern: string; type: Schemas["AssignmentType"]; host: string; permission: Schemas["AssignmentPermission"]; reason: string; status: Schemas["AssignmentRequestStatus"]; decidedBy: string | null; decidedByName: string | null; decidedAt: string | null; decisionReason: string | null; assignmentId: string | null; createdAt: string }
  DomainTransferStatus: "pending" | "accepted" | "declined" | "withdrawn" | "expired"
  DomainTransfer: { id: string; domainId: string; domainName: string; fromUserId: string; fromUsername: string; toUserId: string; toUsername: string; status: Schemas["DomainTransferStatus"]; createdAt: string; expiresAt: string; endedAt: string | null }
  Health: { status: "ok" }
  ValidationProblem: { errors?: Schemas["FieldError"][]; type: string; title: string; status: number; detail: string; code: Schemas["ErrorCode"]; requestId: string; reason?: string; params?: Record<string, unknown> }
  Readiness: { ready: boolean; checks: ({ name: "database"; status: "ok" | "no_answer" | "disk_full" })[] }
  ProblemOutcome: "none" | "unknown"
  ProviderProblem: { retryAfter?: number; outcome?: Schemas["ProblemOutcome"]; changeId?: string; changeStatus?: Schemas["ChangeStatus"]; done?: number; total?: number; statusUrl?: string; type: string; title: string; status: number; detail: string; code: Schemas["ErrorCode"]; requestId: string; reason?: string; params?: Record<string, unknown> }
  TokenPermission: "domains:read" | "domains:write" | "records:read" | "records:write" | "templates:read" | "templates:write" | "providers:read" | "assignments:read" | "assignments:write" | "notifications:read" | "notifications:write" | "audit:read" | "ddns:update" | "acme:challenge"
  NameChallengeFound: "none" | "other" | "unanswered"
  NameChallenge: { name: string; type: "TXT"; value: string; found: Schemas["NameChallengeFound"] }
  ForbiddenProblem: { permission?: Schemas["TokenPermission"]; conflicts?: Schemas["PlanConflict"][]; challenge?: Schemas["NameChallenge"]; type: string; title: string; status: number; detail: string; code: Schemas["ErrorCode"]; requestId: string; reason?: string; params?: Record<string, unknown> }
  RateLimitedProblem: { retryAfter?: number; type: string; title: string; status: number; detail: string; code: Schemas["ErrorCode"]; requestId: string; reason?: string; params?: Record<string, unknown> }
  AuditAction: "acme_registration.created" | "acme_registration.deleted" | "assignment.approved" | "assignment.cancelled" | "assignment.created" | "assignment.deleted" | "assignment.left" | "assignment.rejected" | "assignment.requested" | "assignment.updated" | "audit.exported" | "auth.external_failed" | "auth.login" | "auth.login_failed" | "auth.logout" | "auth.password_reset_requested" | "auth.provider_logout" | "auth.provider_logout_failed" | "auth.recovery_code_used" | "auth.refresh_reused" | "auth.register_failed" | "auth.second_factor_failed" | "auth.second_factor_required" | "auth.session_ended" | "auth.sessions_ended" | "channel.created" | "channel.deleted" | "channel.replayed" | "channel.tested" | "channel.updated" | "domain.bulk_updated" | "domain.copied" | "domain.created" | "domain.deleted" | "domain.expiry_checked" | "domain.exported" | "domain.soa_changed" | "domain.dnssec_changed" | "domain.switched" | "domain.synced" | "domain.transfer_declined" | "domain.transfer_offered" | "domain.transfer_withdrawn" | "domain.transferred" | "domain.updated" | "domain.zone_created" | "invitation.created" | "invitation.revoked" | "oauth_provider.created" | "oauth_provider.deleted" | "oauth_provider.tested" | "oauth_provider.updated" | "provider_config.created" | "provider_config.deleted" | "provider_config.tested" | "provider_config.updated" | "records.changed" | "template.created" | "template.deleted" | "template.updated" | "token.created" | "token.revoked" | "token.rotated" | "user.created" | "user.deleted" | "user.email_change_requested" | "user.email_changed" | "user.identity_bind_failed" | "user.identity_bound" | "user.identity_unbound" | "user.passkey_added" | "user.passkey_removed" | "user.passkey_renamed" | "user.password_changed" | "user.password_reset" | "user.password_set" | "user.profile_changed" | "user.recovery_codes_renewed" | "user.rescued" | "user.second_factor_disabled" | "user.second_factor_enabled" | "user.second_factor_removed" | "user.sessions_ended" | "user.updated"
  UnauthenticatedProblem: { triesLeft?: number; type: string; title: string; status: number; detail: string; code: Schemas["ErrorCode"]; requestId: string; reason?: string; params?: Record<string, unknown> }
  SyncDifference: { created: Schemas["RecordContent"][]; updated: { before: Schemas["RecordContent"]; after: Schemas["RecordContent"] }[]; deleted: Schemas["RecordContent"][] }
  ConflictProblem: { errors?: Schemas["FieldError"][]; field?: string; record?: Schemas["RecordSnapshot"]; current?: Schemas["RecordSnapshot"]; conflicts?: Schemas["PlanConflict"][]; owned?: Record<string, number>; boundUsers?: number; changeId?: string; operationId?: string; planId?: string; outcomes?: Record<string, number>; plan?: Schemas["Plan"]; retryAfter?: number; synced?: number; created?: number; updated?: number; deleted?: number; unchanged?: number; skipped?: number; dryRun?: boolean; difference?: Schemas["SyncDifference"]; type: string; title: string; status: number; detail: string; code: Schemas["ErrorCode"]; requestId: string; reason?: string; params?: Record<string, unknown> }
  PreconditionProblem: { errors?: Schemas["FieldError"][]; current?: Schemas["RecordSnapshot"]; type: string; title: string; status: number; detail: string; code: Schemas["ErrorCode"]; requestId: string; reason?: string; params?: Record<string, unknown> }
  InvitationStatus: "active" | "used" | "expired" | "revoked"
  Inviter: { id: string | null; username: string | null }
  Invitation: { id: string; codePrefix: string; role: Schemas["Role"]; email: string | null; mailed: boolean; status: Schemas["InvitationStatus"]; maxUses: number; uses: number; createdBy: Schemas["Inviter"]; createdAt: string; expiresAt: string | null; revokedAt: string | null }
  SignedIn: { outcome: "signed_in"; accessToken: string; refreshToken: string; expiresIn: number; user: Schemas["UserSummary"] }
  SecondFactorNeeded: { outcome: "second_factor"; requires2FA: true; tempToken: string; methods: Schemas["SecondFactorMethod"][] }
  RefreshBody: { refreshToken?: string }
  CurrentUserAnswer: { user: Schemas["CurrentUser"] }
  NewSession: { accessToken: string; refreshToken: string; expiresIn: number; user: Schemas["UserSummary"] }
  PasskeyAssertion: { id: string; rawId: string; type: "public-key"; authenticatorAttachment?: string | null; clientExtensionResults?: Record<string, unknown>; response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string | null } }
  TokenRestrictions: { domainIds?: string[]; namePatterns?: string[]; recordTypes?: Schemas["RecordType"][]; ipRanges?: string[] }
  ListedToken: { id: string; name: string; permissions: Schemas["TokenPermission"][]; restrictions: Schemas["TokenRestrictions"] | null; createdAt: string; expiresAt: string | null; tokenPrefix: string; tokenSuffix: string | null; lastUsedAt: string | null; replacedBy: string | null }
  TokenList: { tokens: Schemas["ListedToken"][]; maxDays: number | null }
  CreateToken: { name: string; permissions: Schemas["TokenPermission"][]; restrictions?: Schemas["TokenRestrictions"] | null; expiresAt?: string | null; password?: string }
  NewToken: { token: string; id: string; name: string; permissions: Schemas["TokenPermission"][]; restrictions: Schemas["TokenRestrictions"] | null; createdAt: string; expiresAt: string | null }
  RotateToken: { expiresAt?: string | null; password?: string }
  EnableFactor: { code: string; password?: string }
  RecoveryCodes: { recoveryCodes: string[] }
  Reauthentication: { password?: string }
  PasskeyAttestation: { id: string; rawId: string; type: "public-key"; authenticatorAttachment?: string | null; clientExtensionResults?: Record<string, unknown>; response: { clientDataJSON: string; attestationObject: string; transports?: string[] } }
  Passkey: { id: string; name: string; transports: string[]; backedUp: boolean; createdAt: string; lastUsedAt: string | null }
  TokenOwner: { id: string; kind: Schemas["AccountKind"]; username: string; displayName: string | null; role: Schemas["Role"] }
  OAuthProviderId: "oidc" | "custom" | "codehost_a" | "codehost_b" | "idp_a" | "chat_a" | "chat_b"
  OAuthKind: "oidc" | "oauth2"
  SignedInByTicket: { outcome: "signed_in"; accessToken: string; expiresIn: number; user: Schemas["UserSummary"] }
  LogoutProblem: { errors?: Schemas["FieldError"][]; type: string; title: string; status: number; detail: string; code: Schemas["ErrorCode"]; requestId: string; reason?: string; params?: Record<string, unknown>; triesLeft?: number; permission?: Schemas["TokenPermission"]; conflicts?: Schemas["PlanConflict"][]; challenge?: Schemas["NameChallenge"]; field?: string; record?: Schemas["RecordSnapshot"]; current?: Schemas["RecordSnapshot"]; owned?: Record<string, number>; boundUsers?: number; changeId?: string; operationId?: string; planId?: string; outcomes?: Record<string, number>; plan?: Schemas["Plan"]; retryAfter?: number; synced?: number; created?: number; updated?: number; deleted?: number; unchanged?: number; skipped?: number; dryRun?: boolean; difference?: Schemas["SyncDifference"]; outcome?: Schemas["ProblemOutcome"]; changeStatus?: Schemas["ChangeStatus"]; done?: number; total?: number; statusUrl?: string; error?: string; error_description?: string }
  TokenAuthMethod: "basic" | "post"
  UserInfoFields: { subject: string; username: string | null; displayName: string | null; email: string | null; emailVerified: string | null; avatar: string | null }
  OAuthProviderConfig: { id: string; providerId: Schemas["OAuthProviderId"]; name: string | null; enabled: boolean; clientIdMasked: string; scope: string; wellKnownUrl: string | null; authorizeUrl: string | null; tokenUrl: string | null; userInfoUrl: string | null; issuer: string | null; tokenAuthMethod: Schemas["TokenAuthMethod"] | null; fields: Schemas["UserInfoFields"]; homepageUrl: string; redirectUrl: string; boundUsers: number; createdAt: string; updatedAt: string }
  UserInfoFieldsChange: { subject?: string; username?: string | null; displayName?: string | null; email?: string | null; emailVerified?: string | null; avatar?: string | null }
  NewProviderConfig: { providerId: string; name: string; credentials?: Record<string, string>; ownerId?: string; nameServers?: string[]; hostmaster?: string | null }
  BreakerState: "closed" | "open"
  Breaker: { state: Schemas["BreakerState"]; since: string | null; nextTry: string | null }
  ProviderConfig: { id: string; providerId: string; providerKey: string; name: string; ownerId: string; credentials: Record<string, string>; nameServers: string[]; hostmaster: string | null; breaker: Schemas["Breaker"]; createdAt: string; updatedAt: string }
  ProviderConfigTest: { success: boolean; code: Schemas["ErrorCode"] | null; error: string | null }
  CapabilityExtent: "none" | "read" | "write"
  RecordFieldKind: "integer" | "decimal" | "ipv4" | "ipv6" | "name" | "hex" | "base64" | "text" | "types" | "prefixes" | "parameters" | "coordinate"
  RecordField: { name: string; kind: Schemas["RecordFieldKind"]; title: string; help?: string; minimum?: number; maximum?: number; choices?: { value: unknown; title: string }[]; example: unknown }
  RecordTypeInfo: { type: Schemas["RecordType"]; title: string; help: string; rfc: string; readOnly: boolean; place: "any" | "apex" | "below"; example: string; fields: Schemas["RecordField"][]; providers: string[]; providerConfigIds: string[] }
  DomainSort: "name" | "expiresAt" | "createdAt" | "recordCount"
  Order: "asc" | "desc"
  DomainPage: { domains: Schemas["DomainListItem"][]; total: number; page: number; limit: number; nextCursor: string | null }
  StartTemplate: { id: string; variables?: Record<string, string> }
  Counted: { name: string; count: number }
  ZoneStatus: "active" | "pending" | "paused"
  ZoneKind: "primary" | "secondary"
  Soa: { primary: string; mail: string; refresh: number; retry: number; expire: number; minimum: number; ttl: number; serial: number }
  Dnssec: { signed: boolean; ds: { value: string; data: Schemas["RecordData"] }[] }
  LookupSource: "rdap" | "whois"
  ExpiryLookup: { success: boolean; domain: string; expiresAt: string | null; registrar: string | null; nameServers: string[]; status: string[]; source: Schemas["LookupSource"] | null; error: string | null }
  OperationKind: "import" | "revert" | "restore" | "retry" | "copy" | "replace" | "template"
  OperationState: "waiting" | "running" | "finished"
  OperationOutcome: "succeeded" | "partly" | "failed"
  Operation: { id: string; kind: Schemas["OperationKind"]; domainId: string | null; domainName: string | null; actor: Schemas["Actor"]; state: Schemas["OperationState"]; outcome: Schemas["OperationOutcome"] | null; done: number; total: number; changeId: string | null; createdAt: string; startedAt: string | null; finishedAt: string | null }
  OperationAnswer: { id: string; kind: Schemas["OperationKind"]; domainId: string | null; domainName: string | null; actor: Schemas["Actor"]; state: Schemas["OperationState"]; outcome: Schemas["OperationOutcome"] | null; done: number; total: number; changeId: string | null; createdAt: string; startedAt: string | null; finishedAt: string | null; result: Record<string, unknown> | null; problem: Schemas["ToldProblem"] | null }
  SearchedIn: "name" | "value" | "name,value"
  RecordSort: "name" | "type" | "createdAt"
  RecordPage: { records: Schemas["DnsRecord"][]; total: number; page: number; limit: number; nextCursor: string | null; recordsVersion: number }
  RoutingKey: { key: string }
  CreateRecord: { recordType: Schemas["RecordType"]; name: string; value?: string; strings?: string[]; data?: Schemas["RecordData"]; ttl?: number | null; priority?: number | null; proxied?: boolean; enabled?: boolean; comment?: string; routing?: Schemas["RoutingKey"] | null }
  UpdateRecord: { recordType?: Schemas["RecordType"]; name?: string; value?: string; strings?: string[]; data?: Schemas["RecordData"]; ttl?: number | null; priority?: number | null; proxied?: boolean; enabled?: boolean; comment?: string; routing?: Schemas["RoutingKey"] | null; version?: number }
  CreateChange: { action: "create"; recordType: Schemas["RecordType"]; name: string; value?: string; strings?: string[]; data?: Schemas["RecordData"]; ttl?: number | null; priority?: number | null; proxied?: boolean; enabled?: boolean; comment?: string; routing?: Schemas["RoutingKey"] | null }
  UpdateChange: { action: "update"; recordId: string; version?: number; recordType?: Schemas["RecordType"]; name?: string; value?: string; strings?: string[]; data?: Schemas["RecordData"]; ttl?: number | null; priority?: number | null; proxied?: boolean; enabled?: boolean; comment?: string; routing?: Schemas["RoutingKey"] | null }
  DeleteChange: { action: "delete"; recordId: string; version?: number }
  SetChange: { action: "set"; recordType: Schemas["RecordType"]; name: string; values: string[]; ttl?: number | null }
  RecordChange: Schemas["CreateChange"] | Schemas["UpdateChange"] | Schemas["DeleteChange"] | Schemas["SetChange"]
  RecordChanges: { changes: Schemas["RecordChange"][]; keep?: boolean }
  AppliedChanges: { changes?: Schemas["RecordChange"][]; planId?: string }
  AcceptedOperation: { operation: Schemas["Operation"] }
  ZoneFileRecord: { line: number; name: string; recordType: Schemas["RecordType"]; value: string; ttl: number | null; proxied?: boolean }
  ZoneImport: { plan: Schemas["Plan"]; skipped: { line: number; type: string; name: string; reason: string; code: string; params?: Record<string, unknown> }[]; records?: Schemas["ZoneFileRecord"][] }
  CopyMode: "merge" | "replace"
  FailedCopy: { action: "create" | "update" | "delete"; recordId: string; record: Schemas["RecordContent"]; error: string }
  CopyAnswer: { plan: Schemas["Plan"]; zoneId: string | null; failed: Schemas["FailedCopy"][] }
  SwitchAnswer: { domain: Schemas["Domain"]; changeId: string; created: number; updated: number; deleted: number; nameServers: string[]; dsToRemove: string[] | null; dsToSet: string[] | null }
  FindRecords: { type?: Schemas["RecordType"]; value?: string; cidr?: string; name?: string; recordIds?: string[] }
  ReplaceRecords: { value?: string; ttl?: number | null }
  DomainScope: { domainIds?: string[]; group?: string; tag?: string; search?: string; providerConfigId?: string }
  ReplaceBody: { find: Schemas["FindRecords"]; replaceWith: Schemas["ReplaceRecords"]; scope?: Schemas["DomainScope"]; limit?: number }
  PlanToApply: { planId: string }
  OperationToRevert: { planId?: string }
  ZoneFormat: "bind" | "octodns"
  TemplateBody: { name: string; description?: string; variables?: Schemas["TemplateVariable"][]; records: Schemas["TemplateRecord"][]; shared?: boolean }
  TemplateMode: "add" | "replaceSets"
  TemplatePlanBody: { domainIds: string[]; variables?: Record<string, string>; mode?: Schemas["TemplateMode"]; limit?: number }
  AcmeChallengeInput: { fqdn?: string; value?: string; domain?: string; token?: string; keyAuth?: string }
  AcmeChallenge: { fqdn: string; value: string }
  AcmeDnsRegistrationInput: { allowfrom?: string[] }
  AcmeDnsAccount: { username: string; password: string; fulldomain: string; subdomain: string; allowfrom: string[] }
  AcmeDnsProblem: { errors?: Schemas["FieldError"][]; type: string; title: string; status: number; detail: string; code: Schemas["ErrorCode"]; requestId: string; reason?: string; params?: Record<string, unknown>; triesLeft?: number; permission?: Schemas["TokenPermission"]; conflicts?: Schemas["PlanConflict"][]; challenge?: Schemas["NameChallenge"]; field?: string; record?: Schemas["RecordSnapshot"]; current?: Schemas["RecordSnapshot"]; owned?: Record<string, number>; boundUsers?: number; changeId?: string; operationId?: string; planId?: string; outcomes?: Record<string, number>; plan?: Schemas["Plan"]; retryAfter?: number; synced?: number; created?: number; updated?: number; deleted?: number; unchanged?: number; skipped?: number; dryRun?: boolean; difference?: Schemas["SyncDifference"]; outcome?: Schemas["ProblemOutcome"]; changeStatus?: Schemas["ChangeStatus"]; done?: number; total?: number; statusUrl?: string; error?: string }
  AcmeDnsUpdate: { subdomain: string; txt: string }
  AcmeDnsValue: { txt: string }
  AcmeDnsRegistration: { id: string; domainId: string; fulldomain: string; subdomain: string; allowfrom: string[]; tokenId: string | null; createdAt: string; lastUsedAt: string | null }
  AcmeDnsRegistrationList: { registrations: Schemas["AcmeDnsRegistration"][] }
  ExternalDnsEndpoint: { dnsName: string; targets?: string[] | null; recordType: string; setIdentifier?: string; recordTTL?: number; labels?: Record<string, string> | null; providerSpecific?: { name?: string; value?: string }[] | null }
  ExternalDnsWishes: Schemas["ExternalDnsEndpoint"][] | null
  Level: "info" | "success" | "warning" | "error"
  AssignmentScope: "domain" | "subdomain"
  AssignmentMetadata: { type: Schemas["AssignmentScope"]; domainId: string; domainName: string; unicodeName?: string; subdomainPattern: string; host: string; unicodeHost?: string; username: string }
  AssignmentCreateNotification: { id: string; event: "assignment.create"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["AssignmentMetadata"] }
  AssignmentDeleteNotification: { id: string; event: "assignment.delete"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["AssignmentMetadata"] }
  AssignmentLeaveNotification: { id: string; event: "assignment.leave"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["AssignmentMetadata"] }
  AssignmentRestrictedNotification: { id: string; event: "assignment.restricted"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: { type: Schemas["AssignmentScope"]; domainId: string; domainName: string; unicodeName?: string; subdomainPattern: string; host: string; unicodeHost?: string; username: string; recordTypes: Schemas["RecordType"][] } }
  AssignmentRequestNotification: { id: string; event: "assignment.request"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["AssignmentMetadata"] }
  AssignmentApproveNotification: { id: string; event: "assignment.approve"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["AssignmentMetadata"] }
  AssignmentRejectNotification: { id: string; event: "assignment.reject"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["AssignmentMetadata"] }
  DomainMetadata: { domainId: string; domainName: string; unicodeName?: string }
  DomainCreatedNotification: { id: string; event: "domain.created"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["DomainMetadata"] }
  DomainOverlappedNotification: { id: string; event: "domain.overlapped"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: { domainId: string; domainName: string; unicodeName?: string; registeredName: string; username: string } }
  DomainDeletedNotification: { id: string; event: "domain.deleted"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["DomainMetadata"] }
  DomainTransferredNotification: { id: string; event: "domain.transferred"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: { domainId: string; domainName: string; unicodeName?: string; username: string; previousUsername: string } }
  TransferMetadata: { domainId: string; domainName: string; unicodeName?: string; username: string; previousUsername: string }
  DomainTransferOfferedNotification: { id: string; event: "domain.transfer_offered"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["TransferMetadata"] }
  DomainTransferDeclinedNotification: { id: string; event: "domain.transfer_declined"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["TransferMetadata"] }
  DomainTransferWithdrawnNotification: { id: string; event: "domain.transfer_withdrawn"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["TransferMetadata"] }
  DomainTransferExpiredNotification: { id: string; event: "domain.transfer_expired"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["TransferMetadata"] }
  DomainSwitchedNotification: { id: string; event: "domain.switched"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: { domainId: string; domainName: string; unicodeName?: string; provider: string; previousProvider: string } }
  ExpiryMetadata: { domainId: string; domainName: string; unicodeName?: string; expiresAt: string; daysLeft: number; leadDays: number | null }
  DomainExpiringNotification: { id: string; event: "domain.expiring"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["ExpiryMetadata"] }
  DomainExpiredNotification: { id: string; event: "domain.expired"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["ExpiryMetadata"] }
  DomainSyncFailedNotification: { id: string; event: "domain.sync_failed"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: { domainId: string; domainName: string; unicodeName?: string; error: string; errorCode?: string | null; errorParams?: Record<string, unknown> | null } }
  DomainDriftNotification: { id: string; event: "domain.drift"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: { domainId: string; domainName: string; unicodeName?: string; created: number; updated: number; deleted: number; applied: boolean } }
  RecordsMetadata: { domainId: string; domainName: string; unicodeName?: string; changeId: string; records: { id: string; name: string; unicodeName?: string; recordType: Schemas["RecordType"] }[] }
  RecordCreatedNotification: { id: string; event: "record.created"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["RecordsMetadata"] }
  RecordUpdatedNotification: { id: string; event: "record.updated"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["RecordsMetadata"] }
  RecordDeletedNotification: { id: string; event: "record.deleted"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["RecordsMetadata"] }
  OperationMetadata: { domainId: string | null; domainName: string | null; unicodeName?: string; operationId: string; kind: Schemas["OperationKind"]; outcome: Schemas["OperationOutcome"]; done: number; total: number }
  OperationFinishedNotification: { id: string; event: "operation.finished"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["OperationMetadata"] }
  OperationFailedNotification: { id: string; event: "operation.failed"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["OperationMetadata"] }
  AccountMetadata: { username: string; ip: string | null }
  AccountPasswordChangedNotification: { id: string; event: "account.password_changed"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["AccountMetadata"] }
  AccountSecondFactorChangedNotification: { id: string; event: "account.second_factor_changed"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: { username: string; change: "totp_enabled" | "totp_disabled" | "email_enabled" | "email_disabled" | "passkey_added" | "passkey_removed" | "recovery_codes_renewed" | "recovery_code_used" } }
  AccountIdentityChangedNotification: { id: string; event: "account.identity_changed"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: { username: string; providerId: string; change: "bound" | "unbound" } }
  AccountNewSignInNotification: { id: string; event: "account.new_sign_in"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: { username: string; ip: string | null; userAgent: string } }
  AccountTokenExpiringNotification: { id: string; event: "account.token_expiring"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: { username: string; tokenId: string; tokenName: string; expiresAt: string } }
  AccountLockedNotification: { id: string; event: "account.locked"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Schemas["AccountMetadata"] }
  ChannelFailedNotification: { id: string; event: "channel.failed"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: { channelId: string; channel: string; name: string; deliveryId: string; event: string; error: string; errorCode?: string | null; errorParams?: Record<string, unknown> | null } }
  ChannelTestNotification: { id: string; event: "channel.test"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: { channelId: string; channel: string; name: string } }
  ConnectedNotification: { id: string; event: "connected"; title: string; content: string; level: Schemas["Level"]; read: boolean; createdAt: string; more?: number; metadata: Record<string, unknown> }
  Notification: Schemas["AssignmentCreateNotification"] | Schemas["AssignmentDeleteNotification"] | Schemas["AssignmentLeaveNotification"] | Schemas["AssignmentRestrictedNotification"] | Schemas["AssignmentRequestNotification"] | Schemas["AssignmentApproveNotification"] | Schemas["AssignmentRejectNotification"] | Schemas["DomainCreatedNotification"] | Schemas["DomainOverlappedNotification"] | Schemas["DomainDeletedNotification"] | Schemas["DomainTransferredNotification"] | Schemas["DomainTransferOfferedNotification"] | Schemas["DomainTransferDeclinedNotification"] | Schemas["DomainTransferWithdrawnNotification"] | Schemas["DomainTransferExpiredNotification"] | Schemas["DomainSwitchedNotification"] | Schemas["DomainExpiringNotification"] | Schemas["DomainExpiredNotification"] | Schemas["DomainSyncFailedNotification"] | Schemas["DomainDriftNotification"] | Schemas["RecordCreatedNotification"] | Schemas["RecordUpdatedNotification"] | Schemas["RecordDeletedNotification"] | Schemas["OperationFinishedNotification"] | Schemas["OperationFailedNotification"] | Schemas["AccountPasswordChangedNotification"] | Schemas["AccountSecondFactorChangedNotification"] | Schemas["AccountIdentityChangedNotification"] | Schemas["AccountNewSignInNotification"] | Schemas["AccountTokenExpiringNotification"] | Schemas["AccountLockedNotification"] | Schemas["ChannelFailedNotification"] | Schemas["ChannelTestNotification"] | Schemas["ConnectedNotification"]
  EventPattern: "*" | "assignment.*" | "domain.*" | "record.*" | "operation.*" | "account.*" | "channel.*" | "assignment.create" | "assignment.delete" | "assignment.leave" | "assignment.restricted" | "assignment.request" | "assignment.approve" | "assignment.reject" | "domain.created" | "domain.overlapped" | "domain.deleted" | "domain.transferred" | "domain.transfer_offered" | "domain.transfer_declined" | "domain.transfer_withdrawn" | "domain.transfer_expired" | "domain.switched" | "domain.expiring" | "domain.expired" | "domain.sync_failed" | "domain.drift" | "record.created" | "record.updated" | "record.deleted" | "operation.finished" | "operation.failed" | "account.password_changed" | "account.second_factor_changed" | "account.identity_changed" | "account.new_sign_in" | "account.token_expiring" | "account.locked" | "channel.failed"
  DomainFilterInput: { groups?: string[]; tags?: string[] }
  ChatConfig: { webhookUrl: string; secret?: string }
  NewChatAChannel: { name: string; events: Schemas["EventPattern"][]; domains?: Schemas["DomainFilterInput"]; enabled?: boolean; channel: "chat_a"; config: Schemas["ChatConfig"] }
  NewChatBChannel: { name: string; events: Schemas["EventPattern"][]; domains?: Schemas["DomainFilterInput"]; enabled?: boolean; channel: "chat_b"; config: Schemas["ChatConfig"] }
  ChatWebhookConfig: { webhookUrl: string }
  NewSlackChannel: { name: string; events: Schemas["EventPattern"][]; domains?: Schemas["DomainFilterInput"]; enabled?: boolean; channel: "slack"; config: Schemas["ChatWebhookConfig"] }
  NewDiscordChannel: { name: string; events: Schemas["EventPattern"][]; domains?: Schemas["DomainFilterInput"]; enabled?: boolean; channel: "discord"; config: Schemas["ChatWebhookConfig"] }
  TelegramConfig: { botToken: string; chatId: string; threadId?: number; apiUrl?: string }
  NewTelegramChannel: { name: string; events: Schemas["EventPattern"][]; domains?: Schemas["DomainFilterInput"]; enabled?: boolean; channel: "telegram"; config: Schemas["TelegramConfig"] }
  GoogleChatConfig: { webhookUrl: string; threads?: boolean }
  NewGoogleChatChannel: { name: string; events: Schemas["EventPattern"][]; domains?: Schemas["DomainFilterInput"]; enabled?: boolean; channel: "google_chat"; config: Schemas["GoogleChatConfig"] }
  NewTeamsChannel: { name: string; events: Schemas["EventPattern"][]; domains?: Schemas["DomainFilterInput"]; enabled?: boolean; channel: "teams"; config: Schemas["ChatWebhookConfig"] }
  NewMattermostChannel: { name: string; events: Schemas["EventPattern"][]; domains?: Schemas["DomainFilterInput"]; enabled?: boolean; channel: "mattermost"; config: Schemas["ChatWebhookConfig"] }
  NtfyConfig: { url: string; token?: string }
  NewNtfyChannel: { name: string; events: Schemas["EventPattern"][]; domains?: Schemas["DomainFilterInput"]; enabled?: boolean; channel: "ntfy"; config: Schemas["NtfyConfig"] }
  EmailConfig: { to: string[] }
  NewEmailChannel: { name: string; events: Schemas["EventPattern"][]; domains?: Schemas["DomainFilterInput"]; enabled?: boolean; channel: "email"; config: Schemas["EmailConfig"] }
  TemplateType: "application/json" | "application/x-www-form-urlencoded" | "text/plain"
  WebhookConfig: { url: string; secret?: string; headers?: Record<string, string>; template?: string; contentType?: Schemas["TemplateType"] }
  NewWebhookChannel: { name: string; events: Schemas["EventPattern"][]; domains?: Schemas["DomainFilterInput"]; enabled?: boolean; channel: "webhook"; config: Schemas["WebhookConfig"] }
  WebAudience: "admins" | "all"
  WebConfig: { audience: Schemas["WebAudience"] }
  NewWebChannel: { name: string; events: Schemas["EventPattern"][]; domains?: Schemas["DomainFilterInput"]; enabled?: boolean; channel: "web"; config: Schemas["WebConfig"] }
  DomainFilter: { groups: string[]; tags: string[] }
  LastDelivery: { at: string; ok: boolean; error: string | null; errorCode: string | null; errorParams: Record<string, unknown> | null }
  MaskedChatConfig: { webhookUrl: string; secret?: string }
  ChatAChannel: { id: string; name: string; events: Schemas["EventPattern"][]; domains: Schemas["DomainFilter"]; enabled: boolean; createdAt: string; lastDelivery: Schemas["LastDelivery"] | null; channel: "chat_a"; config: Schemas["MaskedChatConfig"] }
  ChatBChannel: { id: string; name: string; events: Schemas["EventPattern"][]; domains: Schemas["DomainFilter"]; enabled: boolean; createdAt: string; lastDelivery: Schemas["LastDelivery"] | null; channel: "chat_b"; config: Schemas["MaskedChatConfig"] }
  MaskedChatWebhookConfig: { webhookUrl: string }
  SlackChannel: { id: string; name: string; events: Schemas["EventPattern"][]; domains: Schemas["DomainFilter"]; enabled: boolean; createdAt: string; lastDelivery: Schemas["LastDelivery"] | null; channel: "slack"; config: Schemas["MaskedChatWebhookConfig"] }
  DiscordChannel: { id: string; name: string; events: Schemas["EventPattern"][]; domains: Schemas["DomainFilter"]; enabled: boolean; createdAt: string; lastDelivery: Schemas["LastDelivery"] | null; channel: "discord"; config: Schemas["MaskedChatWebhookConfig"] }
  MaskedTelegramConfig: { botToken: string; chatId: string; threadId?: number; apiUrl?: string }
  TelegramChannel: { id: string; name: string; events: Schemas["EventPattern"][]; domains: Schemas["DomainFilter"]; enabled: boolean; createdAt: string; lastDelivery: Schemas["LastDelivery"] | null; channel: "telegram"; config: Schemas["MaskedTelegramConfig"] }
  MaskedGoogleChatConfig: { webhookUrl: string; threads?: boolean }
  GoogleChatChannel: { id: string; name: string; events: Schemas["EventPattern"][]; domains: Schemas["DomainFilter"]; enabled: boolean; createdAt: string; lastDelivery: Schemas["LastDelivery"] | null; channel: "google_chat"; config: Schemas["MaskedGoogleChatConfig"] }
  TeamsChannel: { id: string; name: string; events: Schemas["EventPattern"][]; domains: Schemas["DomainFilter"]; enabled: boolean; createdAt: string; lastDelivery: Schemas["LastDelivery"] | null; channel: "teams"; config: Schemas["MaskedChatWebhookConfig"] }
  MattermostChannel: { id: string; name: string; events: Schemas["EventPattern"][]; domains: Schemas["DomainFilter"]; enabled: boolean; createdAt: string; lastDelivery: Schemas["LastDelivery"] | null; channel: "mattermost"; config: Schemas["MaskedChatWebhookConfig"] }
  MaskedNtfyConfig: { url: string; token?: string }
  NtfyChannel: { id: string; name: string; events: Schemas["EventPattern"][]; domains: Schemas["DomainFilter"]; enabled: boolean; createdAt: string; lastDelivery: Schemas["LastDelivery"] | null; channel: "ntfy"; config: Schemas["MaskedNtfyConfig"] }
  MaskedEmailConfig: { to: string[] }
  EmailChannel: { id: string; name: string; events: Schemas["EventPattern"][]; domains: Schemas["DomainFilter"]; enabled: boolean; createdAt: string; lastDelivery: Schemas["LastDelivery"] | null; channel: "email"; config: Schemas["MaskedEmailConfig"] }
  MaskedWebhookConfig: { url: string; secret?: string; headers?: Record<string, string>; template?: string; contentType?: Schemas["TemplateType"] }
  WebhookChannel: { id: string; name: string; events: Schemas["EventPattern"][]; domains: Schemas["DomainFilter"]; enabled: boolean; createdAt: string; lastDelivery: Schemas["LastDelivery"] | null; channel: "webhook"; config: Schemas["MaskedWebhookConfig"] }
  MaskedWebConfig: { audience: Schemas["WebAudience"] }
  WebChannel: { id: string; name: string; events: Schemas["EventPattern"][]; domains: Schemas["DomainFilter"]; enabled: boolean; createdAt: string; lastDelivery: Schemas["LastDelivery"] | null; channel: "web"; config: Schemas["MaskedWebConfig"] }
  Channel: Schemas["ChatAChannel"] | Schemas["ChatBChannel"] | Schemas["SlackChannel"] | Schemas["DiscordChannel"] | Schemas["TelegramChannel"] | Schemas["GoogleChatChannel"] | Schemas["TeamsChannel"] | Schemas["MattermostChannel"] | Schemas["NtfyChannel"] | Schemas["EmailChannel"] | Schemas["WebhookChannel"] | Schemas["WebChannel"]
  ChannelKind: "chat_a" | "chat_b" | "slack" | "discord" | "telegram" | "google_chat" | "teams" | "mattermost" | "ntfy" | "email" | "webhook" | "web"
  EventName: "connected" | "assignment.create" | "assignment.delete" | "assignment.leave" | "assignment.restricted" | "assignment.request" | "assignment.approve" | "assignment.reject" | "domain.created" | "domain.overlapped" | "domain.deleted" | "domain.transferred" | "domain.transfer_offered" | "domain.transfer_declined" | "domain.transfer_withdrawn" | "domain.transfer_expired" | "domain.switched" | "domain.expiring" | "domain.expired" | "domain.sync_failed" | "domain.drift" | "record.created" | "record.updated" | "record.deleted" | "operation.finished" | "operation.failed" | "account.password_changed" | "account.second_factor_changed" | "account.identity_changed" | "account.new_sign_in" | "account.token_expiring" | "account.locked" | "channel.failed" | "channel.test"
  ChatConfigChange: { webhookUrl?: string | null; secret?: string | null }
  ChatWebhookConfigChange: { webhookUrl?: string | null }
  TelegramConfigChange: { botToken?: string | null; chatId?: string | null; threadId?: number | null; apiUrl?: string | null }
  GoogleChatConfigChange: { webhookUrl?: string | null; threads?: boolean | null }
  NtfyConfigChange: { url?: string | null; token?: string | null }
  EmailConfigChange: { to?: string[] | null }
  WebhookConfigChange: { url?: string | null; secret?: string | null; headers?: Record<string, string> | null; template?: string | null; contentType?: Schemas["TemplateType"] | null }
  WebConfigChange: { audience?: Schemas["WebAudience"] | null }
  DeliveryStatus: "pending" | "delivered" | "dead"
  Delivery: { id: string; eventId: string; event: Schemas["EventName"]; title: string; status: Schemas["DeliveryStatus"]; tries: number; error: string | null; errorCode: string | null; errorParams: Record<string, unknown> | null; createdAt: string; lastTryAt: string | null; nextTryAt: string | null; deliveredAt: string | null }
}

export interface paths {
  "/api/site": {
    /** What a sign-in page needs to know about this service */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { name: string; version: string; siteUrl: string; registration: "invite" | "open" | "closed"; emailEnabled: boolean; passkeys: boolean } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/audit": {
    /** Who did what to what from where, newest first */
    get: { parameters: { query?: { page?: number; limit?: number; cursor?: string; actor?: string; action?: string; target?: string; token?: string; origin?: Schemas["Origin"]; from?: string; to?: string }; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { entries: ({ id: string; at: string; actor: Schemas["Actor"]; origin: Schemas["Origin"] | null; token: Schemas["TokenMark"] | null; ip: string | null; requestId: string | null; action: Schemas["AuditAction"]; target: { type: string; id: string | null; name: string | null }; before: Record<string, unknown> | null; after: Record<string, unknown> | null })[]; total: number; page: number; limit: number; nextCursor: string | null } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/audit/export": {
    /** The audit trail as CSV (RFC 4180), newest first, with the filters of the list */
    get: { parameters: { query?: { actor?: string; action?: string; target?: string; token?: string; origin?: Schemas["Origin"]; from?: string; to?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "text/csv": string } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/users": {
    /** All accounts, by user name */
    get: { parameters: { query?: { page?: number; limit?: number; search?: string; role?: Schemas["Role"]; kind?: Schemas["AccountKind"] }; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { users: Schemas["User"][]; total: number; page: number; limit: number } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Make an account */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never }; requestBody: { content: { "application/json": { kind?: Schemas["AccountKind"]; username: string; password?: string; email?: string | null; role?: Schemas["Role"]; displayName?: string | null } } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": Schemas["User"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/users/{id}": {
    /** One account */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["User"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Change role, address, display name, state or password; in force on the next request */
    put: { parameters: { query?: never; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": { username?: string; role?: Schemas["Role"]; email?: string | null; displayName?: string | null; disabled?: boolean; password?: string; keepTokens?: boolean } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["User"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Delete an account, and hand over what it owns */
    delete: { parameters: { query?: { transferTo?: string }; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/users/{id}/sessions": {
    /** Sign a user out everywhere */
    delete: { parameters: { query?: never; header?: never; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/users/{id}/two-factor": {
    /** Remove every second factor and passkey of a user who lost them; tells the user by e-mail */
    delete: { parameters: { query?: never; header?: never; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/invitations": {
    /** All invitations, newest first */
    get: { parameters: { query?: { page?: number; limit?: number }; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { invitations: Schemas["Invitation"][]; total: number; page: number; limit: number } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Invite somebody; the code is shown this once */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": { role: Schemas["Role"]; email?: string | null; maxUses?: number; expiresAt?: string | null } } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": { id: string; codePrefix: string; role: Schemas["Role"]; email: string | null; mailed: boolean; status: Schemas["InvitationStatus"]; maxUses: number; uses: number; createdBy: Schemas["Inviter"]; createdAt: string; expiresAt: string | null; revokedAt: string | null; code: string } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/invitations/{id}": {
    /** One invitation, without its code */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Invitation"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Revoke an invitation; who registered with it stays */
    delete: { parameters: { query?: never; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/login": {
    /** Sign in with user name and password */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": { username: string; password: string; rememberMe?: boolean } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["SignedIn"] | Schemas["SecondFactorNeeded"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/refresh": {
    /** A new access token and the next refresh token, by the refresh cookie (or the body) */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: { content: { "application/json": Schemas["RefreshBody"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { accessToken: string; refreshToken: string; expiresIn: number } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/logout": {
    /** End the session of the refresh cookie, of the refresh token in the body, or of the access token */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: { content: { "application/json": Schemas["RefreshBody"] } }; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/me": {
    /** The signed-in user */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["CurrentUserAnswer"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/me/profile": {
    /** Change names, avatar and notification toggles */
    put: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": { displayName?: string | null; nickname?: string | null; avatarUrl?: string | null; notificationsEnabled?: boolean; emailNotificationsEnabled?: boolean } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { user: Schemas["CurrentUser"]; warnings: { code: string; message: string }[] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/me/password": {
    /** Change the password; all other sessions end */
    put: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": { oldPassword: string; newPassword: string } } }; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/me/sessions": {
    /** Where this account is signed in */
    get: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { sessions: { id: string; createdAt: string; lastUsedAt: string; ip: string; userAgent: string; current: boolean }[] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Sign out everywhere else */
    delete: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/me/sessions/{id}": {
    /** End one session */
    delete: { parameters: { query?: never; header?: never; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/register": {
    /** Make an account with an invitation, and sign in */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": { inviteCode?: string; username: string; password: string; email?: string | null } } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": Schemas["NewSession"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/password/forgot": {
    /** Ask for a link by mail to choose a new password */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": { email: string } } }; responses: { 202: { headers: Record<string, unknown>; content: { "application/json": { message: string } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/password/reset": {
    /** Choose a new password with the token of a mail; all sessions end */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": { token: string; newPassword: string } } }; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/me/email": {
    /** Change the own e-mail address */
    put: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": { email: string; password: string } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { user: Schemas["CurrentUser"]; confirmationSent: boolean } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/me/email/confirm": {
    /** Confirm an e-mail address with the token of a mail; needs no sign-in */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": { token: string } } }; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/passkey/options": {
    /** Begin to sign in by a passkey alone */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Record<string, unknown> } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/passkey/login": {
    /** Sign in by a passkey alone */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": { credential: Schemas["PasskeyAssertion"]; rememberMe?: boolean } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["NewSession"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/me/tokens": {
    /** The own personal tokens */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["TokenList"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Create a personal token for the Open API; it is shown this once */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": Schemas["CreateToken"] } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": Schemas["NewToken"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/me/tokens/{id}/rotate": {
    /** A new personal token in the place of one; it is shown this once */
    post: { parameters: { query?: never; header?: never; path: { id: string }; cookie?: never }; requestBody?: { content: { "application/json": Schemas["RotateToken"] } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": Schemas["NewToken"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/me/tokens/{id}": {
    /** Revoke a personal token */
    delete: { parameters: { query?: never; header?: never; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/2fa": {
    /** Which second factors are on */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { enabled: boolean; required: boolean; methods: Schemas["SecondFactorMethod"][]; passkeys: number; recoveryCodesLeft: number } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/2fa/totp/setup": {
    /** A new secret for an authenticator app; it counts when a code has proven it */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { secret: string; otpauthUrl: string; qrCode: string } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/2fa/totp/enable": {
    /** Turn on the authenticator app, by a code of it */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": Schemas["EnableFactor"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["RecoveryCodes"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/2fa/totp": {
    /** Turn off the authenticator app; with the last factor the recovery codes end too */
    delete: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: { content: { "application/json": Schemas["Reauthentication"] } }; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/2fa/email/send": {
    /** Send a code by e-mail: to finish a sign-in, or to turn on codes by e-mail */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 202: { headers: Record<string, unknown>; content: { "application/json": { sentTo: string } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/2fa/email/enable": {
    /** Turn on codes by e-mail, by a code that was sent */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": Schemas["EnableFactor"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["RecoveryCodes"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/2fa/email": {
    /** Turn off codes by e-mail; with the last factor the recovery codes end too */
    delete: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: { content: { "application/json": Schemas["Reauthentication"] } }; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/2fa/recovery-codes": {
    /** New recovery codes; the old ones end */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: { content: { "application/json": Schemas["Reauthentication"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["RecoveryCodes"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/2fa/verify": {
    /** Finish a sign-in by a second factor or a recovery code */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": { method: "totp" | "email" | "passkey" | "recovery"; code?: string; credential?: Schemas["PasskeyAssertion"] } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["NewSession"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/2fa/passkeys/options": {
    /** Begin to register a passkey */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Record<string, unknown> } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/2fa/passkeys": {
    /** The own passkeys, the oldest first */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { passkeys: Schemas["Passkey"][] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Register the passkey that the authenticator made */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": { name: string; credential: Schemas["PasskeyAttestation"]; password?: string } } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": { id: string; name: string; transports: string[]; backedUp: boolean; createdAt: string; lastUsedAt: string | null; recoveryCodes: string[] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/2fa/passkeys/{id}": {
    /** One of the own passkeys */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Passkey"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Rename a passkey */
    put: { parameters: { query?: never; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": { name: string } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Passkey"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Remove a passkey */
    delete: { parameters: { query?: never; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: { content: { "application/json": Schemas["Reauthentication"] } }; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/2fa/passkey/options": {
    /** Begin the second step of sign-in by a passkey */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Record<string, unknown> } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/users/{id}/tokens": {
    /** The tokens of a machine */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["TokenList"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Create a token of a machine; it is shown this once */
    post: { parameters: { query?: never; header?: never; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": Schemas["CreateToken"] } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": Schemas["NewToken"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/users/{id}/tokens/{tokenId}/rotate": {
    /** A new token of a machine in the place of one; it is shown this once */
    post: { parameters: { query?: never; header?: never; path: { id: string; tokenId: string }; cookie?: never }; requestBody?: { content: { "application/json": Schemas["RotateToken"] } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": Schemas["NewToken"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/users/{id}/tokens/{tokenId}": {
    /** Revoke a token of a machine */
    delete: { parameters: { query?: never; header?: never; path: { id: string; tokenId: string }; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/oauth/providers": {
    /** The identity providers that are enabled */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { providers: { providerId: Schemas["OAuthProviderId"]; name: string; type: Schemas["OAuthKind"] }[] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/oauth/{providerId}/callback-url": {
    /** What to register at the identity provider */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path: { providerId: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { providerId: Schemas["OAuthProviderId"]; homepageUrl: string; redirectUrl: string; siteUrl: string; callbackUrl: string } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/oauth/exchange-ticket": {
    /** Turn the ticket of the redirect into a session */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": { ticket: string } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["SignedInByTicket"] | Schemas["SecondFactorNeeded"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/oauth/{providerId}/register": {
    /** Make an account with an invitation, after an identity provider said who it is; and sign in */
    post: { parameters: { query?: never; header?: never; path: { providerId: string }; cookie?: never }; requestBody: { content: { "application/json": { pendingToken: string; inviteCode?: string; code?: string; username?: string } } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": { accessToken: string; expiresIn: number; user: Schemas["UserSummary"] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/oauth/{providerId}/authorize": {
    /** Go to the identity provider to sign in */
    get: { parameters: { query?: never; header?: never; path: { providerId: string }; cookie?: never }; requestBody?: never; responses: { default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/oauth/{providerId}/callback": {
    /** Where the identity provider sends the browser back to */
    get: { parameters: { query?: { code?: string; authCode?: string; state?: string; iss?: string; error?: string }; header?: never; path: { providerId: string }; cookie?: never }; requestBody?: never; responses: { default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/oauth/bindings": {
    /** The identities that are bound to the own account */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { bindings: ({ providerId: Schemas["OAuthProviderId"]; name: string; subject: string; displayName: string | null; email: string | null; avatar: string | null; boundAt: string })[] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/oauth/{providerId}/bind/start": {
    /** Begin to bind an identity: answers where the browser goes */
    post: { parameters: { query?: never; header?: never; path: { providerId: string }; cookie?: never }; requestBody?: { content: { "application/json": Schemas["Reauthentication"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { authorizeUrl: string; callbackUrl: string; redirectUrl: string } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/oauth/unbind/{providerId}": {
    /** Unbind an identity, unless it is the last way in */
    delete: { parameters: { query?: never; header?: never; path: { providerId: string }; cookie?: never }; requestBody?: { content: { "application/json": Schemas["Reauthentication"] } }; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/auth/oauth/{providerId}/backchannel-logout": {
    /** End the sessions of a person who signed out at the identity provider */
    post: { parameters: { query?: never; header?: never; path: { providerId: string }; cookie?: never }; requestBody: { content: { "application/x-www-form-urlencoded": { logout_token?: string } } }; responses: { 200: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/oauth/providers": {
    /** The configurations, what else there could be, and the addresses to register */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { providers: Schemas["OAuthProviderConfig"][]; availableProviders: { id: Schemas["OAuthProviderId"]; name: string; type: Schemas["OAuthKind"] }[]; homepageUrl: string; oidcUrls: { homepageUrl: string; redirectUrl: string } } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Set up an identity provider */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never }; requestBody: { content: { "application/json": { providerId: Schemas["OAuthProviderId"]; clientId: string; clientSecret: string; name?: string | null; scope?: string; enabled?: boolean; wellKnownUrl?: string | null; authorizeUrl?: string | null; tokenUrl?: string | null; userInfoUrl?: string | null; issuer?: string | null; tokenAuthMethod?: Schemas["TokenAuthMethod"] | null; fields?: Schemas["UserInfoFieldsChange"] } } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": Schemas["OAuthProviderConfig"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/oauth/providers/{id}": {
    /** One configuration, the client id masked */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["OAuthProviderConfig"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Change a configuration; what is missing, and an empty id or secret, stays */
    put: { parameters: { query?: never; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": { providerId?: Schemas["OAuthProviderId"]; clientId?: string; clientSecret?: string; name?: string | null; scope?: string; enabled?: boolean; wellKnownUrl?: string | null; authorizeUrl?: string | null; tokenUrl?: string | null; userInfoUrl?: string | null; issuer?: string | null; tokenAuthMethod?: Schemas["TokenAuthMethod"] | null; fields?: Schemas["UserInfoFieldsChange"] } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["OAuthProviderConfig"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Delete a configuration, and with it the bindings to it */
    delete: { parameters: { query?: never; header?: { "x-confirm-delete"?: string; "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/oauth/providers/{id}/test": {
    /** Try discovery, keys, endpoints and credentials now, without a person */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { success: boolean; redirectUrl: string; checks: ({ name: "configuration" | "discovery" | "keys" | "credentials" | "userInfo"; ok: boolean; detail: string })[] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/provider-configs": {
    /** The own configurations; for administrators all */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { providerConfigs: Schemas["ProviderConfig"][] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Connect an account at a DNS host */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never }; requestBody: { content: { "application/json": Schemas["NewProviderConfig"] } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": Schemas["ProviderConfig"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/provider-configs/test": {
    /** Try credentials before they are stored */
    post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": Schemas["NewProviderConfig"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["ProviderConfigTest"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/provider-configs/{id}": {
    /** One configuration, secrets masked */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["ProviderConfig"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Rename, or change credentials; missing and empty fields stay */
    put: { parameters: { query?: never; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": { name?: string; credentials?: Record<string, string | null>; nameServers?: string[]; hostmaster?: string | null } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["ProviderConfig"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Delete a configuration that no domain uses */
    delete: { parameters: { query?: never; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/provider-configs/{id}/test": {
    /** Try the credentials now */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["ProviderConfigTest"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/providers": {
    /** The catalogue: kinds of DNS hosts, their credentials and what they can do */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { providers: ({ id: string; key: string; name: string; credentialSchema: Record<string, unknown>; rights: string; capabilities: { recordTypes: Schemas["RecordType"][]; otherTypes: boolean; identity: "record-id" | "rrset"; idsChange: boolean; batch: "none" | "best-effort" | "atomic"; maxBatch: number; maxBatchValues?: number; maxBatchLength?: number; proxied: boolean; routing: boolean; comments: boolean; ttlOf: "rrset" | "record" | "zone"; automaticTtl: boolean; writeUnit: "record" | "rrset" | "zone"; disabledRecords: boolean; minTtl: number; maxTtl: number; ttls?: number[]; defaultTtl: number; ttlByPlan: boolean; txt: { maxLength: number; strings: boolean; beyondAscii: boolean; without: string[] }; wildcards: boolean; underscores: boolean; nullMx: boolean; apexCname: boolean; apexAlias: boolean; apexNs: boolean; createZone: boolean; zoneNameServers: boolean; soa: Schemas["CapabilityExtent"]; dnssec: Schemas["CapabilityExtent"]; deleteZone: boolean; truth: "provider" | "local" } })[] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/record-types": {
    /** The record types: their fields, and who can hold them */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { recordTypes: Schemas["RecordTypeInfo"][] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains": {
    /** The domains that the caller sees */
    get: { parameters: { query?: { page?: number; limit?: number; cursor?: string; status?: Schemas["DomainStatus"]; group?: string; tag?: string; search?: string; ownerId?: string; providerConfigId?: string; syncFailed?: boolean; expiresBefore?: string; expiresAfter?: string; sort?: Schemas["DomainSort"]; order?: Schemas["Order"] }; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["DomainPage"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Register a domain */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never }; requestBody: { content: { "application/json": { name: string; providerConfigId: string; expiresAt?: string | null; groupName?: string; tags?: string[]; notes?: string; expiryRemindDays?: number[]; autoCheckExpiry?: boolean; defaultTtl?: number; syncInterval?: number | null; zoneId?: string; createZone?: boolean; template?: Schemas["StartTemplate"] } } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": Schemas["CreatedDomain"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}": {
    /** One domain */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Domain"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Change settings of a domain; its name stays for life, its provider until it is switched */
    put: { parameters: { query?: never; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": { name?: string; providerConfigId?: string; expiresAt?: string | null; groupName?: string; tags?: string[]; notes?: string; expiryRemindDays?: number[]; autoCheckExpiry?: boolean; defaultTtl?: number; syncInterval?: number | null } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Domain"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Remove a domain here; the zone at the provider stays unless asked otherwise */
    delete: { parameters: { query?: { deleteZone?: boolean }; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/bulk": {
    /** Set group, tags, reminders or automatic look-ups of many domains at once */
    put: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": { ids: string[]; set: { groupName?: string; tags?: string[]; addTags?: string[]; removeTags?: string[]; expiryRemindDays?: number[]; autoCheckExpiry?: boolean } } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { updated: number } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/tags": {
    /** Tags in use, with the number of domains */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { tags: Schemas["Counted"][] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/groups": {
    /** Groups in use, with the number of domains */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { groups: Schemas["Counted"][] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/expiry-remind": {
    /** Set reminder lead times and the automatic look-up */
    put: { parameters: { query?: never; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": { expiryRemindDays?: number[]; autoCheckExpiry?: boolean } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Domain"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/expiry": {
    /** Set the expiry date by hand */
    put: { parameters: { query?: never; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": { expiresAt: string | null } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Domain"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/provider-configs/{id}/zones": {
    /** The zones at the provider, and which are registered here */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { zones: ({ id: string; name: string; unicodeName: string; nameServers: string[] | null; status: Schemas["ZoneStatus"] | null; kind: Schemas["ZoneKind"] | null; registered: boolean; domainId: string | null })[] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/soa": {
    /** The SOA of the zone, as the provider holds it now */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Soa"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Change values of the SOA at the provider; those that are missing stay */
    put: { parameters: { query?: never; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": { primary?: string; mail?: string; refresh?: number; retry?: number; expire?: number; minimum?: number; ttl?: number } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Soa"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/dnssec": {
    /** Whether the zone is signed, and the DS for the zone above */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Dnssec"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Sign the zone by keys of the provider, or no longer */
    put: { parameters: { query?: never; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": { signed: boolean } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Dnssec"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/check-expiry-preview": {
    /** Look up by RDAP or WHOIS when a registration ends, and store nothing */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never }; requestBody: { content: { "application/json": { domain: string } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["ExpiryLookup"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/check-expiry": {
    /** Look up by RDAP or WHOIS when the registration ends, and store what is found */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["ExpiryLookup"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/operations": {
    /** The own large changes, newest first */
    get: { parameters: { query?: { page?: number; limit?: number }; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { operations: Schemas["Operation"][]; total: number; page: number; limit: number } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/operations/{id}": {
    /** How far a large change is, and how it ended */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["OperationAnswer"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/records": {
    /** The records of a domain */
    get: { parameters: { query?: { page?: number; limit?: number; cursor?: string; type?: Schemas["RecordType"][]; search?: string; in?: Schemas["SearchedIn"]; data?: boolean; sort?: Schemas["RecordSort"]; order?: Schemas["Order"] }; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["RecordPage"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Create a record at the provider */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": Schemas["CreateRecord"] } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": Schemas["ChangedRecord"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/records/{recordId}": {
    /** One record */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path: { id: string; recordId: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["DnsRecord"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Change fields of a record; those that are missing stay */
    put: { parameters: { query?: never; header?: { "if-match"?: string }; path: { id: string; recordId: string }; cookie?: never }; requestBody: { content: { "application/json": Schemas["UpdateRecord"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["ChangedRecord"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Delete a record at the provider */
    delete: { parameters: { query?: never; header?: { "if-match"?: string }; path: { id: string; recordId: string }; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/records/bulk": {
    /** Create up to 100 records; each entry succeeds or fails on its own */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": { records: unknown[] } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { results: ({ success: boolean; recordType: string | null; name: string | null; id?: string; error?: string; warnings?: string[] })[]; total: number; succeeded: number; changeId: string | null } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/records/search": {
    /** Find records by name, value, address or network over all domains that the caller sees */
    get: { parameters: { query: { q: string; page?: number; limit?: number; cursor?: string }; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { records: ({ id: string; domainId: string; recordType: Schemas["RecordType"]; name: string; unicodeName: string; value: string; strings?: string[]; data?: Schemas["RecordData"]; ttl: number | null; priority: number | null; proxied: boolean; enabled: boolean; comment: string; routing: Schemas["Routing"] | null; status: Schemas["RecordStatus"]; version: number; createdAt: string; updatedAt: string; domainName: string })[]; total: number; page: number; limit: number; nextCursor: string | null; complete: boolean } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/sync": {
    /** Make the records here what the provider holds */
    post: { parameters: { query?: { dryRun?: boolean; force?: boolean }; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { synced: number; created: number; updated: number; deleted: number; unchanged: number; skipped: number; dryRun: boolean; difference: Schemas["SyncDifference"] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/import": {
    /** Register several zones of a provider configuration and read their records */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never }; requestBody: { content: { "application/json": { providerConfigId: string; zones: string[]; zoneIds?: Record<string, string> } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { results: ({ zone: string; success: boolean; domainId: string | null; synced: number | null; unmanaged: number | null; error: string | null; problem: Schemas["ToldProblem"] | null })[]; total: number; succeeded: number } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/records/plan": {
    /** What changes would do, without doing it */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": Schemas["RecordChanges"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Plan"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/records/apply": {
    /** Do all of the changes, or none when a check refuses one */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": Schemas["AppliedChanges"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Plan"] } }; 202: { headers: Record<string, unknown>; content: { "application/json": Schemas["AcceptedOperation"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/records/unmanaged": {
    /** Records of types that are not managed here, as the last sync saw them */
    get: { parameters: { query?: { page?: number; limit?: number }; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { records: { name: string; recordType: string; ttl: number; value: string }[]; total: number; page: number; limit: number } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/records/export": {
    /** The records as a BIND zone file */
    get: { parameters: { query?: never; header?: never; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "text/dns": string } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/records/import": {
    /** Plan, and unless dryRun apply, what a zone file asks for */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": { zonefile: string; mode?: "merge" | "replace"; dryRun?: boolean; keep?: boolean; listRecords?: boolean } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["ZoneImport"] } }; 202: { headers: Record<string, unknown>; content: { "application/json": Schemas["AcceptedOperation"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/changes": {
    /** Who changed what when, newest first */
    get: { parameters: { query?: { page?: number; limit?: number; cursor?: string; name?: string; type?: Schemas["RecordType"]; actor?: string; token?: string; origin?: Schemas["Origin"]; from?: string; to?: string }; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { changes: Schemas["Change"][]; total: number; page: number; limit: number; nextCursor: string | null } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/changes/{changeId}": {
    /** One change with all its items */
    get: { parameters: { query?: { unchanged?: boolean }; header?: { "If-None-Match"?: string }; path: { id: string; changeId: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Change"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/changes/{changeId}/revert": {
    /** Undo a change, or say what that would do */
    post: { parameters: { query?: { dryRun?: boolean; keep?: boolean }; header?: { "Idempotency-Key"?: string }; path: { id: string; changeId: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Plan"] } }; 202: { headers: Record<string, unknown>; content: { "application/json": Schemas["AcceptedOperation"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/changes/{changeId}/retry": {
    /** Do what a change did not do, or say what that would do */
    post: { parameters: { query?: { dryRun?: boolean; keep?: boolean }; header?: { "Idempotency-Key"?: string }; path: { id: string; changeId: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Plan"] } }; 202: { headers: Record<string, unknown>; content: { "application/json": Schemas["AcceptedOperation"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/restore": {
    /** The plan back to a moment, and with `apply` the deed */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": { at: string; apply?: boolean; keep?: boolean } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Plan"] } }; 202: { headers: Record<string, unknown>; content: { "application/json": Schemas["AcceptedOperation"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/copy": {
    /** Bring the records to another provider, or say what that would do */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": { providerConfigId: string; zoneId?: string; createZone?: boolean; mode?: Schemas["CopyMode"]; skipRefused?: boolean; dryRun?: boolean } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["CopyAnswer"] } }; 202: { headers: Record<string, unknown>; content: { "application/json": Schemas["AcceptedOperation"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/switch": {
    /** Have the domain served from another provider from now on */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": { providerConfigId: string; zoneId?: string; force?: boolean } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["SwitchAnswer"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/records/replace": {
    /** What replacing a value or the addresses of a network would do, over many domains */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never }; requestBody: { content: { "application/json": Schemas["ReplaceBody"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["DomainsPlan"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/records/replace/apply": {
    /** Do what a replacement has planned, as an operation */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never }; requestBody: { content: { "application/json": Schemas["PlanToApply"] } }; responses: { 202: { headers: Record<string, unknown>; content: { "application/json": Schemas["AcceptedOperation"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/records/plans/{id}": {
    /** A plan over many domains, and what became of it */
    get: { parameters: { query?: { limit?: number; cursor?: string }; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["DomainsPlan"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/operations/{id}/revert": {
    /** Revert all record changes of an operation, or plan to */
    post: { parameters: { query?: { dryRun?: boolean; limit?: number }; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": Schemas["OperationToRevert"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["DomainsPlan"] } }; 202: { headers: Record<string, unknown>; content: { "application/json": Schemas["AcceptedOperation"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/zone": {
    /** The zone as a file */
    get: { parameters: { query?: { format?: Schemas["ZoneFormat"] }; header?: never; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "text/dns": string } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Plan, and with `apply` do, what makes the zone what a file says */
    put: { parameters: { query?: { format?: Schemas["ZoneFormat"]; apply?: boolean; keep?: boolean }; header?: { "if-match"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "text/dns": string } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["ZoneImport"] } }; 202: { headers: Record<string, unknown>; content: { "application/json": Schemas["AcceptedOperation"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/templates": {
    /** Templates: built-in ones, the own ones, and those for all */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { templates: Schemas["Template"][] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Make a template of the own, or as administrator one for all */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never }; requestBody: { content: { "application/json": Schemas["TemplateBody"] } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": Schemas["Template"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/templates/{id}": {
    /** One template */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Template"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Replace what a template says */
    put: { parameters: { query?: never; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": Schemas["TemplateBody"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Template"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Remove a template */
    delete: { parameters: { query?: never; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/templates/{id}/plan": {
    /** What a template would do in one or many domains */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": Schemas["TemplatePlanBody"] } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["DomainsPlan"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/templates/{id}/apply": {
    /** Do what the plan of a template has shown, as an operation */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": Schemas["PlanToApply"] } }; responses: { 202: { headers: Record<string, unknown>; content: { "application/json": Schemas["AcceptedOperation"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/acme/registrations": {
    /** The own registrations for clients of acme-dns */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["AcmeDnsRegistrationList"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/acme/registrations/{id}": {
    /** End a registration, and delete its TXT records */
    delete: { parameters: { query?: never; header?: never; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/assignments": {
    /** Assignments, newest first: all for administrators, else the own and those of own domains */
    get: { parameters: { query?: { page?: number; limit?: number; userId?: string; domainId?: string }; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { assignments: Schemas["Assignment"][]; total: number; page: number; limit: number } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Give a user rights on a domain or on names of it; for administrators and the owner */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never }; requestBody: { content: { "application/json": { userId?: string; username?: string; domainId: string; subdomainPattern?: string | null; permission: Schemas["AssignmentPermission"]; recordTypes?: Schemas["RecordType"][] | null; expiresAt?: string | null } } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": Schemas["Assignment"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/assignments/{id}": {
    /** One assignment */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Assignment"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Change permission, record types or end; what is missing stays */
    put: { parameters: { query?: never; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": { userId?: string; domainId?: string; subdomainPattern?: string; permission?: Schemas["AssignmentPermission"]; recordTypes?: Schemas["RecordType"][] | null; expiresAt?: string | null } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Assignment"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Take the rights back, or give the own ones up, at once */
    delete: { parameters: { query?: never; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/assignments/requests": {
    /** Requests for assignments, newest first: all for administrators, else the own */
    get: { parameters: { query?: { page?: number; limit?: number; status?: Schemas["AssignmentRequestStatus"] }; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { requests: Schemas["AssignmentRequest"][]; total: number; page: number; limit: number } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Ask the administrators for rights on a domain or on names of it */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never }; requestBody: { content: { "application/json": { domain: string; subdomainPattern?: string | null; permission: Schemas["AssignmentPermission"]; reason: string } } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": Schemas["AssignmentRequest"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/assignments/requests/{id}": {
    /** One request */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["AssignmentRequest"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/assignments/requests/{id}/approve": {
    /** Give what was asked for, or less; it replaces what the user had of the same names */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody?: { content: { "application/json": { subdomainPattern?: string; permission?: Schemas["AssignmentPermission"]; recordTypes?: Schemas["RecordType"][] | null; expiresAt?: string | null } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["AssignmentRequest"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/assignments/requests/{id}/reject": {
    /** Refuse a request, with the reason */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": { reason: string } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["AssignmentRequest"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/assignments/requests/{id}/cancel": {
    /** Take the own request back */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["AssignmentRequest"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/{id}/transfer": {
    /** Give a domain to another user; for its owner and administrators */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": { userId?: string; username?: string } } }; responses: { 202: { headers: Record<string, unknown>; content: { "application/json": Schemas["DomainTransfer"] } }; 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/transfers": {
    /** Offered transfers, newest first: all for administrators, else those given or received */
    get: { parameters: { query?: { page?: number; limit?: number; status?: Schemas["DomainTransferStatus"]; domainId?: string }; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { transfers: Schemas["DomainTransfer"][]; total: number; page: number; limit: number } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/transfers/{id}": {
    /** One offered transfer */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["DomainTransfer"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/transfers/{id}/accept": {
    /** Take an offered domain */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["DomainTransfer"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/transfers/{id}/decline": {
    /** Refuse an offered domain */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["DomainTransfer"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/domains/transfers/{id}/withdraw": {
    /** Take the offer of a domain back */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["DomainTransfer"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/notifications": {
    /** The newest messages to the signed-in user */
    get: { parameters: { query?: { unread?: boolean; limit?: number }; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { notifications: Schemas["Notification"][]; unreadCount: number } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Set up a channel to the world outside */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never }; requestBody: { content: { "application/json": Schemas["NewChatAChannel"] | Schemas["NewChatBChannel"] | Schemas["NewSlackChannel"] | Schemas["NewDiscordChannel"] | Schemas["NewTelegramChannel"] | Schemas["NewGoogleChatChannel"] | Schemas["NewTeamsChannel"] | Schemas["NewMattermostChannel"] | Schemas["NewNtfyChannel"] | Schemas["NewEmailChannel"] | Schemas["NewWebhookChannel"] | Schemas["NewWebChannel"] } }; responses: { 201: { headers: Record<string, unknown>; content: { "application/json": Schemas["Channel"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Delete all messages of the signed-in user */
    delete: { parameters: { query?: never; header?: { "If-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/notifications/{id}/read": {
    /** Mark one message read */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/notifications/read-all": {
    /** Mark all messages read */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/notifications/{id}": {
    /** Delete one message */
    delete: { parameters: { query?: never; header?: never; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/notifications/stream": {
    /** Messages as they happen, as server-sent events */
    get: { parameters: { query?: { lastEventId?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "text/event-stream": string } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/notifications/configs": {
    /** The channel configurations, secrets masked */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { configs: Schemas["Channel"][] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/notifications/channels": {
    /** The kinds of channels, and the events that they can be told of */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { channels: { channel: Schemas["ChannelKind"]; name: string; available: boolean; configSchema: Record<string, unknown> }[]; events: { event: Schemas["EventName"]; level: Schemas["Level"]; description: string }[] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/notifications/configs/{id}": {
    /** One channel configuration, secrets masked */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Channel"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Change a channel; what is missing, and secrets that come back masked, stay */
    put: { parameters: { query?: never; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody: { content: { "application/json": { channel?: Schemas["ChannelKind"]; name?: string; config?: Schemas["ChatConfigChange"] | Schemas["ChatWebhookConfigChange"] | Schemas["TelegramConfigChange"] | Schemas["GoogleChatConfigChange"] | Schemas["NtfyConfigChange"] | Schemas["EmailConfigChange"] | Schemas["WebhookConfigChange"] | Schemas["WebConfigChange"]; events?: Schemas["EventPattern"][]; domains?: Schemas["DomainFilterInput"]; enabled?: boolean } } }; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Channel"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
    /** Delete a channel with all that waits in it */
    delete: { parameters: { query?: never; header?: { "If-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 204: { headers: Record<string, unknown>; content?: never }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/notifications/configs/{id}/test": {
    /** Send one message now and say what happened */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { ok: boolean; error: string | null; errorCode: string | null; errorParams: Record<string, unknown> | null; durationMs: number } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/notifications/configs/{id}/deliveries": {
    /** What the channel was to send, newest first */
    get: { parameters: { query?: { page?: number; limit?: number; status?: Schemas["DeliveryStatus"] }; header?: { "If-None-Match"?: string }; path: { id: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { deliveries: Schemas["Delivery"][]; total: number; page: number; limit: number } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/notifications/configs/{id}/deliveries/{deliveryId}/replay": {
    /** Try a dead message again, with the same id */
    post: { parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path: { id: string; deliveryId: string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": Schemas["Delivery"] } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/dashboard": {
    /** Domains by status, the next that expire, records that are not managed, and what failed last */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { domains: { total: number; active: number; expiring: number; expired: number }; nextExpiries: { domainId: string; domainName: string; unicodeName: string; expiresAt: string; daysLeft: number; status: Schemas["DomainStatus"] }[]; unmanaged: { total: number; domains: { domainId: string; domainName: string; count: number }[] }; lastFailures: ({ kind: "sync" | "change" | "channel"; id: string; domainId: string | null; name: string; error: string; errorCode: string | null; errorParams: Record<string, unknown> | null; at: string })[] } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
  "/api/dashboard/expiries": {
    /** How many domains expire in each week of the next twelve months */
    get: { parameters: { query?: never; header?: { "If-None-Match"?: string }; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: Record<string, unknown>; content: { "application/json": { weeks: { week: string; active: number; expiring: number; expired: number }[]; overdue: number; leadDays: number } } }; default: { headers: Record<string, unknown>; content: { 'application/problem+json': Schemas['Problem'] } } } }
  }
}
