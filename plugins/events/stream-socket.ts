import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'

/**
 * Takes the connection of a reply out of Node's HTTP server and sends the head of an event stream with `first`. Returns
 * null when the connection owes the client another response.
 *
 * `detachSocket` is not documented, and this is its only use. Over `ServerResponse`, each frame would be chunked
 * again for each of thousands of streams, requests and responses would stay in memory as long as their streams, and
 * Fastify would log and measure responses that last for hours.
 */
export function takeSocket(reply: FastifyReply, first: readonly Buffer[]): Socket | null {
  const { raw } = reply
  const { socket } = raw
  if (socket === null) return null
  const head = headOf(reply)
  reply.hijack()
  raw.detachSocket(socket)
  socket.write(Buffer.concat([head, ...first]))
  return socket
}

/** The head of the response, with the headers set by hooks of the app (CORS, security). */
function headOf(reply: FastifyReply): Buffer {
  const headers = {
    ...reply.getHeaders(),
    date: new Date().toUTCString(),
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    // Proxies must pass on each message as it comes.
    'x-accel-buffering': 'no',
    // Without a length, the end of the connection is the end of the response (RFC 9112 section 6.3).
    connection: 'close',
  }
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((text) => `${name}: ${text}\r\n`),
  )
  return Buffer.from(`HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`, 'latin1')
}
