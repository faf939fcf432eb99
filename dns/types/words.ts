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

  /** The next word. Throws Missing if there is none. */
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
