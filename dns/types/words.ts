import { splitTokens, type Token } from '../text/strings.ts'

/** Data that can't be read as its type; the message says why, for a user. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

/** The data ends before this part of it. */
export class Missing extends Unreadable {
  constructor() {
    super('is missing')
  }
}

/** The words of a record's data, taken one after the other. */
export class Words {
  readonly #tokens: Token[]
  #at = 0

  private constructor(tokens: Token[]) {
    this.#tokens = tokens
  }

  /** Throws Unreadable when a quote is not closed. */
  static of(rdata: string): Words {
    const tokens = splitTokens(rdata, { pairs: true })
    if (tokens === null) throw new Unreadable('a quote is not closed')
    return new Words(tokens)
  }

  get isEmpty(): boolean {
    return this.#at >= this.#tokens.length
  }

  /** The next one. Throws Missing when there is none. */
  next(): Token {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw new Missing()
    this.#at++
    return token
  }

  /** All that are left. */
  rest(): Token[] {
    const tokens = this.#tokens.slice(this.#at)
    this.#at = this.#tokens.length
    return tokens
  }
}
