import { OutboundError, type HttpRequest, type HttpResponse } from '../../../plugins/outbound/http.ts'
import { retryAfterOf } from '../../../plugins/outbound/retry-after.ts'
import { DeliveryError, Interrupted, type HttpAccess, type SendOptions } from './contract.ts'

/** Limit of the wait a receiver asks for: it can't silence a channel for a week. */
const MAX_WAIT_SECONDS = 3_600

/** One call to a receiver. Resolves with any status; rejects with DeliveryError or Interrupted. */
export async function callReceiver(
  { http }: Pick<HttpAccess, 'http'>,
  request: Pick<HttpRequest, 'url' | 'headers' | 'body'>,
  { timeoutMs, signal }: SendOptions,
): Promise<HttpResponse> {
  try {
    return await http.request({ method: 'POST', ...request, timeoutMs, signal })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.kind === 'aborted') throw new Interrupted(error)
    throw new DeliveryError(error.message, { code: `receiver_${error.kind}`, cause: error })
  }
}

/** Whole seconds within the limit. */
export const withinReason = (seconds: number): number =>
  Math.min(Math.max(Math.ceil(seconds), 0), MAX_WAIT_SECONDS)

/** The seconds of Retry-After within the limit; 0 without it. */
export const waitSecondsOf = ({ headers }: Pick<HttpResponse, 'headers'>): number =>
  withinReason(retryAfterOf(headers) ?? 0)
