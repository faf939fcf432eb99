import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { OutboundError, reasonOf } from '../http-exchange.ts'

interface Datagram {
  address: string
  port: number
  data: Uint8Array
  timeoutMs: number
  signal: AbortSignal
}

/**
 * Sends a datagram from a random port and returns the first answer that `accepts`; others are ignored, as
 * they may be forged. Rejects with OutboundError.
 */
export function askUdp(
  { address, port, data, timeoutMs, signal }: Datagram,
  accepts: (answer: Buffer) => boolean,
): Promise<Buffer> {
  const peer = `${address}:${port}`
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  let sent = false
  const abort = () => reject(new OutboundError('aborted', `${peer}: the query was aborted`, sent))
  const timer = setTimeout(() => {
    reject(new OutboundError('timeout', `${peer} did not answer within ${timeoutMs / 1000} s`, sent))
  }, timeoutMs)
  const fail = (error: Error) =>
    reject(new OutboundError('unreachable', `${peer} ${reasonOf(error, sent)}`, sent, error))
  socket.on('error', fail)
  socket.on('message', (answer) => {
    if (accepts(answer)) resolve(answer)
  })
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  // A connected socket receives only from its peer, and learns at once that nobody listens there. Not as a callback of
  // `connect`: that is also called when it fails, for example because there is no route.
  socket.on('connect', () => {
    sent = true
    socket.send(data, (error) => {
      if (error) fail(error)
    })
  })
  socket.connect(port, address)
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    socket.close()
  })
}
