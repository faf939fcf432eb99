import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { typeOf } from '../../dns/types/index.ts'
import {
  CLASS,
  decodeMessage,
  encodeMessage,
  type Message,
  type NewMessage,
  type ResourceRecord,
} from '../../dns/wire/message.ts'
import type { RecordType } from '../../schemas/records/record-type.ts'
import { typeCode } from '../../dns/wire/type-codes.ts'

/** What a server answers: parts of a message, raw octets, or nothing. */
export type Reply = Partial<NewMessage> | Buffer | null

export interface DnsTestServer {
  address: string
  port: number
  /** What came, as `A www.example.com`, with the transport. */
  asked: string[]
  /** May be replaced at any time. */
  answer: (query: Message, transport: 'udp' | 'tcp') => Reply
}

/** Speaks DNS over UDP and TCP on loopback, on a free port unless one is given. */
export async function startDnsServer(
  t: { teardown(end: () => unknown): void },
  answer: DnsTestServer['answer'],
  { address = '127.0.0.1', port = 0 } = {},
): Promise<DnsTestServer> {
  const tcp = createServer()
  const connections = new Set<Socket>()
  tcp.listen(port, address)
  await once(tcp, 'listening')
  const server: DnsTestServer = { address, port: (tcp.address() as AddressInfo).port, asked: [], answer }
  const udp = createSocket('udp4')
  udp.bind(server.port, address)
  await once(udp, 'listening')
  t.teardown(() => {
    udp.close()
    for (const connection of connections) connection.destroy()
    tcp.close()
  })

  const replyTo = (bytes: Buffer, transport: 'udp' | 'tcp'): Buffer | null => {
    const query = decodeMessage(bytes)
    const [question] = query.questions
    server.asked.push(`${transport} ${String(question?.type)} ${question?.name ?? ''}`)
    const reply = server.answer(query, transport)
    if (reply === null || Buffer.isBuffer(reply)) return reply
    return encodeMessage({ id: query.id, isResponse: true, questions: query.questions, ...reply })
  }
  udp.on('message', (bytes, peer) => {
    const reply = replyTo(bytes, 'udp')
    if (reply !== null) udp.send(reply, peer.port, peer.address)
  })
  tcp.on('connection', (connection) => {
    connections.add(connection.on('error', () => {}))
    connection.on('data', (chunk) => {
      const reply = replyTo(chunk.subarray(2), 'tcp')
      if (reply === null) return
      const length = Buffer.alloc(2)
      length.writeUInt16BE(reply.length)
      connection.end(Buffer.concat([length, reply]))
    })
  })
  return server
}

/** A record for an answer, from a canonical value. */
export const record = (name: string, type: RecordType, value: string, ttl = 60): ResourceRecord => ({
  name,
  type: typeCode(type) ?? 0,
  class: CLASS.IN,
  ttl,
  data: typeOf(type).toWire(value),
})
