/** Codes of failures outside the service: at DNS providers, message receivers and mail servers. */
export const FAILURE_CODES = [
  'change_neither',
  'change_not_taken',
  'change_unsent',
  'mail_credentials',
  'mail_envelope',
  'mail_off',
  'mail_refused',
  'mail_unreachable',
  'many_deletions',
  'provider_auth',
  'provider_conflict',
  'provider_forbidden',
  'provider_locked',
  'provider_not_found',
  'provider_quota',
  'provider_rate_limited',
  'provider_rejected',
  'provider_timeout',
  'provider_too_large',
  'provider_unavailable',
  'reason_hidden',
  'receiver_aborted',
  'receiver_address',
  'receiver_blocked',
  'receiver_busy',
  'receiver_chat_closed',
  'receiver_chat_gone',
  'receiver_credentials',
  'receiver_forbidden',
  'receiver_gone',
  'receiver_keyword',
  'receiver_message_long',
  'receiver_message_unreadable',
  'receiver_not_stored',
  'receiver_off',
  'receiver_refused',
  'receiver_security',
  'receiver_signature',
  'receiver_status',
  'receiver_timeout',
  'receiver_too_large',
  'receiver_unknown',
  'receiver_unreachable',
  'service_fault',
  'template_long',
] as const

export type FailureCode = (typeof FAILURE_CODES)[number]

/** A failure outside the service, at a DNS provider or a message receiver. Errors that have these members are one. */
export interface ExternalFailure {
  /** In English; it may quote the provider. */
  message: string
  code: FailureCode
  /** Values that the message names. */
  params?: Readonly<Record<string, unknown>> | undefined
}

/** Returns the fields of a response that describe a failure; all null without one. */
export const failureFields = (failure: ExternalFailure | null) => ({
  error: failure?.message ?? null,
  errorCode: failure?.code ?? null,
  errorParams: failure?.params ?? null,
})
