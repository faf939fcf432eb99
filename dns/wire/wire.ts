import { unescapeBytes } from '../text/strings.ts'
import { joinLabels, splitLabels } from './wire-name.ts'

/** Data ends before it should, or has another form than its type. */
export class WireError extends Error {
  override name = 'WireError'
}

/** Builds what DNS messages carry: numbers in network order, names in full (RFC 1035 section 3.3). */
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

  /** One character string: its length in an octet, then itself. At most 255 bytes. */
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

/** Octets of a name with the root (RFC 1035 section 2.3.4): so 127 labels, and no use for more pointers. */
const MAX_NAME = 255
const MAX_STEPS = 256

/** Reads what `WireWriter` builds, and compressed names (RFC 1035 section 4.1.4). Throws WireError. */
export class WireReader {
  readonly #message: Uint8Array
  #at: number
  readonly #end: number

  /** `message` is what compressed names point into; read is from `start` to before `end`. */
  constructor(message: Uint8Array, start = 0, end = message.length) {
    if (start > end || end > message.length) throw new WireError('The data is cut off')
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
    if (count > this.left) throw new WireError('The data is cut off')
    this.#at += count
    return this.#message.subarray(this.#at - count, this.#at)
  }

  /** All that is left. */
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

  /** A name as it is, also in its case. */
  labels(): Uint8Array[] {
    const labels: Uint8Array[] = []
    let octets = 1
    let from: WireReader = this // oxlint-disable-line typescript/no-this-alias -- it moves to where pointers point
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      const length = from.number(1)
      if (length === 0) return labels
      if (length >= 192) {
        const target = (length - 192) * 256 + from.number(1)
        // What is pointed to stands before the pointer, so it comes to an end.
        from = new WireReader(from.#message, target, from.#at - 2)
      } else if (length < 64) {
        octets += length + 1
        if (octets > MAX_NAME) break
        labels.push(from.bytes(length))
      } else break
    }
    throw new WireError('A name is too long, or of a form that nobody uses')
  }
}
