import { OutboundError, type Http, type HttpResponse } from '../../../../plugins/outbound/http.ts'
import { retryAfterOf } from '../../../../plugins/outbound/retry-after.ts'
import type { Pacing } from './pacing.ts'
import { readAnswer, type RdapAnswer } from './rdap-answer.ts'
import { LookupError, notRegistered, type Registration } from './registration.ts'

interface RdapContext {
  http: Http
  pacing: Pacing
  /** Longest wait for a server's time slot, in milliseconds. */
  maxWaitMs: number
  /** Response timeout of one server, in milliseconds. */
  timeoutMs: number
}

const ACCEPT = 'application/rdap+json, application/json;q=0.8'
const MAX_HOPS = 3
const MAX_BYTES = 512 * 1024
/** A DNS name and a port. */
const MAX_HOST_LENGTH = 260
/** Pause after "too many requests" without Retry-After. */
const DEFAULT_REST_SECONDS = 120

/**
 * Queries a registry's RDAP server (`base` with final slash), and the registrar's for missing data. Rejects with
 * LookupError, or with the signal's reason if aborted.
 */
export async function askRdap(
  context: RdapContext,
  base: string,
  domain: string,
  signal: AbortSignal,
): Promise<Registration> {
  const { registration, registrarUrl } = await query(context, `${base}domain/${domain}`, domain, signal)
  const complete = registration.expiresAt !== null && registration.registrar !== null
  if (complete || registrarUrl === null) return registration
  const more = await query(context, registrarUrl, domain, signal).catch(() => null)
  return {
    ...registration,
    expiresAt: registration.expiresAt ?? more?.registration.expiresAt ?? null,
    registrar: registration.registrar ?? more?.registration.registrar ?? null,
  }
}

async function query(
  context: RdapContext,
  url: string,
  domain: string,
  signal: AbortSignal,
): Promise<RdapAnswer> {
  const { answer, server } = await get(context, url, signal)
  if (answer.status === 404) throw notRegistered(domain)
  if (answer.status === 429 || (answer.status === 503 && answer.headers['retry-after'] !== undefined)) {
    await context.pacing.rest(server, restOf(answer))
    throw new LookupError('rate_limited', `Rate limit of ${server} reached`)
  }
  if (answer.status !== 200) {
    throw new LookupError('unavailable', `${server} responded with HTTP status ${answer.status}`)
  }
  const body = parseJson(answer.body)
  // Some servers report the limit only in the body.
  if ((body as { errorCode?: unknown } | null)?.errorCode === 404) throw notRegistered(domain)
  const read = readAnswer(body, domain)
  if (!read) throw new LookupError('unavailable', `The response of ${server} has no data for ${domain}`)
  return read
}

/** Fetches a URL, following redirects and each server's pace. */
async function get(
  { http, pacing, maxWaitMs, timeoutMs }: RdapContext,
  start: string,
  signal: AbortSignal,
): Promise<{ answer: HttpResponse; server: string }> {
  let url = start
  for (let hop = 0; hop <= MAX_HOPS; hop++) {
    const { host: server } = hostOf(url)
    await pacing.turn(server, maxWaitMs, signal)
    const answer = await http
      .request({
        method: 'GET',
        url,
        headers: { accept: ACCEPT },
        timeoutMs,
        maxBytes: MAX_BYTES,
        signal,
      })
      .catch((error: unknown) => {
        throw error instanceof OutboundError ? new LookupError('unavailable', error.message, error) : error
      })
    const next = redirectOf(answer, url)
    if (next === null) return { answer, server }
    url = next
  }
  throw new LookupError('unavailable', `Too many redirects from ${hostOf(start).host}`)
}

function hostOf(url: string): URL {
  const parsed = URL.parse(url)
  if (parsed !== null && parsed.host.length <= MAX_HOST_LENGTH) return parsed
  throw new LookupError('unavailable', 'An RDAP server redirected to a URL that is not valid')
}

/** Redirect target; null if it isn't a redirect. Never goes from https to http. */
function redirectOf({ status, headers }: HttpResponse, from: string): string | null {
  const location = headers['location']
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return null
  const target = URL.parse(location, from)
  const downgrade = from.startsWith('https:') && target?.protocol === 'http:'
  return target === null || downgrade ? null : target.href
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Requested pause, in milliseconds. */
const restOf = ({ headers }: HttpResponse): number => (retryAfterOf(headers) || DEFAULT_REST_SECONDS) * 1000
