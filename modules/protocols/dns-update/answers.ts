import { optRecord } from '../../../dns/wire/edns.ts'
import {
  CLASS,
  decodeMessage,
  encodeMessage,
  OPCODE,
  RCODE,
  TYPE,
  type Message,
  type NewMessage,
} from '../../../dns/wire/message.ts'
import {
  AnswerSigner,
  signatureOf,
  unsignedFault,
  type RequestSignature,
} from '../../../dns/wire/tsig-answers.ts'
import { WireError } from '../../../dns/wire/wire.ts'
import { nowInSeconds, signerOf, verify } from './authentication.ts'
import type { DnsContext, Signer, Via } from './context.ts'
import { openSoa } from './open-soa.ts'
import { Refused } from './refusal.ts'
import { once } from './repeats.ts'
import { isCurrent, notOverUdp, requireWholeZone, zoneRecords } from './transfer.ts'
import { update } from './update/update.ts'
import { soaOf, zoneOfName } from './zones.ts'

/** A message of an answer. */
export interface AnswerPart {
  bytes: Buffer
  /** Whether the client has shown that it has a key. */
  isTrusted: boolean
}

const HEADER = 12
const QR = 0x80

/** Most records of a message; decoding is limited by this, whatever its size. */
const MAX_RECORDS = 1_000

const kindOf = ({ opcode, questions }: Pick<Message, 'opcode' | 'questions'>): string => {
  if (opcode === OPCODE.UPDATE) return 'update'
  if (opcode !== OPCODE.QUERY) return 'other'
  const type = questions[0]?.type
  return type === TYPE.SOA ? 'soa' : type === TYPE.AXFR || type === IXFR ? 'transfer' : 'query'
}

const IXFR = 251

/**
 * Answers one message. Without a valid signature the answer has no more octets than the request, and there is none for
 * what isn't a request or comes too often. Never throws.
 */
export async function* answer(context: DnsContext, bytes: Buffer, via: Via): AsyncGenerator<AnswerPart> {
  if (bytes.length < HEADER || ((bytes[2] ?? 0) & QR) !== 0) return
  try {
    const message = decode(bytes)
    const signature = signatureOf(message)
    if (signature) yield* answerSigned(context, { bytes, message, signature }, via)
    else yield* answerUnsigned(context, { bytes, message }, via)
  } catch (error) {
    if (!(error instanceof WireError)) context.log.error({ err: error }, 'DNS message not answered')
    const isTheirs = error instanceof WireError
    context.answered.inc({ kind: 'other', result: isTheirs ? 'FORMERR' : 'SERVFAIL' })
    if (!context.bounds.admits(via.ip)) return
    yield { bytes: shortAnswer(bytes, isTheirs ? RCODE.FORMERR : RCODE.SERVFAIL), isTrusted: false }
  }
}

/** Throws WireError. */
function decode(bytes: Buffer): Message {
  const count = [4, 6, 8, 10].reduce((sum, at) => sum + bytes.readUInt16BE(at), 0)
  if (count > MAX_RECORDS) throw new WireError('The message has too many records')
  return decodeMessage(bytes)
}

interface Request {
  bytes: Buffer
  message: Message
}

/** A REFUSED without the question, for whatever can't be answered otherwise. */
function shortAnswer(request: Buffer, rcode: number): Buffer {
  const opcode = ((request[2] ?? 0) >> 3) & 0xf
  return encodeMessage({ id: request.readUInt16BE(0), opcode, isResponse: true, rcode, questions: [] })
}

/** The beginning of every answer. */
const reply = ({ id, opcode, questions, isRecursive }: Message, rcode: number): NewMessage => ({
  id,
  opcode,
  isResponse: true,
  isRecursive,
  rcode,
  questions,
})

async function* answerUnsigned(
  context: DnsContext,
  { bytes, message }: Request,
  via: Via,
): AsyncGenerator<AnswerPart> {
  const kind = kindOf(message)
  if (!context.bounds.admits(via.ip)) {
    context.answered.inc({ kind, result: 'dropped' })
    return
  }
  const isKnown = message.opcode === OPCODE.UPDATE || message.opcode === OPCODE.QUERY
  const rcode = isKnown ? RCODE.REFUSED : RCODE.NOTIMP
  const open = context.isSoaOpen && kind === 'soa' ? await openSoa(context.db, message, via) : null
  const made = encodeMessage({ ...reply(message, rcode), ...open })
  context.answered.inc({ kind, result: open === null ? nameOf(rcode) : 'NOERROR' })
  const isShort = made.length <= bytes.length || via.transport === 'tcp'
  yield { bytes: isShort ? made : shortAnswer(bytes, rcode), isTrusted: open !== null }
}

async function* answerSigned(
  context: DnsContext,
  request: Request & { signature: RequestSignature },
  via: Via,
): AsyncGenerator<AnswerPart> {
  const { bytes, message, signature } = request
  const kind = kindOf(message)
  const verified = await verify(context, bytes, signature)
  const fault = verified === null ? 'dropped' : verified.fault
  if (verified === null || fault === 'BADKEY' || fault === 'BADSIG' || verified.key === null) {
    context.answered.inc({ kind, result: fault ?? 'BADKEY' })
    if (verified === null || !context.bounds.admits(via.ip)) return
    const made = unsignedFault(
      reply(message, RCODE.NOTAUTH),
      signature,
      fault === 'BADSIG' ? fault : 'BADKEY',
    )
    yield {
      bytes: made.length <= bytes.length ? made : shortAnswer(bytes, RCODE.NOTAUTH),
      isTrusted: false,
    }
    return
  }
  const signing = new AnswerSigner(verified.key, signature.tsig, nowInSeconds)
  if (fault === 'BADTIME' || fault === 'BADTRUNC') {
    context.answered.inc({ kind, result: fault })
    yield { bytes: signing.sign(reply(message, RCODE.NOTAUTH), fault), isTrusted: false }
    return
  }
  const hasOpt = message.additionals.some(({ type }) => type === TYPE.OPT)
  const additionals = hasOpt ? [optRecord(false)] : []
  const sign = (part: Partial<NewMessage>, rcode: number = RCODE.NOERROR): AnswerPart => ({
    bytes: signing.sign({ ...reply(message, rcode), additionals, ...part }),
    isTrusted: true,
  })
  try {
    const signer = await signerOf(context, verified, via)
    for await (const part of answerOf(context, signer, request, via)) yield sign(part, part.rcode)
    context.answered.inc({ kind, result: 'NOERROR' })
  } catch (error) {
    const rcode = error instanceof Refused ? error.rcode : RCODE.SERVFAIL
    context.answered.inc({ kind, result: nameOf(rcode) })
    const { keyName: key } = signature
    if (error instanceof Refused)
      context.log.info({ key, rcode, reason: error.message }, 'DNS message refused')
    else context.log.error({ err: error, key }, 'DNS message failed')
    yield sign({}, rcode)
  }
}

/** Answers a message whose signature is valid. Rejects with Refused. */
async function* answerOf(
  context: DnsContext,
  signer: Signer,
  { message, signature }: Request & { signature: RequestSignature },
  via: Via,
): AsyncGenerator<Partial<NewMessage> & { rcode?: number }> {
  const [question] = message.questions
  const kind = kindOf(message)
  if (kind === 'other') throw new Refused(RCODE.NOTIMP, 'not a query or an update')
  if (kind === 'update') {
    const rcode = await inSlot(context.bounds.updates, signer, () =>
      context.stopping.during(once(context, signer, signature.tsig, () => updated(context, signer, message))),
    )
    yield { rcode }
    return
  }
  if (!question || message.questions.length > 1) throw new Refused(RCODE.FORMERR, 'not one question')
  if (question.class !== CLASS.IN) throw new Refused(RCODE.REFUSED, 'no zones of that class')
  if (kind === 'soa') yield await soaAnswer(context, signer, question.name)
  else if (kind === 'transfer') yield* transfer(context, signer, message, via)
  else throw new Refused(RCODE.REFUSED, 'only the SOA and zone transfers are answered')
}

/** Returns the RCODE of an update. */
async function updated(context: DnsContext, signer: Signer, message: Message): Promise<number> {
  try {
    await update(context, signer, message)
    return RCODE.NOERROR
  } catch (error) {
    const { keyName: key } = signer
    if (!(error instanceof Refused)) {
      context.log.error({ err: error, key }, 'DNS update failed')
      return RCODE.SERVFAIL
    }
    context.log.info({ key, rcode: error.rcode, reason: error.message }, 'DNS update refused')
    return error.rcode
  }
}

/** The SOA in the answer for the zone itself, and in the authority section for a name in it (RFC 2308 section 2.2). */
async function soaAnswer({ db }: DnsContext, signer: Signer, name: string): Promise<Partial<NewMessage>> {
  const domain = await zoneOfName(db, signer, name)
  if (domain === null) throw new Refused(RCODE.REFUSED, `the key sees no zone that holds ${name}`)
  const soa = soaOf(domain)
  return { isAuthoritative: true, ...(domain.name === name ? { answers: [soa] } : { authorities: [soa] }) }
}

async function* transfer(
  context: DnsContext,
  signer: Signer,
  message: Message,
  via: Via,
): AsyncGenerator<Partial<NewMessage>> {
  const [{ name, type } = { name: '', type: 0 }] = message.questions
  if (via.transport === 'udp' && type === TYPE.AXFR) throw notOverUdp()
  const domain = await requireWholeZone(context, signer, name)
  const soa = soaOf(domain)
  // Over UDP, the SOA alone says that the client should come back over TCP (RFC 1995 section 2).
  if (type === IXFR && (via.transport === 'udp' || isCurrent(message, soa))) {
    yield { isAuthoritative: true, answers: [soa] }
    return
  }
  const leave = await context.bounds.transfers.enter(signer.keyId)
  if (leave === null) throw new Refused(RCODE.SERVFAIL, 'too many zone transfers of this key')
  try {
    for await (const answers of zoneRecords(context, signer, domain)) yield { isAuthoritative: true, answers }
  } finally {
    leave()
  }
}

async function inSlot<T>(slots: DnsContext['bounds']['updates'], { keyId }: Signer, work: () => Promise<T>) {
  const leave = await slots.enter(keyId)
  if (leave === null) throw new Refused(RCODE.SERVFAIL, 'too many updates of this key')
  try {
    return await work()
  } finally {
    leave()
  }
}

const NAMES = new Map<number, string>(Object.entries(RCODE).map(([name, code]) => [code, name]))
const nameOf = (rcode: number): string => NAMES.get(rcode) ?? 'other'
