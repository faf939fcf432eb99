import { unescapeBytes } from '../text/strings.ts'
import { joinLabels, splitLabels } from './wire-name.ts'

/** Data that is truncated or doesn't match its type. */
export class WireError extends Error {
  override name = 'WireError'
}

/** Builds the content of DNS messages: numbers in network order, names in full (RFC 1035 section 3.3). */
export class WireWriter {
  readonly #parts: Uint8Array[] = []

  number(value: number, octets: number): this {
    const bytes = Buffer.alloc(octets)
    bytes.writeUIntBE(value, 0, octets)
    return this.bytes(bytes)
  }

  bytes(bytes: Uint8Array): this {
    this.#parts.push(bytes)
    return this
  }

  /** One character string of at most 255 bytes: a length octet, then the bytes. */
  string(bytes: Uint8Array): this {
    return this.number(bytes.length, 1).bytes(bytes)
  }

  /** A canonical name, uncompressed. */
  name(name: string): this {
    const labels = name === '.' ? [] : splitLabels(name)
    return this.labels(labels.map((label) => unescapeBytes(label) ?? Buffer.of()))
  }

  labels(labels: Uint8Array[]): this {
    for (const label of labels) this.string(label)
    return this.number(0, 1)
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts)
  }
}

/**
 * Maximum octets of a name with the root (RFC 1035 section 2.3.4), hence at most 127 labels and as many
 * useful pointers.
 */
const MAX_NAME = 255
const MAX_STEPS = 256

/** Reads the output of `WireWriter`, and compressed names (RFC 1035 section 4.1.4). Throws WireError. */
export class WireReader {
  readonly #message: Uint8Array
  #at: number
  readonly #end: number

  /** Compressed names point into `message`; reads from `start` up to but not including `end`. */
  constructor(message: Uint8Array, start = 0, end = message.length) {
    if (start > end || end > message.length) throw new WireError('The data is truncated')
    this.#message = message
    this.#at = start
    this.#end = end
  }

  get at(): number {
    return this.#at
  }

  get left(): number {
    return this.#end - this.#at
  }

  number(octets: number): number {
    let number = 0
    for (const octet of this.bytes(octets)) number = number * 256 + octet
    return number
  }

  bytes(count: number): Uint8Array {
    if (count > this.left) throw new WireError('The data is truncated')
    this.#at += count
    return this.#message.subarray(this.#at - count, this.#at)
  }

  /** All remaining bytes. */
  rest(): Uint8Array {
    return this.bytes(this.left)
  }

  string(): Uint8Array {
    return this.bytes(this.number(1))
  }

  /** In canonical form. */
  name(): string {
    return joinLabels(this.labels())
  }

  /** A name with its case unchanged. */
  labels(): Uint8Array[] {
    const labels: Uint8Array[] = []
    let octets = 1
    let from: WireReader = this // oxlint-disable-line typescript/no-this-alias -- it moves to where pointers point
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      const length = from.number(1)
      if (length === 0) return labels
      if (length >= 192) {
        const target = (length - 192) * 256 + from.number(1)
        // Pointers only lead backward, so this terminates.
        from = new WireReader(from.#message, target, from.#at - 2)
      } else if (length < 64) {
        octets += length + 1
        if (octets > MAX_NAME) break
        labels.push(from.bytes(length))
      } else break
    }
    throw new WireError('A name is too long, or has an unsupported label type')
  }
}
