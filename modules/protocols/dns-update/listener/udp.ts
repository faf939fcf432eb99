import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { Answerer, Door, Place } from './door.ts'

/** Messages worked on at a time; further ones are dropped, and their clients repeat them. */
const MAX_RUNNING = 256

/** Octets of messages that wait in the kernel. */
const BUFFER_SIZE = 1_048_576

/** Longest request over UDP; clients send larger ones over TCP. */
const MAX_SIZE = 4_096

/** Answers the messages that come to an address over UDP. Rejects if it can't be used. */
export async function openUdp(
  { host, port }: Place,
  answer: Answerer,
  log: FastifyBaseLogger,
): Promise<Door> {
  const isSix = isIPv6(host)
  const socket = createSocket({ type: isSix ? 'udp6' : 'udp4', ipv6Only: isSix, recvBufferSize: BUFFER_SIZE })
  const running = new Set<Promise<void>>()
  let isOpen = true

  socket.on('message', (bytes, from) => {
    if (!isOpen || running.size >= MAX_RUNNING || bytes.length > MAX_SIZE) return
    const work = reply(bytes, from)
    running.add(work)
    void work.finally(() => running.delete(work))
  })
  const bound = once(socket, 'listening')
  socket.bind({ address: host, port, exclusive: true })
  await bound
  // Such as an answer that can't be delivered.
  socket.on('error', (error) => log.debug({ reason: error.message }, 'DNS socket failed'))

  async function reply(bytes: Buffer, { address, port: theirs }: RemoteInfo): Promise<void> {
    for await (const part of answer(bytes, { transport: 'udp', ip: address })) {
      await new Promise<void>((resolve) => socket.send(part.bytes, theirs, address, () => resolve()))
    }
  }

  return {
    port: socket.address().port,
    async close() {
      isOpen = false
      await Promise.all(running)
      await new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  }
}
