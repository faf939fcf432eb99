import type { OutboundError } from '../../../plugins/outbound/http.ts'
import { ProviderError, type ProviderErrorKind } from '../contract.ts'

/** The meaning of a failed answer; missing members follow from the status. */
export interface Failure {
  kind?: ProviderErrorKind
  /** The provider's own text, without anything to redact. */
  reason?: string | undefined
  /** Replaces the whole message for users. */
  message?: string
  /** Of a write. Default: `not_applied` after 3xx, 4xx and refusals with 2xx, otherwise `unknown`. */
  outcome?: 'not_applied' | 'unknown'
  /** Seconds; default: from Retry-After. */
  retryAfter?: number
  /** The provider's own error code, for the adapter. */
  code?: string
}

/** A failure reported in a provider's answer. */
export class ApiFailure extends ProviderError {
  readonly status: number
  /** The provider's own error code, as found by `explain`. */
  readonly code: string | undefined
  /** The provider gave a reason, so it is the provider itself, not something in front of it. */
  readonly hasReason: boolean

  constructor(
    kind: ProviderErrorKind,
    message: string,
    {
      status,
      code,
      hasReason,
      ...options
    }: { status: number; code: string | undefined; hasReason: boolean } & ConstructorParameters<
      typeof ProviderError
    >[2],
  ) {
    super(kind, message, options)
    this.status = status
    this.code = code
    this.hasReason = hasReason
  }
}

/** Whether the provider reported one of these error codes. */
export const isCode = (error: unknown, ...codes: string[]): error is ApiFailure =>
  error instanceof ApiFailure && error.code !== undefined && codes.includes(error.code)

const KINDS: Record<number, ProviderErrorKind> = {
  401: 'auth',
  402: 'quota',
  403: 'forbidden',
  404: 'not_found',
  405: 'unavailable',
  408: 'unavailable',
  409: 'conflict',
  423: 'locked',
  429: 'rate_limited',
}

/** `isReadable`: the answer has the requested format. */
export function kindOf(status: number, isReadable: boolean): ProviderErrorKind {
  // A server answers, but not the API.
  if (status === 404 && !isReadable) return 'unavailable'
  return KINDS[status] ?? (status >= 400 && status < 500 ? 'rejected' : 'unavailable')
}

/** Returns whether a write with this answer may have been applied. */
export function outcomeOf(status: number, kind: ProviderErrorKind): 'not_applied' | 'unknown' {
  if (status >= 300 && status < 500) return 'not_applied'
  return status < 300 && kind !== 'unavailable' && kind !== 'timeout' ? 'not_applied' : 'unknown'
}

interface Place {
  /** The provider's name. */
  provider: string
  /** Hint for users who entered their own URL. */
  hint: string
}

/** The text for users; `reason` is the provider's own. */
export function messageOf(
  kind: ProviderErrorKind,
  { provider, hint }: Place,
  status: number,
  reason: string,
): string {
  const because = reason === '' ? '' : `: ${reason}`
  switch (kind) {
    case 'auth':
      return `${provider} refuses the credentials`
    case 'forbidden':
      return `${provider} does not allow this with these credentials${because}`
    case 'not_found':
      return `${provider} does not have this${because}`
    case 'rate_limited':
      return `${provider} gets too many requests`
    case 'locked':
      return `${provider} is busy with another change${because}`
    case 'quota':
      return `The quota at ${provider} is exhausted${because}`
    case 'conflict':
    case 'rejected':
      return `${provider} refuses this: ${reason === '' ? `status ${status}, without a reason` : reason}`
    case 'timeout':
    case 'too_large':
    case 'unavailable':
      return whyUnavailable(provider, hint, status)
  }
}

function whyUnavailable(provider: string, hint: string, status: number): string {
  if (status >= 500) return `${provider}, or a proxy before it, fails with status ${status}`
  if (status >= 400) return `No ${provider} API at this address (status ${status})${hint}`
  if (status >= 300) return 'The server redirects; set apiUrl to the address of the API itself'
  return notTheFormat({ provider, hint })
}

export const notTheFormat = ({ provider, hint }: Place) => `The answer is not in ${provider}'s format${hint}`

/** For a call without an answer. */
export function fromOutbound(error: OutboundError, provider: string, isWrite: boolean): ProviderError {
  const outcome = isWrite && error.sent ? 'unknown' : 'not_applied'
  const options = { outcome, cause: error } as const
  if (error.kind === 'timeout' || error.kind === 'aborted')
    return new ProviderError('timeout', `${provider} did not answer in time`, options)
  if (error.kind === 'too_large')
    return new ProviderError('too_large', `The answer of ${provider} is too large (over 1 MiB)`, options)
  return new ProviderError('unavailable', `${provider} cannot be reached: ${error.message}`, options)
}
