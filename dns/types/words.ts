import { splitTokens, type Token } from '../text/strings.ts'

/** Data that can't be read as its type; the message is a user-facing reason. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

/** The data ends before this field. */
export class Missing extends Unreadable {
  constructor() {
    super('is missing')
  }
}

/** The words of a record's data, consumed one by one. */
export class Words {
  readonly #tokens: Token[]
  #at = 0

  private constructor(tokens: Token[]) {
    this.#tokens = tokens
  }

  /** Throws Unreadable if a quote is not closed. */
  static of(rdata: string): Words {
    const tokens = splitTokens(rdata, { pairs: true })
    if (tokens === null) throw new Unreadable('a quote is not closed')
    return new Words(tokens)
  }

  get isEmpty(): boolean {
    return this.#at >= this.#tokens.length
  }

  /** The next word. Throws Missing at the end. */
  next(): Token {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw new Missing()
    this.#at++
    return token
  }

  /** All remaining words. */
  rest(): Token[] {
    const tokens = this.#tokens.slice(this.#at)
    this.#at = this.#tokens.length
    return tokens
  }
}

/** Data of any type as bytes, `\# 4 0a000001` (RFC 3597 section 5). */
export const writeGeneric = (rdata: Uint8Array): string =>
  ['\\#', rdata.length, Buffer.from(rdata).toString('hex')].join(' ').trimEnd()

const MAX_RDATA = 65_535

/**
 * The bytes of data in that form; null for any other form. Throws Unreadable if the data only starts like it.
 */
export function readGeneric(rdata: string): Buffer | null {
  if (!rdata.trimStart().startsWith('\\#')) return null
  const [mark, length, ...hex] = Words.of(rdata).rest()
  if (mark?.raw !== '\\#' || mark.quoted) return null
  const digits = hex.map(({ raw }) => raw).join('')
  const bytes = Buffer.from(digits, 'hex')
  const isWhole = /^(?:[0-9a-f]{2})*$/i.test(digits) && /^[0-9]{1,5}$/.test(length?.raw ?? '')
  if (!isWhole || Number(length?.raw) !== bytes.length || bytes.length > MAX_RDATA) {
    throw new Unreadable('must be "\\# <octets> <hexadecimal digits>", for example "\\# 4 0a000001"')
  }
  return bytes
}
