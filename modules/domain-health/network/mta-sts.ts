import type { Http } from '../../../plugins/outbound/http.ts'
import { OutboundError, type HttpResponse } from '../../../plugins/outbound/http-exchange.ts'
import { finding, type Found } from '../checking/finding.ts'

/** More is not a policy; the bound is that of RFC 8461 section 3.3. */
const MAX_BYTES = 65_536
const TIMEOUT_MS = 10_000
/** Seconds; RFC 8461 section 3.2. */
const MAX_AGE = 31_557_600

const ABOUT = { code: 'mail.mta_sts', name: '_mta-sts', type: 'TXT' } as const

/**
 * Fetches the MTA-STS policy of a zone as senders do (RFC 8461 section 3.3: by HTTPS with a valid certificate, without
 * redirects), and compares it with the MX hosts of the zone.
 */
export async function mtaStsFindings(
  http: Http,
  zone: string,
  mxHosts: readonly string[],
  signal: AbortSignal,
): Promise<Found> {
  const host = `mta-sts.${zone}`
  const url = `https://${host}/.well-known/mta-sts.txt`
  const bounds = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal }
  const answer = await http.request({ method: 'GET', url, ...bounds }).catch((error: unknown) => {
    if (error instanceof OutboundError && error.kind !== 'aborted') return error
    throw error
  })
  if (answer instanceof OutboundError) {
    // What can't be reached from here may be reached by senders.
    const detail = `The MTA-STS policy at ${host} could not be fetched: ${answer.message}.`
    return { findings: [], unknown: [{ codes: [ABOUT.code], subject: null, reason: 'no_answer', detail }] }
  }
  const problem = problemOf(answer, mxHosts)
  if (problem === null) return { findings: [], unknown: [] }
  const { subject, detail, params } = problem
  const told = finding({ ...ABOUT, subject, detail, params: { problem: subject, host, ...params } })
  return { findings: [told], unknown: [] }
}

interface Problem {
  subject: 'fetch' | 'policy' | 'mx'
  detail: string
  params?: Record<string, unknown>
}

function problemOf({ status, body }: HttpResponse, mxHosts: readonly string[]): Problem | null {
  if (status !== 200) {
    const detail = `The server of the policy answers with status ${status}; senders need 200 (RFC 8461, 3.3).`
    return { subject: 'fetch', detail, params: { status } }
  }
  const fields = Map.groupBy(
    body.split(/\r?\n/).flatMap((line) => {
      const [, key, value] = /^\s*([A-Za-z0-9_.-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
      return key === undefined || value === undefined ? [] : [{ key, value }]
    }),
    ({ key }) => key,
  )
  const one = (key: string) => fields.get(key)?.[0]?.value
  const mode = one('mode') ?? ''
  const patterns = (fields.get('mx') ?? []).map(({ value }) => value.toLowerCase())
  const isPolicy =
    one('version') === 'STSv1' &&
    ['enforce', 'testing', 'none'].includes(mode) &&
    /^\d{1,10}$/.test(one('max_age') ?? '') &&
    Number(one('max_age')) <= MAX_AGE &&
    (mode === 'none' || patterns.length > 0)
  if (!isPolicy) {
    const detail =
      'The policy lacks version, mode, max_age or mx, or one of them is malformed (RFC 8461, 3.2).'
    return { subject: 'policy', detail }
  }
  const left = mode === 'none' ? [] : mxHosts.filter((host) => !patterns.some((one) => covers(one, host)))
  if (left.length === 0) return null
  const detail = `The policy does not cover ${left.join(', ')}, so senders do not deliver there (RFC 8461, 4.1).`
  return { subject: 'mx', detail, params: { mode, hosts: left } }
}

/** `*.` stands for exactly one label (RFC 8461 section 4.1). */
const covers = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.slice(host.indexOf('.')) === pattern.slice(1) : host === pattern
