import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { OutboundError } from './http-exchange.ts'
import { createGuard } from './allow.ts'
import { resolveBySystem, type Resolve } from './lookup.ts'
import { tcpStream } from './tcp-stream.ts'

interface TcpPeer {
  host: string
  port: number
  /** Total: look-up, connecting, and the complete answer. Default 10 s. */
  timeoutMs?: number
  /** Of the answer. Default 256 KiB. */
  maxBytes?: number
  signal?: AbortSignal
}

interface TcpQuestion extends TcpPeer {
  /** Sent unchanged. */
  text: string
}

interface TcpConversation extends TcpPeer {
  /** Sent at once, in this order; at most 65,535 octets each. */
  messages: Uint8Array[]
}

/** Connections to other servers, guarded like app.http. Every failure is an OutboundError. */
export interface Tcp {
  /**
   * Resolves with everything received before the peer closed, for protocols that end their answer that way.
   */
  ask(question: TcpQuestion): Promise<Buffer>
  /**
   * For protocols with a two-octet length before each message, as DNS (RFC 1035 section 4.2.2): yields the
   * answers until the reader stops, which closes the connection. Throws `unreachable` if the peer closes
   * before.
   */
  converse(question: TcpConversation): AsyncGenerator<Buffer>
  /** Returns whether the operator lists exactly this peer and port: for ports from untrusted text. */
  names(host: string, port: number): boolean
  /** Closes all connections; calls in flight reject with kind `aborted`. */
  close(): void
}

type Stream = (question: TcpPeer & { data: Uint8Array }) => AsyncGenerator<Buffer>

interface TcpOptions {
  /** Peers that are allowed although not public; see parseAllow for the format. */
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
  const stream: Stream = ({ host, port, data, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, signal }) => {
    const ends = AbortSignal.any(signal ? [signal, closing.signal] : [closing.signal])
    return tcpStream(guard, resolve, { host, port, data, timeoutMs, maxBytes, signal: ends })
  }
  return {
    async ask(question) {
      const chunks: Buffer[] = []
      for await (const chunk of stream({ ...question, data: Buffer.from(question.text) })) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
    converse: (question) => converse(question, stream),
    names: (host, port) => guard.names(host, port),
    close: () => closing.abort(),
  }
}

async function* converse(question: TcpConversation, stream: Stream): AsyncGenerator<Buffer> {
  const { messages, host, port } = question
  let left: Buffer = Buffer.alloc(0)
  for await (const chunk of stream({ ...question, data: Buffer.concat(messages.flatMap(framed)) })) {
    left = left.length === 0 ? chunk : Buffer.concat([left, chunk])
    for (let end = frameEnd(left); end <= left.length; end = frameEnd(left)) {
      yield left.subarray(LENGTH, end)
      left = left.subarray(end)
    }
  }
  throw new OutboundError(
    'unreachable',
    `${host}:${port} closed the connection before the answer was complete`,
    true,
  )
}

/** Octets of the length before a message. */
const LENGTH = 2

function framed(message: Uint8Array): Uint8Array[] {
  const length = Buffer.alloc(LENGTH)
  length.writeUInt16BE(message.length)
  return [length, message]
}

/** Where the first message ends. */
const frameEnd = (bytes: Buffer): number =>
  bytes.length < LENGTH ? Infinity : LENGTH + bytes.readUInt16BE(0)

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
