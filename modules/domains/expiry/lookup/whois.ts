import { OutboundError } from '../../../../plugins/outbound/http-exchange.ts'
import type { Tcp } from '../../../../plugins/outbound/tcp.ts'
import type { Pacing } from './pacing.ts'
import { LookupError, notRegistered, type Registration } from './registration.ts'
import { readWhois, referralIn, type WhoisAnswer } from './whois-answer.ts'
import { formatOf, questionFor, REGISTRAR_FORMAT, type WhoisFormat } from './whois-formats.ts'

interface WhoisContext {
  tcp: Tcp
  pacing: Pacing
  /** Server that knows the WHOIS servers of TLDs: `host` or `host:port`. */
  startServer: string
  maxWaitMs: number
  timeoutMs: number
  /** WHOIS servers of TLDs found so far. */
  known: Map<string, { server: string; until: number }>
}

interface Peer {
  host: string
  port: number
}

const WHOIS_PORT = 43
const DAY_MS = 24 * 3600 * 1000
const DEFAULT_REST_MS = 120_000

/**
 * Looks up by WHOIS (RFC 3912): first the TLD's server, then the registry, then the registrar for missing data. Rejects
 * with LookupError, or with the signal's reason if aborted.
 */
export async function askWhois(
  context: WhoisContext,
  domain: string,
  signal: AbortSignal,
): Promise<Registration> {
  const start = peerOf(context.startServer, () => true)
  const registry = await registryOf(context, domain, signal)
  if (registry === null || start === null || same(registry, start)) {
    throw new LookupError('no_server', `No WHOIS server is known for ${domain}`)
  }
  const answer = await query(context, registry, questionFor(domain), formatOf(domain), signal)
  if (answer.kind === 'not_registered') throw notRegistered(domain)
  if (answer.kind !== 'registered') {
    throw new LookupError('unavailable', `The response of ${registry.host} is not a registration`)
  }
  const { registration } = answer
  const complete = registration.expiresAt !== null && registration.registrar !== null
  const registrar = answer.registrarServer && referredPeer(context, answer.registrarServer)
  // At most three servers, none twice; a registrar's referrals are not followed.
  if (complete || !registrar || same(registrar, registry) || same(registrar, start)) return registration
  return withRegistrar(context, registration, registrar, domain, signal)
}

/** Data from the registrar's server; its failure is ignored. */
async function withRegistrar(
  context: WhoisContext,
  registration: Registration,
  registrar: Peer,
  domain: string,
  signal: AbortSignal,
): Promise<Registration> {
  const answer = await query(context, registrar, domain, REGISTRAR_FORMAT, signal).catch(() => null)
  if (answer?.kind !== 'registered') return registration
  return {
    ...registration,
    expiresAt: registration.expiresAt ?? answer.registration.expiresAt,
    registrar: registration.registrar ?? answer.registration.registrar,
  }
}

/** Returns the registry's server; queried once a day per TLD. */
async function registryOf(context: WhoisContext, domain: string, signal: AbortSignal): Promise<Peer | null> {
  const tld = domain.slice(domain.lastIndexOf('.') + 1)
  const known = context.known.get(tld)
  if (known && known.until > Date.now()) return referredPeer(context, known.server)
  const start = peerOf(context.startServer, () => true)
  if (start === null) return null
  const server = referralIn(await send(context, start, domain, signal))
  if (server === null) return null
  context.known.set(tld, { server, until: Date.now() + DAY_MS })
  return referredPeer(context, server)
}

async function query(
  context: WhoisContext,
  peer: Peer,
  question: string,
  format: WhoisFormat,
  signal: AbortSignal,
): Promise<WhoisAnswer> {
  const answer = readWhois(await send(context, peer, question, signal), format)
  if (answer.kind === 'rate_limited') {
    await context.pacing.rest(nameOf(peer), answer.restMs ?? DEFAULT_REST_MS)
    throw new LookupError('rate_limited', `Rate limit of ${peer.host} reached`)
  }
  return answer
}

async function send(
  { tcp, pacing, maxWaitMs, timeoutMs }: WhoisContext,
  peer: Peer,
  question: string,
  signal: AbortSignal,
): Promise<string> {
  await pacing.turn(nameOf(peer), maxWaitMs, signal)
  const bytes = await tcp
    .ask({ ...peer, text: `${question}\r\n`, timeoutMs, signal })
    .catch((error: unknown) => {
      throw error instanceof OutboundError ? new LookupError('unavailable', error.message, error) : error
    })
  return decode(bytes)
}

/** Decodes UTF-8, or Latin-1 (registro.br) if not valid. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}

const nameOf = ({ host, port }: Peer) => (port === WHOIS_PORT ? host : `${host}:${port}`)
const same = (a: Peer, b: Peer) => a.host === b.host && a.port === b.port

/** A server named in another's response: on the WHOIS port, or on a port the operator allows. */
const referredPeer = ({ tcp }: WhoisContext, text: string): Peer | null =>
  peerOf(text.replace(/^whois:\/\//i, '').replace(/\/.*$/, ''), (host, port) => tcp.names(host, port))

function peerOf(text: string, allows: (host: string, port: number) => boolean): Peer | null {
  const [, host = '', digits] = /^([a-z0-9][a-z0-9.-]{0,252})(?::(\d{1,5}))?$/i.exec(text.trim()) ?? []
  if (host === '') return null
  const port = digits === undefined ? WHOIS_PORT : Number(digits)
  const peer = { host: host.toLowerCase().replace(/\.$/, ''), port }
  return port === WHOIS_PORT || allows(peer.host, port) ? peer : null
}
