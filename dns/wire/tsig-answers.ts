import { timingSafeEqual } from 'node:crypto'
import { encodeMessage, RCODE, type Message, type NewMessage, type ResourceRecord } from './message.ts'
import {
  appendTsig,
  digest,
  FUDGE,
  readTsig,
  timers,
  unsignedPart,
  variables,
  type Tsig,
  type TsigKey,
} from './tsig.ts'
import { WireError, WireWriter } from './wire.ts'

/* TSIG as a server needs it (RFC 8945 section 5): verifies requests and signs answers. */

/** Codes of the field `error` (RFC 8945 section 3). */
const CODES = { BADSIG: 16, BADKEY: 17, BADTIME: 18, BADTRUNC: 22 } as const

export type RequestFault = keyof typeof CODES

/** Octets that a truncated MAC must have at least (RFC 8945 section 5.2.2.1). */
const MIN_MAC = 10

/** A request's signature. */
export interface RequestSignature {
  /** Canonical name of the key. */
  keyName: string
  tsig: Tsig
  /** Where it begins in the message. */
  at: number
}

/** Reads the signature of a request without verifying it; null for an unsigned one. Throws WireError. */
export function signatureOf({ tsig: found }: Pick<Message, 'tsig'>): RequestSignature | null {
  if (found === null) return null
  const tsig = readTsig(found.record.data)
  if (tsig.mac.length > 64) throw new WireError('The MAC is longer than that of any algorithm')
  return { keyName: found.record.name, tsig, at: found.at }
}

/**
 * Verifies a request in the order of RFC 8945 section 5.2: key, MAC, time, truncation. `now`: seconds since 1970. Null: it
 * is valid. Throws WireError for a MAC of an impossible length.
 */
export function verifyRequest(
  bytes: Buffer,
  { keyName, tsig, at }: RequestSignature,
  key: TsigKey,
  now: number,
): RequestFault | null {
  if (keyName !== key.name || tsig.algorithm !== key.algorithm) return 'BADKEY'
  const mac = digest(key, [unsignedPart(bytes, at, tsig), variables(key, tsig)])
  const given = tsig.mac.length
  if (given > mac.length || given < Math.max(MIN_MAC, mac.length / 2))
    throw new WireError('The MAC has an impossible length')
  if (!timingSafeEqual(tsig.mac, mac.subarray(0, given))) return 'BADSIG'
  // Its own fudge may be smaller, but not larger: that would lengthen the time in which it can be repeated.
  if (Math.abs(now - tsig.time) > Math.min(tsig.fudge, FUDGE)) return 'BADTIME'
  return given < mac.length ? 'BADTRUNC' : null
}

/** Signs the messages of one answer in order (RFC 8945 section 5.3). */
export class AnswerSigner {
  readonly #key: TsigKey
  readonly #request: Tsig
  readonly #now: () => number
  /** The MAC of the request, then of the last message. */
  #prior: Uint8Array
  #isFirst = true

  /** `request`: the verified signature; `now`: seconds since 1970. */
  constructor(key: TsigKey, request: Tsig, now: () => number) {
    this.#key = key
    this.#request = request
    this.#now = now
    this.#prior = request.mac
  }

  /** Signs a message; `fault` BADTIME is answered with the time of both sides. */
  sign(message: NewMessage, fault: 'BADTIME' | 'BADTRUNC' | null = null): Buffer {
    const now = this.#now()
    const isLate = fault === 'BADTIME'
    const tsig = {
      algorithm: this.#key.algorithm,
      time: isLate ? this.#request.time : now,
      fudge: isLate ? this.#request.fudge : FUDGE,
      originalId: message.id,
      error: fault === null ? 0 : CODES[fault],
      other: isLate ? new WireWriter().number(now, 6).finish() : Buffer.of(),
    }
    const plain = encodeMessage(fault === null ? message : { ...message, rcode: RCODE.NOTAUTH })
    const prior = new WireWriter().number(this.#prior.length, 2).bytes(this.#prior).finish()
    const mac = digest(this.#key, [prior, plain, this.#isFirst ? variables(this.#key, tsig) : timers(tsig)])
    this.#prior = mac
    this.#isFirst = false
    return appendTsig(plain, this.#key, { ...tsig, mac })
  }
}

/** The unsigned answer to a request with an unknown key or a wrong MAC (RFC 8945 section 5.3.2). */
export function unsignedFault(
  message: NewMessage,
  { keyName, tsig }: RequestSignature,
  fault: 'BADKEY' | 'BADSIG',
): Buffer {
  const { algorithm, time, fudge } = tsig
  const empty = { mac: Buffer.of(), other: Buffer.of(), originalId: message.id, error: CODES[fault] }
  const plain = encodeMessage({ ...message, rcode: RCODE.NOTAUTH })
  return appendTsig(plain, { name: keyName }, { algorithm, time, fudge, ...empty })
}

/** Octets of a record in a message, at most. */
export const sizeOf = ({ name, data }: Pick<ResourceRecord, 'name' | 'data'>): number =>
  name.length + 12 + data.length
