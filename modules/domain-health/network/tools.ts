import type { Dns, DnsAnswer, DnsQuestion } from '../../../plugins/outbound/dns/index.ts'
import { OutboundError } from '../../../plugins/outbound/http-exchange.ts'
import { RCODE } from '../../../dns/wire/message.ts'

/** Questions to resolvers, each asked once: name servers and their addresses are those of many domains. */
export type Resolve = (question: DnsQuestion, signal?: AbortSignal) => Promise<DnsAnswer>

const MAX_KEPT = 5_000
const KEPT_MS = 300_000

export function remembering(dns: Dns): Resolve {
  const kept = new Map<string, { at: number; answer: Promise<DnsAnswer> }>()
  return (question, signal) => {
    const key = `${question.type} ${question.name}`
    const found = kept.get(key)
    if (found && found.at > Date.now() - KEPT_MS) return found.answer
    const answer = dns.resolve(question, signal)
    kept.set(key, { at: Date.now(), answer })
    answer.catch(() => kept.delete(key))
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    return answer
  }
}

/** The answer, or why it is missing. Rejects when the service stops. */
export async function orFailure(asked: Promise<DnsAnswer>): Promise<DnsAnswer | OutboundError> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof OutboundError && error.kind !== 'aborted') return error
    throw error
  }
}

/** Whether a resolver's answer says something about the name; SERVFAIL and the like don't. */
export const isDefinite = (answer: DnsAnswer | OutboundError): answer is DnsAnswer =>
  !(answer instanceof OutboundError) && (answer.rcode === RCODE.NOERROR || answer.rcode === RCODE.NXDOMAIN)
