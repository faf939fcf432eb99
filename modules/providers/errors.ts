import { AppError, conflict } from '../../plugins/http/errors.ts'
import type { ExternalFailure } from '../../schemas/codes/failure-codes.ts'
import { serviceStopping } from '../../plugins/http/graceful-shutdown.ts'
import type { ErrorCode } from '../../schemas/problem.ts'
import { ProviderError, UnknownSiblings, type ProviderErrorKind } from './contract.ts'

/** The provider was not called at all. */
export class ProviderPaused extends ProviderError {
  constructor(retryAfter: number) {
    super(
      'unavailable',
      'The DNS provider could not be reached several times, so its connection is paused; testing the connection calls it immediately',
      { retryAfter },
    )
  }
}

/** The service is stopping and sent nothing. */
export class ServiceStopping extends ProviderError {
  constructor(cause?: unknown) {
    super('unavailable', 'The service is stopping; nothing was sent', { cause })
  }
}

/** Whether it says nothing about the provider, which was not called. */
export const isUncalled = (error: ProviderError): boolean =>
  error instanceof ProviderPaused || error instanceof ServiceStopping

const ANSWERS: Record<ProviderErrorKind, [status: number, code: ErrorCode]> = {
  auth: [502, 'provider_auth_failed'],
  forbidden: [502, 'provider_auth_failed'],
  not_found: [502, 'provider_error'],
  conflict: [502, 'provider_rejected'],
  rejected: [502, 'provider_rejected'],
  quota: [502, 'provider_quota'],
  rate_limited: [503, 'unavailable'],
  locked: [503, 'unavailable'],
  unavailable: [502, 'provider_error'],
  timeout: [504, 'provider_timeout'],
  too_large: [502, 'provider_error'],
}

/** Failures after which the changes that were held up are worth retrying. */
const LOCKED_SECONDS = 5

/** Returns the HTTP error for a provider failure; rethrows any other error. */
export function providerFailure(error: unknown): AppError {
  if (!(error instanceof ProviderError)) throw error
  if (error instanceof ServiceStopping) return serviceStopping()
  if (error instanceof UnknownSiblings) return unknownSiblings(error)
  const [status, code] = ANSWERS[error.kind]
  const seconds = error.retryAfter ?? (error.kind === 'locked' ? LOCKED_SECONDS : undefined)
  const headers = seconds === undefined ? {} : { 'retry-after': String(Math.ceil(seconds)) }
  return new AppError(status, code, error.message, { headers, cause: error })
}

/** Values in an answer. */
const SHOWN = 20

/** A whole RRset was to be written but contains other values; nothing of it was written. */
const unknownSiblings = ({ message, rrset: { name, type }, values }: UnknownSiblings): AppError =>
  conflict(message, {
    reason: 'unknown_siblings',
    params: { name, recordType: type, count: values.length, values: values.slice(0, SHOWN).join(', ') },
  })

/** For a call with its own answer to failures. */
export function throwProviderFailure(error: unknown): never {
  throw providerFailure(error)
}

/** The failure with a more specific code than its answer. */
export const toldOf = (error: ProviderError): ExternalFailure => ({
  message: error.message,
  code: error instanceof ServiceStopping ? 'change_unsent' : `provider_${error.kind}`,
})

/** Returns the code of a failure, for reports. */
export const providerErrorCode = (error: ProviderError): ErrorCode => providerFailure(error).code
