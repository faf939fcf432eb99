import { once } from 'node:events'
import { connect, isIP } from 'node:net'
import { addAbortSignal } from 'node:stream'
import { OutboundError, reasonOf } from './http-exchange.ts'
import type { OutboundGuard } from './allow.ts'
import { blocked, guardedLookup, type Resolve } from './lookup.ts'

interface Conversation {
  host: string
  port: number
  /** What is sent, all at once. */
  data: Uint8Array
  /** For everything: look-up, connecting, and the answer to its end. */
  timeoutMs: number
  /** Of the answer. */
  maxBytes: number
  signal: AbortSignal
}

/**
 * Connects to a peer that the guard allows, sends the data, and yields what comes back as it comes, until the peer
 * closes or the reader has enough. Throws OutboundError and nothing else.
 */
export async function* tcpStream(
  guard: OutboundGuard,
  resolve: Resolve,
  { host, port, data, timeoutMs, maxBytes, signal }: Conversation,
): AsyncGenerator<Buffer> {
  const peer = `${host}:${port}`
  const trusted = guard.allowsHost(host, port)
  const isAllowed = (address: string) => trusted || guard.allowsAddress(address, port)
  const refused = blocked(peer)
  // A literal address is never looked up, so that the look-up's check does not see it.
  if (isIP(host) !== 0 && !isAllowed(host)) throw refused
  if (signal.aborted) throw new OutboundError('aborted', `${peer} was not asked`, false)

  const time = AbortSignal.timeout(timeoutMs)
  let sent = false
  const failure = (error: unknown): OutboundError => {
    if (error instanceof OutboundError) return error
    if (!(error instanceof Error)) throw error
    if (signal.aborted) return new OutboundError('aborted', `${peer} was given up`, sent, error)
    if (time.aborted) {
      const reason = `${peer} did not answer within ${timeoutMs / 1000} s`
      return new OutboundError('timeout', reason, sent, error)
    }
    return new OutboundError('unreachable', `${peer} ${reasonOf(error, sent)}`, sent, error)
  }

  const socket = connect({ host, port, lookup: guardedLookup(resolve, isAllowed, refused) })
  // Between two reads nobody else listens; the next read throws it.
  socket.on('error', () => {})
  try {
    addAbortSignal(AbortSignal.any([signal, time]), socket)
    await once(socket, 'connect')
    if (socket.remoteAddress === undefined || !isAllowed(socket.remoteAddress)) throw refused
    sent = true
    socket.write(data)
    let size = 0
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) {
        throw new OutboundError('too_large', `${peer} answered more than ${maxBytes} bytes`, sent)
      }
      yield chunk
    }
  } catch (error) {
    throw failure(error)
  } finally {
    socket.destroy()
  }
}
