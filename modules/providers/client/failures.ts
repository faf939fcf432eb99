import type { OutboundError } from '../../../plugins/outbound/http.ts'
import { ProviderError, type ProviderErrorKind } from '../contract.ts'

/** What an answer means when it means a failure; what is missing follows from the status. */
export interface Failure {
  kind?: ProviderErrorKind
  /** The provider's own words, of which nothing needs to be taken out. */
  reason?: string | undefined
  /** The whole message instead, for users. */
  message?: string
  /** Of a write. Default: `not_applied` after 3xx and 4xx and where 2xx says no, else `unknown`. */
  outcome?: 'not_applied' | 'unknown'
  /** Seconds; default: of Retry-After. */
  retryAfter?: number
  /** The provider's own code of it, for the adapter. */
  code?: string
}

/** A failure that the provider told by an answer. */
export class ApiFailure extends ProviderError {
  readonly status: number
  /** The provider's own code, as `explain` found it. */
  readonly code: string | undefined
  /** The provider gave a reason: so it is the provider itself, and nothing before it. */
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

/** Whether the provider told it by one of these codes of its own. */
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

/** `isReadable`: the answer is of the format that was asked for. */
export function kindOf(status: number, isReadable: boolean): ProviderErrorKind {
  // A server that is there, and not the API.
  if (status === 404 && !isReadable) return 'unavailable'
  return KINDS[status] ?? (status >= 400 && status < 500 ? 'rejected' : 'unavailable')
}

/** Whether a write that was answered so may have happened. */
export function outcomeOf(status: number, kind: ProviderErrorKind): 'not_applied' | 'unknown' {
  if (status >= 300 && status < 500) return 'not_applied'
  return status < 300 && kind !== 'unavailable' && kind !== 'timeout' ? 'not_applied' : 'unknown'
}

interface Place {
  /** The name of the provider. */
  provider: string
  /** Where users have said another address than the provider's own: what they should look at. */
  hint: string
}

/** In words for users; `reason` is what the provider says. */
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
      return `${provider} allows no more of this${because}`
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
  if (status >= 400) return `No ${provider} API is at this address (status ${status})${hint}`
  if (status >= 300) return 'The server redirects: give the address of the API itself as apiUrl'
  return notTheFormat({ provider, hint })
}

export const notTheFormat = ({ provider, hint }: Place) =>
  `The server answered something that is not ${provider}'s format${hint}`

/** Of a call that brought no answer. */
export function fromOutbound(error: OutboundError, provider: string, isWrite: boolean): ProviderError {
  const outcome = isWrite && error.sent ? 'unknown' : 'not_applied'
  const options = { outcome, cause: error } as const
  if (error.kind === 'timeout' || error.kind === 'aborted')
    return new ProviderError('timeout', `${provider} did not answer in time`, options)
  if (error.kind === 'too_large')
    return new ProviderError('too_large', `${provider} answered more than can be taken (1 MiB)`, options)
  return new ProviderError('unavailable', `${provider} cannot be reached: ${error.message}`, options)
}
