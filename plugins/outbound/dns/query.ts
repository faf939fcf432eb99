import { randomInt } from 'node:crypto'
import { isIP } from 'node:net'
import { fullRcode, optRecord } from '../../../dns/wire/edns.ts'
import {
  CLASS,
  decodeHead,
  decodeMessage,
  encodeMessage,
  RCODE,
  TYPE,
  type Message,
  type Question,
  type ResourceRecord,
} from '../../../dns/wire/message.ts'
import { typeCode } from '../../../dns/wire/type-codes.ts'
import { WireError } from '../../../dns/wire/wire.ts'
import type { OutboundGuard } from '../allow.ts'
import { OutboundError } from '../http-exchange.ts'
import { blocked } from '../lookup.ts'
import type { Tcp } from '../tcp.ts'
import type { Pace } from './pace.ts'
import { askUdp } from './udp.ts'

// Messages are encoded and decoded by dns/wire rather than a package: the rfc2136 adapter relies on it against real
// servers, it keeps data of every type byte for byte, and record types compare what it returns (`fromWire`).

/** Where a server listens, over UDP and TCP. */
export interface DnsServer {
  /** IPv4 or IPv6, never a name. */
  address: string
  port: number
}

export interface DnsQuestion {
  /** Canonical and absolute. */
  name: string
  /** A mnemonic such as `MX`, or `TYPE65534`. */
  type: string
  /** Asks for RRSIG and NSEC records, too (RFC 3225). Default false. */
  dnssecOk?: boolean
}

/** What a server answered, complete: over TCP if it didn't fit into UDP. Names are canonical, data is uncompressed. */
export interface DnsAnswer {
  /** RFC 1035 section 4.1.1, with the upper bits of EDNS; see RCODE in dns/wire/message.ts. */
  rcode: number
  /** AA: from a zone of the server, not from a cache or a referral. */
  isAuthoritative: boolean
  /** TC of the UDP answer; this one came over TCP. */
  isTruncated: boolean
  /** AD: the resolver has validated it with DNSSEC. */
  isAuthentic: boolean
  answers: ResourceRecord[]
  authorities: ResourceRecord[]
  /** Without OPT. */
  additionals: ResourceRecord[]
}

export interface QueryTools {
  guard: OutboundGuard
  /** With the same guard. */
  tcp: Tcp
  pace: Pace
  /** Ends all queries. */
  closing: AbortSignal
  /** Asks the server to query others: for resolvers. */
  isRecursive: boolean
}

/** Of one attempt over UDP. */
const UDP_TIMEOUT_MS = 2_000
const UDP_ATTEMPTS = 2
const TCP_TIMEOUT_MS = 5_000
const MAX_TCP_BYTES = 65_537
const BADVERS = 16
/** How servers answer that don't know EDNS (RFC 6891 section 7). */
const WITHOUT_EDNS: ReadonlySet<number> = new Set([RCODE.FORMERR, RCODE.NOTIMP, BADVERS])
const TRUNCATED = 0x02

/**
 * Asks one server: UDP with EDNS, a second attempt if no answer comes, TCP after truncation. Rejects with OutboundError
 * without an answer; any RCODE is one.
 */
export async function query(
  tools: QueryTools,
  server: DnsServer,
  question: DnsQuestion,
  signal?: AbortSignal,
): Promise<DnsAnswer> {
  const peer = peerOf(server)
  if (isIP(server.address) === 0 || !tools.guard.allowsAddress(server.address, server.port)) {
    throw blocked(peer)
  }
  const exchange = new QueryExchange(
    tools,
    server,
    question,
    AbortSignal.any(signal ? [signal, tools.closing] : [tools.closing]),
  )
  try {
    const answer = await exchange.ask(true)
    return WITHOUT_EDNS.has(answer.rcode) ? await exchange.ask(false) : answer
  } catch (error) {
    if (error instanceof OutboundError) throw error
    if (error instanceof WireError) {
      throw new OutboundError('unreachable', `${peer} sent a malformed answer`, true, error)
    }
    if (tools.closing.aborted || signal?.aborted === true) {
      throw new OutboundError('aborted', `${peer}: the query was aborted`, false, error)
    }
    throw error
  }
}

const peerOf = ({ address, port }: DnsServer) =>
  isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`

class QueryExchange {
  readonly #tools: QueryTools
  readonly #server: DnsServer
  readonly #question: Question
  readonly #dnssecOk: boolean
  readonly #signal: AbortSignal

  constructor(tools: QueryTools, server: DnsServer, question: DnsQuestion, signal: AbortSignal) {
    const type = typeCode(question.type)
    if (type === null) throw new TypeError(`${question.type} is not a type`)
    this.#tools = tools
    this.#server = server
    this.#question = { name: question.name, type, class: CLASS.IN }
    this.#dnssecOk = question.dnssecOk ?? false
    this.#signal = signal
  }

  async ask(withEdns: boolean): Promise<DnsAnswer> {
    const bytes = await this.#overUdp(withEdns)
    // A truncated message may end within a record, so it is not decoded.
    const isTruncated = ((bytes[2] ?? 0) & TRUNCATED) !== 0
    const message = isTruncated ? await this.#overTcp(withEdns) : decodeMessage(bytes)
    return {
      rcode: fullRcode(message),
      isAuthoritative: message.isAuthoritative,
      isTruncated,
      isAuthentic: message.isAuthentic,
      answers: message.answers,
      authorities: message.authorities,
      additionals: message.additionals.filter(({ type }) => type !== TYPE.OPT),
    }
  }

  async #overUdp(withEdns: boolean): Promise<Buffer> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { id, data } = this.#message(withEdns)
        return await this.#inTurn(() =>
          askUdp({ ...this.#server, data, timeoutMs: UDP_TIMEOUT_MS, signal: this.#signal }, (answer) =>
            this.#answers(id, answer),
          ),
        )
      } catch (error) {
        const isTimeout = error instanceof OutboundError && error.kind === 'timeout'
        if (!isTimeout || attempt === UDP_ATTEMPTS) throw error
      }
    }
  }

  async #overTcp(withEdns: boolean): Promise<Message> {
    const { id, data } = this.#message(withEdns)
    const { address: host, port } = this.#server
    const limits = { timeoutMs: TCP_TIMEOUT_MS, maxBytes: MAX_TCP_BYTES, signal: this.#signal }
    return this.#inTurn(async () => {
      for await (const bytes of this.#tools.tcp.converse({ host, port, messages: [data], ...limits })) {
        if (this.#answers(id, bytes)) return decodeMessage(bytes)
        break
      }
      throw new WireError('The answer belongs to another question')
    })
  }

  #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    return this.#tools.pace.run(peerOf(this.#server), this.#signal, ask)
  }

  #message(withEdns: boolean): { id: number; data: Buffer } {
    const id = randomInt(65_536)
    const additionals = withEdns ? [optRecord(this.#dnssecOk)] : []
    const questions = [this.#question]
    return { id, data: encodeMessage({ id, questions, additionals, isRecursive: this.#tools.isRecursive }) }
  }

  /** The header and the question are ours; a server that couldn't read the question may leave it out. */
  #answers(id: number, bytes: Buffer): boolean {
    try {
      const head = decodeHead(bytes)
      const [asked] = head.questions
      const { name, type } = this.#question
      const isOurs =
        asked === undefined ? head.rcode !== RCODE.NOERROR : asked.name === name && asked.type === type
      return head.id === id && head.isResponse && isOurs
    } catch (error) {
      if (error instanceof WireError) return false
      throw error
    }
  }
}
