import { once } from 'node:events'
import { connect, isIP } from 'node:net'
import { addAbortSignal } from 'node:stream'
import { OutboundError, reasonOf } from './http-exchange.ts'
import type { OutboundGuard } from './allow.ts'
import { blocked, guardedLookup, type Resolve } from './lookup.ts'

interface Conversation {
  host: string
  port: number
  /** Sent at once. */
  data: Uint8Array
  /** Total: look-up, connecting, and the complete answer. */
  timeoutMs: number
  /** Of the answer. */
  maxBytes: number
  signal: AbortSignal
}

/**
 * Connects to a peer the guard allows, sends the data, and yields the answer until the peer closes or the
 * reader stops. Throws only OutboundError.
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
  // A literal address is never looked up, so the look-up's check doesn't see it.
  if (isIP(host) !== 0 && !isAllowed(host)) throw refused
  if (signal.aborted) throw new OutboundError('aborted', `${peer} was not called`, false)

  const time = AbortSignal.timeout(timeoutMs)
  let sent = false
  const failure = (error: unknown): OutboundError => {
    if (error instanceof OutboundError) return error
    if (!(error instanceof Error)) throw error
    if (signal.aborted) return new OutboundError('aborted', `${peer}: the call was aborted`, sent, error)
    if (time.aborted) {
      const reason = `${peer} did not answer within ${timeoutMs / 1000} s`
      return new OutboundError('timeout', reason, sent, error)
    }
    return new OutboundError('unreachable', `${peer} ${reasonOf(error, sent)}`, sent, error)
  }

  const socket = connect({ host, port, lookup: guardedLookup(resolve, isAllowed, refused) })
  // No one listens between two reads; the next read throws it.
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
