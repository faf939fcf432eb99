type IdentityErrorKind =
  | 'denied' // the person said no
  | 'failed' // the provider is away, refused us, or answered what it should not

/** Why nobody was identified. The message is for log and administrator: no code, token or remote text in it. */
export class IdentityError extends Error {
  readonly kind: IdentityErrorKind

  constructor(kind: IdentityErrorKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'IdentityError'
    this.kind = kind
  }
}

/** Most of them. */
export const failed = (message: string, cause?: unknown) => new IdentityError('failed', message, cause)
