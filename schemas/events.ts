/** What the parts of the service tell each other; payloads are plain data, so that they can cross processes. */
export interface Events {
  /** Messages of other instances may have been missed: what was remembered because of them is worth nothing. */
  'events.missed': Record<string, never>
  /** A session ended, or all of a user's but one: cached sign-ins are dropped. */
  'session.ended': { sessionIds: string[] }
  /** Role, state or name of a user changed, or the user is gone. */
  'user.changed': { userId: string }
  'token.revoked': { tokenId: string }
  /** A way of proving a second factor was added or removed: the user should hear of it. */
  'account.second_factor_changed': { userId: string; change: FactorChange }
  /** An identity of an external provider was bound or unbound: the user should hear of it. */
  'account.identity_changed': { userId: string; providerId: string; change: 'bound' | 'unbound' }
  'domain.created': DomainEvent
  'domain.deleted': DomainEvent
  'domain.sync_failed': DomainEvent & { error: string }
  /** One for each call, not for each record. */
  'record.created': RecordEvent
  'record.updated': RecordEvent
  'record.deleted': RecordEvent
}

/** What happened to the second factors of an account. */
export type FactorChange =
  | 'totp_enabled'
  | 'totp_disabled'
  | 'email_enabled'
  | 'email_disabled'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery_codes_renewed'
  | 'recovery_code_used'

export interface DomainEvent {
  domainId: string
  domainName: string
  ownerId: string
  actorId: string | null
}

export interface RecordEvent extends DomainEvent {
  changeId: string
  records: { id: string; name: string; recordType: string }[]
}

export type EventName = keyof Events
