import { OutboundError, type HttpRequest, type HttpResponse } from '../../../plugins/http.ts'
import { DeliveryError, Interrupted, type Reach, type SendOptions } from './contract.ts'

/** Longer waits are cut: a receiver can't silence a channel for a week. */
const MAX_WAIT_SECONDS = 3_600

/** One call to a receiver. Resolves with any status; rejects with DeliveryError or Interrupted. */
export async function callReceiver(
  { http }: Pick<Reach, 'http'>,
  request: Pick<HttpRequest, 'url' | 'headers' | 'body'>,
  { timeoutMs, signal }: SendOptions,
): Promise<HttpResponse> {
  try {
    return await http.request({ method: 'POST', ...request, timeoutMs, signal })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.kind === 'aborted') throw new Interrupted(error)
    throw new DeliveryError(error.message, { cause: error })
  }
}

/** What Retry-After asks for (RFC 9110 section 10.2.3: seconds, or a date), within reason; 0 without it. */
export function retryAfterSeconds({ headers }: Pick<HttpResponse, 'headers'>, now = Date.now()): number {
  const text = headers['retry-after']?.trim() ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000)
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), MAX_WAIT_SECONDS)
}
