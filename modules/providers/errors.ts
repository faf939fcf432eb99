import { AppError, conflict } from '../../plugins/http/errors.ts'
import type { ExternalFailure } from '../../schemas/failure-codes.ts'
import { serviceStopping } from '../../plugins/http/graceful-shutdown.ts'
import type { ErrorCode } from '../../schemas/problem.ts'
import { ProviderError, UnknownSiblings, type ProviderErrorKind } from './contract.ts'

/** The account was not called at all. */
export class ProviderPaused extends ProviderError {
  constructor(retryAfter: number) {
    super(
      'unavailable',
      'The DNS host could not be reached several times and is left alone for a while; a test of its configuration tries it at once',
      { retryAfter },
    )
  }
}

/** The service stops before anything was sent. */
export class ServiceStopping extends ProviderError {
  constructor(cause?: unknown) {
    super('unavailable', 'The service is stopping; nothing was sent', { cause })
  }
}

/** Whether it says nothing of the provider, which was not called. */
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

/** After which it is worth to try again what others kept from being done. */
const LOCKED_SECONDS = 5

/** The answer to a failure at the provider; any other error is thrown on as it is. */
export function providerFailure(error: unknown): AppError {
  if (!(error instanceof ProviderError)) throw error
  if (error instanceof ServiceStopping) return serviceStopping()
  if (error instanceof UnknownSiblings) return unknownSiblings(error)
  const [status, code] = ANSWERS[error.kind]
  const seconds = error.retryAfter ?? (error.kind === 'locked' ? LOCKED_SECONDS : undefined)
  const headers = seconds === undefined ? {} : { 'retry-after': String(Math.ceil(seconds)) }
  return new AppError(status, code, error.message, { headers, cause: error })
}

/** Values of an answer. */
const SHOWN = 20

/** A set was to be written whole and holds something else: nothing of it was written. */
const unknownSiblings = ({ message, rrset: { name, type }, values }: UnknownSiblings): AppError =>
  conflict(message, {
    reason: 'unknown_siblings',
    params: { name, recordType: type, count: values.length, values: values.slice(0, SHOWN).join(', ') },
  })

/** For a call of which only the failure is answered otherwise. */
export function throwProviderFailure(error: unknown): never {
  throw providerFailure(error)
}

/** The failure with what it is called, finer than its answer. */
export const toldOf = (error: ProviderError): ExternalFailure => ({
  message: error.message,
  code: error instanceof ServiceStopping ? 'change_unsent' : `provider_${error.kind}`,
})

/** The code that goes with a failure, for reports. */
export const providerErrorCode = (error: ProviderError): ErrorCode => providerFailure(error).code
