/** Limit of DNS lookups for one policy (RFC 7208 section 4.6.4). */
export const MAX_LOOKUPS = 10
const LOOKUPS = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect'])

/** A mechanism (`-all`, `a:mail.example.com/24`) or modifier (`redirect=example.com`), split into parts. */
export interface Term {
  text: string
  qualifier: string
  name: string
  modifier: boolean
  /** The text after `:`, `=`, or for `a/24` the `/`; null without one. */
  argument: string | null
}

/** The terms of an SPF record, after its version. */
export const parseTerms = (text: string): Term[] => text.split(/\s+/).slice(1).filter(Boolean).map(parseTerm)

function parseTerm(text: string): Term {
  const parts = /^([+?~-]?)([a-z][a-z0-9_.-]*)(?:([:=/])(.*))?$/i.exec(text)
  const [, qualifier = '', name = '', separator, rest = ''] = parts ?? []
  const argument = separator === undefined ? null : separator === '/' ? `/${rest}` : rest
  return { text, qualifier, name: name.toLowerCase(), modifier: separator === '=', argument }
}

/** Whether receivers look something up for the term. */
export const isLookup = ({ name }: Term): boolean => LOOKUPS.has(name)

/** DNS lookups of these terms, not counting those of included records. */
export const countLookups = (terms: readonly Term[]): number => terms.filter(isLookup).length

/** Whether the term allows any sender (RFC 7208 section 5.1). */
export const allowsAll = ({ name, qualifier, argument }: Term): boolean =>
  name === 'all' && argument === null && (qualifier === '' || qualifier === '+')
