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
