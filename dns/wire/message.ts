import { expandData } from './rdata.ts'
import { WireError, WireReader, WireWriter } from './wire.ts'

/** Numbers of types used only in messages, and of the SOA, which names their zone. */
export const TYPE = { SOA: 6, OPT: 41, TSIG: 250, AXFR: 252, ANY: 255 } as const

/** NONE and ANY are used in updates (RFC 2136 section 1.3). */
export const CLASS = { IN: 1, NONE: 254, ANY: 255 } as const

export const OPCODE = { QUERY: 0, UPDATE: 5 } as const

/** RFC 1035 section 4.1.1, RFC 2136 section 2.2. */
export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  YXRRSET: 7,
  NXRRSET: 8,
  NOTAUTH: 9,
  NOTZONE: 10,
} as const

/** Maximum size in octets, given the two-octet length prefix (RFC 1035 section 4.2.2). */
export const MAX_MESSAGE = 65_535

export interface Question {
  /** Canonical and absolute. */
  name: string
  /** Type number, see type-codes.ts. */
  type: number
  class: number
}

export interface ResourceRecord extends Question {
  /** Seconds. */
  ttl: number
  /** Uncompressed; names keep their case. */
  data: Uint8Array
}

/** RFC 1035 section 4.1; the sections of an update are zone, prerequisites, updates, additional (RFC 2136 section 2). */
export interface Message {
  id: number
  opcode: number
  isResponse: boolean
  isAuthoritative: boolean
  isTruncated: boolean
  /** RD: the server is asked to query others. */
  isRecursive: boolean
  /** AD: a resolver has validated the answer (RFC 4035 section 3.2.3). */
  isAuthentic: boolean
  /** Without the upper bits of EDNS, see edns.ts. */
  rcode: number
  questions: Question[]
  answers: ResourceRecord[]
  authorities: ResourceRecord[]
  /** Without the TSIG. */
  additionals: ResourceRecord[]
  /** The last record of the additional section, and its offset (RFC 8945 section 5.1). */
  tsig: { record: ResourceRecord; at: number } | null
}

/** A message to be written; missing parts are empty or false. */
export type NewMessage = Pick<Message, 'id' | 'questions'> & Partial<Omit<Message, 'tsig'>>

const FLAG = {
  response: 0x8000,
  authoritative: 0x0400,
  truncated: 0x0200,
  recursive: 0x0100,
  authentic: 0x0020,
} as const

/** The message in octets, without compression. May exceed MAX_MESSAGE. */
export function encodeMessage(message: NewMessage): Buffer {
  const { id, questions, answers = [], authorities = [], additionals = [] } = message
  const out = new WireWriter().number(id, 2).number(flagsOf(message), 2)
  for (const section of [questions, answers, authorities, additionals]) out.number(section.length, 2)
  for (const question of questions) writeQuestion(out, question)
  for (const record of [...answers, ...authorities, ...additionals]) writeRecord(out, record)
  return out.finish()
}

function flagsOf({ opcode = OPCODE.QUERY, rcode = RCODE.NOERROR, ...is }: NewMessage): number {
  return (
    (is.isResponse === true ? FLAG.response : 0) |
    (opcode << 11) |
    (is.isAuthoritative === true ? FLAG.authoritative : 0) |
    (is.isTruncated === true ? FLAG.truncated : 0) |
    (is.isRecursive === true ? FLAG.recursive : 0) |
    (is.isAuthentic === true ? FLAG.authentic : 0) |
    rcode
  )
}

const writeQuestion = (out: WireWriter, question: Question) =>
  out.name(question.name).number(question.type, 2).number(question.class, 2)

export const writeRecord = (out: WireWriter, record: ResourceRecord) =>
  writeQuestion(out, record).number(record.ttl, 4).number(record.data.length, 2).bytes(record.data)

/** The part of a message before its records. */
type Head = Omit<Message, 'answers' | 'authorities' | 'additionals' | 'tsig'>

/** Reads the header and the questions, also of a truncated message. Throws WireError. */
export const decodeHead = (bytes: Uint8Array): Head => readHead(new WireReader(bytes)).head

function readHead(input: WireReader): { head: Head; counts: number[] } {
  const id = input.number(2)
  const flags = input.number(2)
  const questions = input.number(2)
  const counts = [input.number(2), input.number(2), input.number(2)]
  const head = {
    id,
    opcode: (flags >> 11) & 0xf,
    isResponse: (flags & FLAG.response) !== 0,
    isAuthoritative: (flags & FLAG.authoritative) !== 0,
    isTruncated: (flags & FLAG.truncated) !== 0,
    isRecursive: (flags & FLAG.recursive) !== 0,
    isAuthentic: (flags & FLAG.authentic) !== 0,
    rcode: flags & 0xf,
    questions: times(questions, () => readQuestion(input)),
  }
  return { head, counts }
}

/** Reads a whole message. Throws WireError. */
export function decodeMessage(bytes: Uint8Array): Message {
  const input = new WireReader(bytes)
  const { head, counts } = readHead(input)
  const [answers = 0, authorities = 0, additionals = 0] = counts
  const message: Message = {
    ...head,
    answers: times(answers, () => readRecord(bytes, input)),
    authorities: times(authorities, () => readRecord(bytes, input)),
    additionals: [],
    tsig: null,
  }
  for (let left = additionals; left > 0; left--) {
    const { at } = input
    const record = readRecord(bytes, input)
    if (record.type !== TYPE.TSIG) message.additionals.push(record)
    else if (left === 1) message.tsig = { record, at }
    else throw new WireError('The signature is not the last record')
  }
  if (input.left > 0) throw new WireError('The message has extra data after its end')
  return message
}

// Each record takes octets of the message, so a false count can't loop forever.
const times = <T>(count: number, read: () => T): T[] => Array.from({ length: count }, read)

const readQuestion = (input: WireReader): Question => ({
  name: input.name(),
  type: input.number(2),
  class: input.number(2),
})

function readRecord(bytes: Uint8Array, input: WireReader): ResourceRecord {
  const question = readQuestion(input)
  const ttl = input.number(4)
  const length = input.number(2)
  const start = input.at
  input.bytes(length)
  return { ...question, ttl, data: expandData(question.type, bytes, start, start + length) }
}
