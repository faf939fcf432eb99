import { randomInt } from 'node:crypto'
import {
  CLASS,
  decodeMessage,
  encodeMessage,
  MAX_MESSAGE,
  OPCODE,
  RCODE,
  TYPE,
  type Message,
  type NewMessage,
  type Question,
  type ResourceRecord,
} from '../../../../dns/wire/message.ts'
import { signMessage, TsigVerifier, type TsigKey } from '../../../../dns/wire/tsig.ts'
import { WireError } from '../../../../dns/wire/wire.ts'
import { OutboundError } from '../../../../plugins/outbound/http.ts'
import { ProviderError, tooLarge, type AdapterContext } from '../../contract.ts'
import { retried } from '../../traffic/retries.ts'
import { malformed, refusal, toProviderError } from './failures.ts'

export interface Server {
  host: string
  port: number
  key: TsigKey
}

/** An update of one zone (RFC 2136 section 2). Nothing happens unless all prerequisites hold. */
export interface Update {
  prerequisites: ResourceRecord[]
  updates: ResourceRecord[]
}

interface Answer {
  /** Position of the request. */
  index: number
  message: Message
  /** Null: the server refuses without a signature, as some do for zones they don't have. */
  verifier: TsigVerifier | null
}

const TIMEOUT_MS = 10_000
const TRANSFER_TIMEOUT_MS = 30_000
// A long TXT record, or a record with its signature.
const BYTES_A_RECORD = 512
const PAUSE_MS = 20
const IDS = 65_536
/** Codes for records that exist or not, or that this server does not serve. */
const ANSWERED: ReadonlySet<number> = new Set([RCODE.NOERROR, RCODE.NXDOMAIN, RCODE.REFUSED])
/** Codes for unmet prerequisites (RFC 2136 section 2.2). */
const UNMET: ReadonlySet<number> = new Set([RCODE.NXDOMAIN, RCODE.YXDOMAIN, RCODE.YXRRSET, RCODE.NXRRSET])
/** Codes that state facts about the zone, so they need a signature; refusals may lack one. */
const STATES: ReadonlySet<number> = new Set([RCODE.NOERROR, ...UNMET])

/**
 * One server and one key. Everything is signed, over TCP (RFC 2136, RFC 5936, RFC 8945), and retried if that can't repeat
 * an effect.
 */
export class Client {
  readonly #server: Server
  readonly context: AdapterContext

  constructor(server: Server, context: AdapterContext) {
    this.#server = server
    this.context = context
  }

  /**
   * Returns the answers in the order of the questions, which are sent together and without recursion:
   * NOERROR, NXDOMAIN or REFUSED. Rejects with ProviderError.
   */
  async query(questions: Question[]): Promise<Message[]> {
    return retried(this.context, async () => {
      const answers = await this.#ask(questions.map((question) => ({ questions: [question] })))
      const failed = answers.find(({ rcode }) => !ANSWERED.has(rcode))
      if (failed !== undefined) throw refusal(failed.rcode, false)
      return answers
    })
  }

  /** Returns whether the prerequisites held, so that all updates were made. Rejects with ProviderError. */
  async update(zone: string, { prerequisites, updates }: Update): Promise<boolean> {
    const isWrite = updates.length > 0
    const questions = [{ name: zone, type: TYPE.SOA, class: CLASS.IN }]
    const message = { opcode: OPCODE.UPDATE, questions, answers: prerequisites, authorities: updates }
    return retried(this.context, async () => {
      const [answer] = await this.#ask([message], isWrite)
      const rcode = answer?.rcode ?? RCODE.SERVFAIL
      if (rcode === RCODE.NOERROR) return true
      if (UNMET.has(rcode)) return false
      throw refusal(rcode, isWrite)
    })
  }

  /**
   * Waits before the next attempt, longer each time. Others may have been faster, or the signatures are not
   * visible yet.
   */
  async pause(tries: number): Promise<void> {
    const { clock, signal } = this.context
    try {
      await clock.sleep(PAUSE_MS * 2 ** tries * (0.5 + Math.random()), signal)
    } catch (error) {
      throw new ProviderError('timeout', 'Not enough time is left to try again', { cause: error })
    }
  }

  async #ask(messages: Omit<NewMessage, 'id'>[], isWrite = false): Promise<Message[]> {
    const answers: Message[] = []
    let missing = messages.length
    if (missing === 0) return answers
    try {
      const limits = { timeoutMs: TIMEOUT_MS, maxBytes: missing * (MAX_MESSAGE + 2) }
      for await (const { index, message, verifier } of this.#converse(messages, limits)) {
        if (answers[index] !== undefined) throw malformed(isWrite)
        verifier?.finish()
        answers[index] = message
        if (--missing === 0) break
      }
    } catch (error) {
      throw toProviderError(error, isWrite)
    }
    return answers
  }

  /**
   * Transfers the zone: `collect` gets its records in chunks, without the SOA at the end; the first record is the SOA.
   * They are verified only once the chunks have ended. A retry calls `collect` again. Rejects with ProviderError.
   */
  transfer<T>(zone: string, collect: (chunks: AsyncIterable<ResourceRecord[]>) => Promise<T>): Promise<T> {
    return retried(this.context, () => collect(this.#transfer(zone)))
  }

  async *#transfer(zone: string): AsyncGenerator<ResourceRecord[]> {
    const questions = [{ name: zone, type: TYPE.AXFR, class: CLASS.IN }]
    const { maxZoneRecords } = this.context
    const maxBytes = MAX_MESSAGE + maxZoneRecords * BYTES_A_RECORD
    const limits = { timeoutMs: TRANSFER_TIMEOUT_MS, maxBytes }
    let records = 0
    try {
      for await (const { message, verifier } of this.#converse([{ questions }], limits)) {
        const { rcode, answers } = message
        if (rcode !== RCODE.NOERROR) throw refusal(rcode, false)
        const [head] = answers
        if (head === undefined || (records === 0 && !(isSoa(head) && head.name === zone))) throw malformed()
        const isEnd = answers.slice(records === 0 ? 1 : 0).some(isSoa)
        records += answers.length
        if (records > maxZoneRecords) throw tooLarge(maxZoneRecords)
        if (isEnd) verifier?.finish()
        yield isEnd ? answers.slice(0, -1) : answers
        if (isEnd) return
      }
    } catch (error) {
      if (error instanceof OutboundError && error.kind === 'too_large') throw tooLarge(maxZoneRecords, error)
      throw toProviderError(error, false)
    }
  }

  /** Sends all messages, and yields each answer that has a valid signature or is an unsigned refusal. */
  async *#converse(
    messages: Omit<NewMessage, 'id'>[],
    limits: { timeoutMs: number; maxBytes: number },
  ): AsyncGenerator<Answer> {
    const { host, port, key } = this.#server
    const { tcp, signal, clock } = this.context
    const now = () => Math.round(clock.now() / 1000)
    const firstId = randomInt(IDS)
    const verifiers: TsigVerifier[] = []
    const signed = messages.map((message, index) => {
      const plain = encodeMessage({ ...message, id: (firstId + index) % IDS })
      const { message: bytes, mac } = signMessage(plain, key, now())
      if (bytes.length > MAX_MESSAGE) throw tooLong()
      verifiers.push(new TsigVerifier(key, mac, now))
      return bytes
    })
    for await (const bytes of tcp.converse({ host, port, messages: signed, ...limits, signal })) {
      const message = decodeMessage(bytes)
      const index = (message.id - firstId + IDS) % IDS
      const verifier = verifiers[index]
      if (verifier === undefined || !isAnswer(message, messages[index]?.questions)) {
        throw new WireError('The answer belongs to another request')
      }
      if (message.tsig === null && !STATES.has(message.rcode)) yield { index, message, verifier: null }
      else {
        verifier.verify(bytes, message)
        yield { index, message, verifier }
      }
    }
  }
}

/** The question is missing in later messages of a transfer, and if a server could not parse ours. */
const isAnswer = (answer: Message, [asked]: Question[] = []): boolean =>
  answer.isResponse &&
  !answer.isTruncated &&
  answer.questions.every(({ name, type }) => name === asked?.name && type === asked.type)

const tooLong = () =>
  new ProviderError(
    'rejected',
    'This change is too large for one DNS message (65,535 bytes); change fewer records at a time',
  )

const isSoa = ({ type }: ResourceRecord) => type === TYPE.SOA
