import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { createGuard } from './allow.ts'
import { OutboundError, reasonOf } from './http-exchange.ts'
import { blocked, guardedLookup, resolveBySystem, type Resolve } from './lookup.ts'

interface Peer {
  /** An address or a name. */
  host: string
  port: number
  /** Total: look-up, connecting, and what is read of the answer. */
  timeoutMs: number
  signal?: AbortSignal
}

export interface HttpProbe extends Peer {
  tls: boolean
  /** For the Host header, and with TLS for the server name and the certificate. */
  hostName: string
  path: string
  /** False: any certificate will do. */
  verifyCertificate: boolean
  /** Of the body; the rest is not read. */
  maxBytes: number
}

export interface HttpAnswer {
  status: number
  /** The first `maxBytes` of the body. */
  body: Buffer
  /** When the server's certificate expires; null without TLS. */
  certificateExpires: Date | null
}

/**
 * Calls that find out whether a server works, each with a connection of its own to a given address, guarded like app.http.
 * They reject only with OutboundError.
 */
export interface Probe {
  /** One GET without redirects; resolves with any status. */
  http(probe: HttpProbe): Promise<HttpAnswer>
  /** Resolves when a connection is open, and closes it. */
  tcp(peer: Peer): Promise<void>
  /** Whether a literal address may be called; names are checked when they are looked up. */
  allows(host: string, port: number): boolean
  /** Calls in flight reject with kind `aborted`. */
  close(): void
}

interface ProbeOptions {
  /** Peers that are allowed although not public; see parseAllow for the format. */
  allow: readonly string[]
  /** For tests, which have no name server. */
  resolve?: Resolve
}

declare module 'fastify' {
  interface FastifyInstance {
    probe: Probe
  }
}

/** Throws for a malformed entry of `allow`. */
export function createProbe({ allow, resolve = resolveBySystem }: ProbeOptions): Probe {
  const guard = createGuard(allow)
  const closing = new AbortController()

  const guarded = ({ host, port }: Peer) => {
    const trusted = guard.allowsHost(host, port)
    const isAllowed = (address: string) => trusted || guard.allowsAddress(address, port)
    const refused = blocked(`${host}:${port}`)
    return { isAllowed, refused, lookup: guardedLookup(resolve, isAllowed, refused) }
  }

  /** Runs a call within its time, and turns what it throws into an OutboundError. */
  async function within<T>(
    peer: Peer,
    call: (tools: {
      lookup: LookupFunction
      signal: AbortSignal
      opened: (socket: Socket) => void
    }) => Promise<T>,
  ): Promise<T> {
    const { isAllowed, refused, lookup } = guarded(peer)
    const { host, port, timeoutMs } = peer
    // A literal address is never looked up, so the look-up's check doesn't see it.
    if (isIP(host) !== 0 && !isAllowed(host)) throw refused
    const ends = AbortSignal.any(peer.signal ? [peer.signal, closing.signal] : [closing.signal])
    const time = AbortSignal.timeout(timeoutMs)
    let sent = false
    const opened = (socket: Socket) => {
      if (socket.remoteAddress === undefined || !isAllowed(socket.remoteAddress)) socket.destroy(refused)
      else sent = true
    }
    try {
      return await call({ lookup, signal: AbortSignal.any([ends, time]), opened })
    } catch (error) {
      const name = `${host}:${port}`
      if (error instanceof OutboundError) throw error
      if (!(error instanceof Error)) throw error
      if (ends.aborted) throw new OutboundError('aborted', `${name}: the call was aborted`, sent, error)
      if (time.aborted) {
        const reason = `${name} did not answer within ${timeoutMs / 1000} s`
        throw new OutboundError('timeout', reason, sent, error)
      }
      throw new OutboundError('unreachable', `${name} ${reasonOf(error, sent)}`, sent, error)
    }
  }

  return {
    http: (probe) =>
      within(probe, ({ lookup, signal, opened }) => {
        const { host, port, tls, hostName, path, verifyCertificate, maxBytes } = probe
        const { promise, resolve: succeed, reject } = Promise.withResolvers<HttpAnswer>()
        const options = {
          host,
          port,
          path,
          lookup,
          signal,
          agent: false as const,
          headers: { host: hostName, 'user-agent': 'Zonekeeper', accept: '*/*', connection: 'close' },
        }
        // An address is not a server name (RFC 6066 section 3).
        const servername = isIP(hostName) === 0 ? hostName.replace(/:\d+$/, '') : ''
        const receive = (response: IncomingMessage) => {
          readStart(response, maxBytes).then((body) => {
            const certificateExpires = tls ? expiryOf(response.socket as TLSSocket) : null
            succeed({ status: response.statusCode ?? 0, body, certificateExpires })
            response.destroy()
          }, reject)
        }
        const request = tls
          ? requestHttps({ ...options, servername, rejectUnauthorized: verifyCertificate }, receive)
          : requestHttp(options, receive)
        request.on('error', reject)
        request.on('socket', (socket) => {
          socket.on('connect', () => opened(socket))
        })
        request.end()
        return promise.finally(() => request.destroy())
      }),
    tcp: (peer) =>
      within(peer, ({ lookup, signal, opened }) => {
        const { promise, resolve: succeed, reject } = Promise.withResolvers<void>()
        const socket = connect({ host: peer.host, port: peer.port, lookup, signal })
        socket.on('error', reject)
        socket.on('close', () => reject(new Error('closed')))
        socket.on('connect', () => {
          opened(socket)
          if (!socket.destroyed) succeed()
        })
        return promise.finally(() => socket.destroy())
      }),
    allows: (host, port) =>
      isIP(host) === 0 || guard.allowsHost(host, port) || guard.allowsAddress(host, port),
    close: () => closing.abort(),
  }
}

async function readStart(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

function expiryOf(socket: TLSSocket): Date | null {
  const { valid_to: until } = socket.getPeerCertificate()
  const expires = new Date(until)
  return Number.isNaN(expires.getTime()) ? null : expires
}

/** Decorates `app.probe`. */
export default fp(
  (app: FastifyInstance, options: ProbeOptions, done) => {
    const probe = createProbe(options)
    app.decorate('probe', probe)
    app.addHook('onClose', async () => probe.close())
    done()
  },
  { name: 'probe' },
)
