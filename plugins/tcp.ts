import { connect, isIP, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { OutboundError, reasonOf, type OutboundErrorKind } from './http-exchange.ts'
import { createGuard, type OutboundGuard } from './outbound-allow.ts'
import { blocked, guardedLookup, resolveBySystem, type Resolve } from './outbound-lookup.ts'

interface TcpQuestion {
  host: string
  port: number
  /** What is sent, as it is. */
  text: string
  /** For everything: look-up, connecting, and the answer to its end. Default 10 s. */
  timeoutMs?: number
  /** Of the answer. Default 256 KiB. */
  maxBytes?: number
  signal?: AbortSignal
}

/** Plain questions to other servers, for protocols that end their answer by closing: guarded as app.http is. */
export interface Tcp {
  /** Resolves with all that came before the peer closed. Rejects with OutboundError and nothing else. */
  ask(question: TcpQuestion): Promise<Buffer>
  /** Whether the operator lists this peer with this very port: for ports that come from untrusted text. */
  names(host: string, port: number): boolean
  /** Ends all connections; questions in flight reject with kind `aborted`. */
  close(): void
}

interface TcpOptions {
  /** Peers that may be reached although they aren't public; see parseAllow for the form. */
  allow: readonly string[]
  /** For tests, which have no name server. */
  resolve?: Resolve
}

declare module 'fastify' {
  interface FastifyInstance {
    tcp: Tcp
  }
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 256 * 1024

/** Throws for a malformed entry of `allow`. */
export function createTcp({ allow, resolve = resolveBySystem }: TcpOptions): Tcp {
  const guard = createGuard(allow)
  const closing = new AbortController()
  return {
    ask: (question) => {
      const { signal = closing.signal } = question
      return ask(guard, resolve, { ...question, signal: AbortSignal.any([signal, closing.signal]) })
    },
    names: (host, port) => guard.names(host, port),
    close: () => closing.abort(),
  }
}

function ask(
  guard: OutboundGuard,
  resolve: Resolve,
  question: TcpQuestion & { signal: AbortSignal },
): Promise<Buffer> {
  const { host, port, text, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, signal } = question
  const peer = `${host}:${port}`
  const trusted = guard.allowsHost(host, port)
  const isAllowed = (address: string) => trusted || guard.allowsAddress(address, port)
  const refused = blocked(peer)
  // A literal address is never looked up, so that the look-up's check does not see it.
  if (isIP(host) !== 0 && !isAllowed(host)) return Promise.reject(refused)

  return new Promise<Buffer>((done, fail) => {
    if (signal.aborted) return fail(new OutboundError('aborted', `${peer} was not asked`, false))
    const chunks: Buffer[] = []
    let size = 0
    let sent = false
    const socket: Socket = connect({ host, port, lookup: guardedLookup(resolve, isAllowed, refused) })
    const end = (error?: OutboundError) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      socket.destroy()
      if (error) fail(error)
      else done(Buffer.concat(chunks, size))
    }
    const giveUp = (kind: OutboundErrorKind, reason: string, cause?: Error) =>
      end(new OutboundError(kind, `${peer} ${reason}`, sent, cause))
    const onAbort = () => giveUp('aborted', 'was given up')
    const timer = setTimeout(
      () => giveUp('timeout', `did not answer within ${timeoutMs / 1000} s`),
      timeoutMs,
    )
    signal.addEventListener('abort', onAbort, { once: true })
    socket.on('connect', () => {
      if (socket.remoteAddress === undefined || !isAllowed(socket.remoteAddress)) return end(refused)
      sent = true
      socket.write(text)
    })
    socket.on('data', (chunk) => {
      size += chunk.length
      if (size > maxBytes) giveUp('too_large', `answered more than ${maxBytes} bytes`)
      else chunks.push(chunk)
    })
    socket.on('error', (error) => {
      if (error instanceof OutboundError) end(error)
      else giveUp('unreachable', reasonOf(error, sent), error)
    })
    socket.on('end', () => end())
  })
}

/** Decorates `app.tcp`. */
export default fp(
  (app: FastifyInstance, options: TcpOptions, done) => {
    const tcp = createTcp(options)
    app.decorate('tcp', tcp)
    app.addHook('onClose', async () => tcp.close())
    done()
  },
  { name: 'tcp' },
)
