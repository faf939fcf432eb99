import { createHmac, timingSafeEqual } from 'node:crypto'
import { CLASS, TYPE, writeRecord, type Message } from './message.ts'
import { WireReader, WireWriter } from './wire.ts'

/** The algorithms by DNS name (RFC 8945 section 6), with their digest names in `node:crypto`. */
const DIGESTS = {
  'hmac-sha256': 'sha256',
  'hmac-sha512': 'sha512',
  'hmac-sha384': 'sha384',
  'hmac-sha224': 'sha224',
  'hmac-sha1': 'sha1',
  'hmac-md5.sig-alg.reg.int': 'md5',
} as const

export type TsigAlgorithm = keyof typeof DIGESTS

/**
 * The strongest one that all servers support comes first; the last two are only for servers without the
 * others.
 */
export const TSIG_ALGORITHMS = Object.keys(DIGESTS) as readonly TsigAlgorithm[]

/** A key shared with the other side. */
export interface TsigKey {
  /** Canonical. */
  name: string
  algorithm: TsigAlgorithm
  secret: Uint8Array
}

export type TsigFault =
  | 'UNSIGNED' // no signature although one is required
  | 'FORMERR'
  | 'BADSIG'
  | 'BADKEY'
  | 'BADTIME'
  | 'BADTRUNC'

/** A message that failed verification or, if `said` is set, one that the other side rejected. */
export class TsigError extends Error {
  override name = 'TsigError'
  readonly fault: TsigFault
  readonly said: boolean
  /** The other side's clock in seconds since 1970, if sent with BADTIME. */
  readonly peerTime: number | null

  constructor(fault: TsigFault, said = false, peerTime: number | null = null) {
    super(said ? `The other side reports ${fault}` : `The signature of the answer is not valid: ${fault}`)
    this.fault = fault
    this.said = said
    this.peerTime = peerTime
  }
}

/** The data of a TSIG record (RFC 8945 section 4.2). */
export interface Tsig {
  algorithm: string
  /** Seconds since 1970. */
  time: number
  /** Allowed clock difference in seconds. */
  fudge: number
  mac: Uint8Array
  originalId: number
  error: number
  other: Uint8Array
}

/** Seconds that the clocks of both sides may differ (RFC 8945 section 10). */
export const FUDGE = 300
// RFC 8945 section 5.3.1: at least every hundredth message of an answer is signed.
const MAX_UNSIGNED = 99
const FAULTS: Record<number, TsigFault> = { 16: 'BADSIG', 17: 'BADKEY', 18: 'BADTIME', 22: 'BADTRUNC' }
// Offset of the number of additional records in a message.
const ARCOUNT = 10

/** Returns the signed message, and its MAC for verifying the answer. `now` is in seconds since 1970. */
export function signMessage(message: Buffer, key: TsigKey, now: number): { message: Buffer; mac: Buffer } {
  const tsig = { time: now, fudge: FUDGE, error: 0, other: Buffer.of(), originalId: message.readUInt16BE(0) }
  const mac = digest(key, [message, variables(key, tsig)])
  return { message: appendTsig(message, key, { ...tsig, algorithm: key.algorithm, mac }), mac }
}

/** Appends the TSIG record; the message is signed already. */
export function appendTsig(message: Buffer, key: Pick<TsigKey, 'name'>, tsig: Tsig): Buffer {
  const data = new WireWriter()
    .name(tsig.algorithm)
    .bytes(timers(tsig))
    .number(tsig.mac.length, 2)
    .bytes(tsig.mac)
    .number(tsig.originalId, 2)
    .number(tsig.error, 2)
    .number(tsig.other.length, 2)
    .bytes(tsig.other)
  const record = { name: key.name, type: TYPE.TSIG, class: CLASS.ANY, ttl: 0, data: data.finish() }
  const signed = writeRecord(new WireWriter().bytes(message), record).finish()
  signed.writeUInt16BE(message.readUInt16BE(ARCOUNT) + 1, ARCOUNT)
  return signed
}

/** Verifies the messages of one answer in order (RFC 8945 section 5.3); `now` is the time in seconds. */
export class TsigVerifier {
  readonly #key: TsigKey
  readonly #now: () => number
  /** The MAC of the request, then of the last signed message. */
  #prior: Uint8Array
  #isFirst = true
  /** Data since the last signed message. */
  #unsigned: Uint8Array[] = []

  constructor(key: TsigKey, requestMac: Uint8Array, now: () => number) {
    this.#key = key
    this.#prior = requestMac
    this.#now = now
  }

  /** Verifies the next message, given as bytes and decoded. Throws TsigError. */
  verify(bytes: Buffer, message: Pick<Message, 'tsig'>): void {
    if (message.tsig === null) {
      if (this.#isFirst || this.#unsigned.length === MAX_UNSIGNED) throw new TsigError('UNSIGNED')
      this.#unsigned.push(bytes)
      return
    }
    const { record, at } = message.tsig
    const tsig = readTsig(record.data)
    const fault = FAULTS[tsig.error]
    // A server that doesn't know the key, or rejects our signature, doesn't sign (RFC 8945 section 5.2).
    if (tsig.mac.length === 0 && fault !== undefined) throw new TsigError(fault, true)
    if (record.name !== this.#key.name || tsig.algorithm !== this.#key.algorithm)
      throw new TsigError('BADKEY')
    this.#verifyMac(bytes, at, tsig)
    if (fault !== undefined) throw new TsigError(fault, true, peerTimeOf(tsig))
    if (Math.abs(this.#now() - tsig.time) > tsig.fudge) throw new TsigError('BADTIME', false, tsig.time)
    this.#prior = tsig.mac
    this.#isFirst = false
    this.#unsigned = []
  }

  #verifyMac(bytes: Buffer, at: number, tsig: Tsig): void {
    const message = unsignedPart(bytes, at, tsig)
    const prior = new WireWriter().number(this.#prior.length, 2).bytes(this.#prior).finish()
    const end = this.#isFirst ? variables(this.#key, tsig) : timers(tsig)
    const mac = digest(this.#key, [prior, ...this.#unsigned, message, end])
    // We send full MACs, so a shorter one doesn't come from an honest server.
    if (tsig.mac.length < mac.length) throw new TsigError('BADTRUNC')
    if (tsig.mac.length > mac.length) throw new TsigError('FORMERR')
    if (!timingSafeEqual(tsig.mac, mac)) throw new TsigError('BADSIG')
  }

  /** Call after the last message, which must have been signed. Throws TsigError. */
  finish(): void {
    if (this.#isFirst || this.#unsigned.length > 0) throw new TsigError('UNSIGNED')
  }
}

/** The message as it was signed: without its TSIG, which begins at that offset, and with its original id. */
export function unsignedPart(bytes: Buffer, at: number, { originalId }: Pick<Tsig, 'originalId'>): Buffer {
  const message = Buffer.from(bytes.subarray(0, at))
  message.writeUInt16BE(originalId, 0)
  message.writeUInt16BE(message.readUInt16BE(ARCOUNT) - 1, ARCOUNT)
  return message
}

/** Throws WireError. */
export function readTsig(data: Uint8Array): Tsig {
  const input = new WireReader(data)
  return {
    algorithm: input.name(),
    time: input.number(6),
    fudge: input.number(2),
    mac: input.bytes(input.number(2)),
    originalId: input.number(2),
    error: input.number(2),
    other: input.bytes(input.number(2)),
  }
}

const peerTimeOf = ({ other }: Tsig): number | null =>
  other.length === 6 ? new WireReader(other).number(6) : null

export function digest(key: TsigKey, parts: Uint8Array[]): Buffer {
  const hmac = createHmac(DIGESTS[key.algorithm], key.secret)
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}

/** RFC 8945 section 4.3.3. */
export const variables = (key: TsigKey, tsig: Pick<Tsig, 'time' | 'fudge' | 'error' | 'other'>): Buffer =>
  new WireWriter()
    .name(key.name)
    .number(CLASS.ANY, 2)
    .number(0, 4)
    .name(key.algorithm)
    .bytes(timers(tsig))
    .number(tsig.error, 2)
    .number(tsig.other.length, 2)
    .bytes(tsig.other)
    .finish()

/** What later messages of an answer sign of their TSIG (RFC 8945 section 5.3.1). */
export const timers = ({ time, fudge }: Pick<Tsig, 'time' | 'fudge'>): Buffer =>
  new WireWriter().number(time, 6).number(fudge, 2).finish()
