import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { CLASS, decodeMessage, encodeMessage, RCODE } from '../../dns/wire/message.ts'

const TXT = 16

/** A recursive resolver on loopback that answers from what a test published. */
export interface NameServer {
  /** What the service needs to ask here. */
  environment: { DNS_RESOLVERS: string }
  /** The values of the TXT records of each name. */
  texts: Map<string, string[]>
  /** The names that were asked for. */
  asked: string[]
  /** Answers SERVFAIL. */
  fails: boolean
}

/** Speaks DNS over UDP. */
export async function startNameServer(t: { teardown(end: () => unknown): void }): Promise<NameServer> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => socket.close())
  const server: NameServer = {
    environment: { DNS_RESOLVERS: `127.0.0.1:${socket.address().port}` },
    texts: new Map(),
    asked: [],
    fails: false,
  }
  socket.on('message', (bytes, peer) => {
    const { id, questions } = decodeMessage(bytes)
    const name = questions[0]?.name ?? ''
    server.asked.push(name)
    const texts = server.texts.get(name)
    const answer = encodeMessage({
      id,
      isResponse: true,
      rcode: server.fails ? RCODE.SERVFAIL : texts ? RCODE.NOERROR : RCODE.NXDOMAIN,
      questions,
      answers: server.fails
        ? []
        : (texts ?? []).map((text) => ({ name, type: TXT, class: CLASS.IN, ttl: 60, data: stringsOf(text) })),
    })
    socket.send(answer, peer.port, peer.address)
  })
  return server
}

/** Two strings, as a long value may come (RFC 1035 section 3.3.14). */
function stringsOf(text: string): Buffer {
  const middle = Math.floor(text.length / 2)
  return Buffer.concat(
    [text.slice(0, middle), text.slice(middle)].flatMap((part) => [
      Buffer.from([part.length]),
      Buffer.from(part),
    ]),
  )
}
