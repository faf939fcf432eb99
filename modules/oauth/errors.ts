import { AppError, conflict, notFound } from '../../plugins/http/errors.ts'

/** All values of `error=…` for the front end. */
export const FAILURES = [
  'access_denied',
  'state_invalid',
  'provider_disabled',
  'provider_error',
  'email_taken',
  'already_bound',
  'account_disabled',
  'registration_closed',
] as const
export type Failure = (typeof FAILURES)[number]

export const unknownProvider = (id: string) => notFound('identity provider', id)

export const providerNotEnabled = (id: string) =>
  new AppError(404, 'not_found', `The identity provider ${id} is not set up or not enabled`)

/** The same text for every reason; the audit trail has details. */
export const logoutRefused = () =>
  new AppError(400, 'validation_failed', 'The logout token is not valid', {
    extra: { error: 'invalid_request', error_description: 'The logout token is not valid' },
  })

/** The same text for every reason. */
export const ticketRefused = () =>
  new AppError(401, 'invalid_credentials', 'The ticket is unknown, used, expired, or from another browser')

export const pendingRefused = () =>
  new AppError(
    401,
    'invalid_credentials',
    'The pending token is unknown, used, expired, or from another browser; sign in with the provider again',
  )

export const alreadyBound = () =>
  conflict('An identity of this provider is already linked; unlink it first', { reason: 'identity_bound' })

export const stillBound = (boundUsers: number) =>
  new AppError(
    409,
    'confirmation_required',
    `${boundUsers} users sign in with it and would lose their linked identities; confirm with the header x-confirm-delete: true`,
    { extra: { boundUsers } },
  )

export const providerFailed = (message: string, cause: unknown) =>
  new AppError(502, 'provider_error', `The identity provider is unavailable: ${message}`, { cause })

type IdentityErrorKind =
  | 'denied' // the user declined
  | 'failed' // the provider is unavailable, refused the request, or sent an invalid answer

/**
 * Why no one was identified. The message is for the log and administrators: no code, token or remote text in
 * it.
 */
export class IdentityError extends Error {
  readonly kind: IdentityErrorKind

  constructor(kind: IdentityErrorKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'IdentityError'
    this.kind = kind
  }
}

/** The usual reason. */
export const failed = (message: string, cause?: unknown) => new IdentityError('failed', message, cause)
