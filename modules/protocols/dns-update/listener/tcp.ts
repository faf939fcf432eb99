import { once } from 'node:events'
import { createServer, isIPv6, type Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { Answerer, Door, Place } from './door.ts'

const MAX_CONNECTIONS = 256
/** Of one address. */
const MAX_OF_CLIENT = 32

/** From the end of an answer, or the beginning of the connection, to the end of the next message. */
const IDLE_MS = 15_000

/** For a client to take a part of an answer. */
const WRITE_MS = 30_000

/** Octets of the length before each message (RFC 1035 section 4.2.2). */
const PREFIX = 2

/** Answers the messages that come to an address over TCP, one after another. Rejects if it can't be used. */
export async function openTcp(
  { host, port }: Place,
  answer: Answerer,
  log: FastifyBaseLogger,
): Promise<Door> {
  const clients = new Map<string, number>()
  const idle = new Set<Socket>()
  const running = new Set<Promise<void>>()
  let isOpen = true

  const server = createServer({ noDelay: true }, (socket) => {
    const ip = socket.remoteAddress ?? ''
    const count = clients.get(ip) ?? 0
    // Also ends those that were reset.
    socket.on('error', () => socket.destroy())
    if (!isOpen || count >= MAX_OF_CLIENT) return void socket.destroy()
    clients.set(ip, count + 1)
    socket.once('close', () => {
      const left = (clients.get(ip) ?? 1) - 1
      if (left === 0) clients.delete(ip)
      else clients.set(ip, left)
    })
    const work = serve(socket, ip).catch((error: unknown) => {
      log.debug({ reason: (error as Error).message }, 'DNS connection ended')
      socket.destroy()
    })
    running.add(work)
    void work.finally(() => running.delete(work))
  })
  server.maxConnections = MAX_CONNECTIONS
  server.listen({ host, port, ipv6Only: isIPv6(host) })
  await once(server, 'listening')

  async function serve(socket: Socket, ip: string): Promise<void> {
    for await (const bytes of messagesOf(socket, idle)) {
      let isTrusted = false
      for await (const part of answer(bytes, { transport: 'tcp', ip })) {
        isTrusted = part.isTrusted
        await write(socket, part.bytes)
      }
      // Who has no valid key gets one answer for each connection.
      if (!isTrusted || !isOpen) break
    }
    socket.end()
    setTimeout(() => socket.destroy(), IDLE_MS).unref()
  }

  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close() {
      isOpen = false
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of idle) socket.destroy()
      await Promise.all(running)
      await closed
    },
  }
}

/** Yields each message of a connection; ends with the connection, or when the next message takes too long. */
async function* messagesOf(socket: Socket, idle: Set<Socket>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.of()
  let timer = start()
  function start() {
    idle.add(socket)
    return setTimeout(() => socket.destroy(), IDLE_MS)
  }
  try {
    for await (const chunk of socket) {
      held = Buffer.concat([held, chunk as Buffer])
      for (;;) {
        const end = held.length < PREFIX ? Infinity : PREFIX + held.readUInt16BE(0)
        if (held.length < end) break
        clearTimeout(timer)
        idle.delete(socket)
        const message = held.subarray(PREFIX, end)
        held = held.subarray(end)
        yield message
        timer = start()
      }
    }
  } finally {
    clearTimeout(timer)
    idle.delete(socket)
  }
}

async function write(socket: Socket, bytes: Buffer): Promise<void> {
  const prefix = Buffer.alloc(PREFIX)
  prefix.writeUInt16BE(bytes.length)
  if (socket.destroyed) throw new Error('the client has gone')
  if (socket.write(Buffer.concat([prefix, bytes]))) return
  const timer = setTimeout(() => socket.destroy(), WRITE_MS)
  try {
    await Promise.race([once(socket, 'drain'), once(socket, 'close')])
  } finally {
    clearTimeout(timer)
  }
}
