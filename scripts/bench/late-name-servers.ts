import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { typeOf } from '../../dns/types/index.ts'
import {
  CLASS,
  decodeMessage,
  encodeMessage,
  TYPE,
  type NewMessage,
  type ResourceRecord,
} from '../../dns/wire/message.ts'
import { typeCode } from '../../dns/wire/type-codes.ts'
import type { RecordType } from '../../schemas/records/record-type.ts'

/** As far away as a name server on the same continent. */
export const LATENCY_MS = 20
const PARENTS = ['127.0.0.41', '127.0.0.42']
const OF_ZONES = ['127.0.0.43', '127.0.0.44']
const RESOLVER = '127.0.0.40'
const [A, NS, DS, TXT] = ['A', 'NS', 'DS', 'TXT'].map((type) => typeCode(type) ?? 0)

export interface LateNameServers {
  /** Of all servers. */
  port: number
  resolver: string
  /** Queries so far, by address. */
  asked: Map<string, number>
  close(): void
}

type Answer = (name: string, type: number) => Partial<NewMessage>

/**
 * A resolver, the servers of `example.com`, and the name servers that all zones below it have in common: UDP on loopback, with
 * answers that come late.
 */
export async function startLateNameServers(): Promise<LateNameServers> {
  const sockets: Socket[] = []
  const asked = new Map<string, number>()
  let port = 0
  const start = async (address: string, answer: Answer) => {
    const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20 })
    sockets.push(socket)
    socket.bind(port, address)
    await once(socket, 'listening')
    ;({ port } = socket.address())
    socket.on('message', (bytes, peer) => {
      const { id, questions } = decodeMessage(bytes)
      const [question] = questions
      if (!question) return
      asked.set(address, (asked.get(address) ?? 0) + 1)
      const reply = encodeMessage({
        id,
        isResponse: true,
        questions,
        ...answer(question.name, question.type),
      })
      setTimeout(() => socket.send(reply, peer.port, peer.address), LATENCY_MS)
    })
  }
  await start(RESOLVER, resolved)
  for (const address of PARENTS) await start(address, referral)
  for (const address of OF_ZONES) await start(address, authoritative)
  return {
    port,
    resolver: `${RESOLVER}:${port}`,
    asked,
    close: () => sockets.forEach((socket) => socket.close()),
  }
}

const named = (servers: string[], label: string) => servers.map((_, i) => `${label}${i + 1}.servers.test`)
const [ofParent, ofZone] = [named(PARENTS, 'parent'), named(OF_ZONES, 'zone')]
const ADDRESSES = new Map([
  ...ofParent.map((name, i) => [name, PARENTS[i] as string] as const),
  ...ofZone.map((name, i) => [name, OF_ZONES[i] as string] as const),
])

function resolved(name: string, type: number): Partial<NewMessage> {
  if (name === 'example.com' && type === NS) return { answers: ofParent.map((to) => record(name, 'NS', to)) }
  if (type === TXT) return { answers: [record(name, 'TXT', '"v=spf1 ip4:192.0.2.0/24 -all"')] }
  if (type !== A) return {}
  return { answers: [record(name, 'A', ADDRESSES.get(name) ?? '192.0.2.80')] }
}

const referral: Answer = (name, type) =>
  type === DS ? { isAuthoritative: true } : { authorities: ofZone.map((to) => record(name, 'NS', to)) }

const authoritative: Answer = (name, type) => ({
  isAuthoritative: true,
  answers: type === NS ? ofZone.map((to) => record(name, 'NS', to)) : type === TYPE.SOA ? [soa(name)] : [],
})

const record = (name: string, type: RecordType, value: string): ResourceRecord => ({
  name,
  type: typeCode(type) ?? 0,
  class: CLASS.IN,
  ttl: 300,
  data: typeOf(type).toWire(value),
})

/** Two root names and five numbers. */
const soa = (name: string): ResourceRecord => ({
  name,
  type: TYPE.SOA,
  class: CLASS.IN,
  ttl: 300,
  data: Buffer.alloc(22, 1).fill(0, 0, 2),
})
