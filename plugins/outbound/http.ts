import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Agent, Pool, buildConnector } from 'undici'
import manifest from '../../package.json' with { type: 'json' }
import { Exchange, OutboundError, type HttpResponse } from './http-exchange.ts'
import { createGuard, type OutboundGuard } from './allow.ts'
import { blocked, guardedLookup, resolveBySystem, type Resolve } from './lookup.ts'

export { OutboundError, type HttpResponse } from './http-exchange.ts'

export interface HttpRequest {
  method: string
  /** http or https; user info in it becomes basic authentication. */
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Total: waiting for a connection, connecting, headers and body. Default 10 s. */
  timeoutMs?: number
  /** Of the body, received and decoded. Default 1 MiB. */
  maxBytes?: number
  /** The answer is binary: it has `bytes`, and `body` is empty. */
  binary?: boolean
  signal?: AbortSignal
}

/** Calls to other servers: guarded, bounded in time and size, without redirects. */
export interface Http {
  /** Resolves with any status. Rejects only with OutboundError. */
  request(request: HttpRequest): Promise<HttpResponse>
  /** Closes all connections; calls in flight reject with kind `aborted`. */
  close(): Promise<void>
}

export interface HttpOptions {
  /** Peers that are allowed although not public; see parseAllow for the format. */
  allow: readonly string[]
  /** For tests, which have no name server. */
  resolve?: Resolve
}

declare module 'fastify' {
  interface FastifyInstance {
    http: Http
  }
}

const CONNECT_TIMEOUT_MS = 3_000
const TIMEOUT_MS = 10_000
const MAX_BYTES = 1024 * 1024
// A slow peer must not take all sockets; further calls wait, within their own timeout.
const CONNECTIONS_PER_ORIGIN = 32
const USER_AGENT = `Zonekeeper/${manifest.version}`

/** Throws for a malformed entry of `allow`. */
export function createHttp({ allow, resolve = resolveBySystem }: HttpOptions): Http {
  const guard = createGuard(allow)
  const factory = (origin: string | URL, options: object) =>
    new Pool(origin, {
      ...options,
      connect: guardedConnector(new URL(origin), guard, resolve),
      connections: CONNECTIONS_PER_ORIGIN,
      allowH2: false,
    })
  const agent = new Agent({ factory, headersTimeout: 0, bodyTimeout: 0 })
  return {
    request: async (request) => send(agent, request),
    close: () => agent.destroy(new OutboundError('aborted', 'The service is stopping', false)),
  }
}

function send(agent: Agent, request: HttpRequest): Promise<HttpResponse> {
  const url = parseUrl(request.url)
  const exchange = new Exchange({
    peer: peerName(url),
    timeoutMs: request.timeoutMs ?? TIMEOUT_MS,
    maxBytes: request.maxBytes ?? MAX_BYTES,
    binary: request.binary ?? false,
    signal: request.signal,
  })
  if (request.signal?.aborted !== true) {
    agent.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: {
          'user-agent': USER_AGENT,
          'accept-encoding': 'gzip',
          ...basicAuth(url),
          ...request.headers,
        },
        body: request.body ?? null,
      },
      exchange,
    )
  }
  return exchange.answer
}

function parseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new OutboundError('blocked', 'Only complete http and https addresses can be called', false)
}

// No path or query: a webhook's address is often its secret.
const peerName = (url: URL): string => `${url.hostname}:${portOf(url)}`

const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

function basicAuth(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {}
  const pair = `${decodePart(url.username)}:${decodePart(url.password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

// A lone "%" is valid in a URL's password but not for decodeURIComponent.
function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Checks the peer three times: a literal address (which is never looked up), every address a name resolves
 * to, and the address the socket connected to.
 */
function guardedConnector(url: URL, guard: OutboundGuard, resolve: Resolve): buildConnector.connector {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = portOf(url)
  const trusted = guard.allowsHost(host, port)
  const isAllowed = (address: string) => trusted || guard.allowsAddress(address, port)
  const refused = blocked(peerName(url))
  const lookup = guardedLookup(resolve, isAllowed, refused)
  const open = buildConnector({ lookup, timeout: CONNECT_TIMEOUT_MS, allowH2: false })
  return (options, callback) => {
    if (isIP(host) !== 0 && !isAllowed(host)) return callback(refused, null)
    open(options, (error, socket) => {
      if (error !== null) return callback(error, null)
      if (socket.remoteAddress !== undefined && isAllowed(socket.remoteAddress)) return callback(null, socket)
      socket.destroy()
      callback(refused, null)
    })
  }
}

/** Decorates `app.http`. */
export default fp(
  (app: FastifyInstance, options: HttpOptions, done) => {
    const http = createHttp(options)
    app.decorate('http', http)
    app.addHook('onClose', () => http.close())
    done()
  },
  { name: 'http' },
)
