import type { MasterFileRule } from '../text/codes.ts'
import { closingQuote, type Token } from '../text/strings.ts'

/** One record or directive of a master file; with parentheses it may span several lines. */
export interface Entry {
  /** Line where it starts, counted from 1. */
  line: number
  /** It starts with white space, so it has the owner of the previous record. */
  indented: boolean
  tokens: Token[]
  /** The last comment of the entry, without the semicolon. */
  comment?: string
}

/** A syntax error; reading continues on the next line. */
interface EntryError {
  line: number
  error: string
  /** Machine-readable code. */
  rule: MasterFileRule
  /** Values used in the message. */
  params?: { maximum: number }
}

/**
 * Yields the entries of a master file (RFC 1035 section 5.1): parentheses and quotes resolved, escapes kept.
 * Empty lines are entries without tokens, so that a reader can pause. One pass, so linear time for any text.
 */
export function* readEntries(text: string): Generator<Entry | EntryError> {
  const reader = new EntryReader(text)
  for (let entry = reader.next(); entry !== null; entry = reader.next()) yield entry
}

// Far above any record; otherwise an open parenthesis would turn each word of the file into a token.
const MAX_TOKENS = 10_000

/** Maximum characters of an entry: more than 65,535 bytes need with each one escaped. */
const MAX_LENGTH = 300_000

class EntryReader {
  readonly #text: string
  #at: number
  #line = 1

  constructor(text: string) {
    this.#text = text
    // A byte order mark, as added by some editors.
    this.#at = text.startsWith('\uFEFF') ? 1 : 0
  }

  next(): Entry | EntryError | null {
    if (this.#at >= this.#text.length) return null
    const most = this.#at + MAX_LENGTH
    const entry: Entry = { line: this.#line, indented: /[ \t]/.test(this.#text[this.#at] ?? ''), tokens: [] }
    let depth = 0
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] ?? ''
      if (character === '\n') {
        this.#at++
        this.#line++
        if (depth === 0) return entry
      } else if (character === '(' || character === ')') {
        this.#at++
        depth += character === '(' ? 1 : -1
        if (depth < 0) return this.#fail('line_parenthesis_closing', 'A ")" has no matching "("')
      } else if (!this.#readToken(character, entry)) {
        return this.#fail('line_quote', 'A quote is not closed on its line')
      } else if (this.#at > most) {
        return this.#fail('line_long', `A record has more than ${MAX_LENGTH} characters`, {
          maximum: MAX_LENGTH,
        })
      } else if (entry.tokens.length > MAX_TOKENS) {
        return this.#fail('line_words', `A record has more than ${MAX_TOKENS} words`, { maximum: MAX_TOKENS })
      }
    }
    if (depth === 0) return entry
    return { line: entry.line, rule: 'line_parenthesis_open', error: 'A "(" is not closed' }
  }

  /** Skips white space, and reads comments, words and quoted strings. */
  #readToken(character: string, entry: Entry): boolean {
    const { tokens } = entry
    if (character === ' ' || character === '\t' || character === '\r') this.#at++
    else if (character === ';') {
      const end = this.#endOfLine()
      entry.comment = this.#text.slice(this.#at + 1, end)
      this.#at = end
    } else if (character === '"') {
      const end = closingQuote(this.#text, this.#at)
      if (end === -1) return false
      tokens.push({ raw: this.#text.slice(this.#at + 1, end), quoted: true })
      this.#at = end + 1
    } else {
      const end = this.#endOfWord()
      tokens.push({ raw: this.#text.slice(this.#at, end), quoted: false })
      this.#at = end
    }
    return true
  }

  #endOfWord(): number {
    let at = this.#at
    while (at < this.#text.length && !' \t\r\n;()"'.includes(this.#text[at] ?? '')) {
      at += this.#text[at] === '\\' && this.#text[at + 1] !== '\n' ? 2 : 1
    }
    return Math.min(at, this.#text.length)
  }

  #endOfLine(): number {
    const end = this.#text.indexOf('\n', this.#at)
    return end === -1 ? this.#text.length : end
  }

  #fail(rule: MasterFileRule, error: string, params?: EntryError['params']): EntryError {
    const line = this.#line
    this.#at = this.#endOfLine() + 1
    this.#line++
    return { line, error, rule, ...(params && { params }) }
  }
}

/** The comment by which zone files of Cloudflare mark a record as proxied, which DNS can't express. */
export const proxiedComment = (proxied: boolean): string => `; cf_tags=cf-proxied:${proxied}`

/** Parses such a comment; undefined if it says nothing about proxying. */
export function proxiedIn(comment = ''): boolean | undefined {
  const [, list = ''] = /^\s*cf_tags=(\S+)/.exec(comment) ?? []
  const tags = list.split(',')
  return tags.includes('cf-proxied:true') ? true : tags.includes('cf-proxied:false') ? false : undefined
}
