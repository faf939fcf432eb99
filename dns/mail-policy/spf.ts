import { warningsOf, type PolicyWarning } from './policy-warning.ts'
import { shown } from '../text/messages.ts'
import { isIpAddress, isIpv4, isIpv6 } from '../addresses/ip.ts'
import { toAsciiName } from '../names/names.ts'
import { allowsAll, countLookups, MAX_LOOKUPS, parseTerms, type Term } from './spf-terms.ts'

const warn = warningsOf('spf')
const VERSION = /^v=spf1(?: |$)/i
/** `mail.example.com/24//64`, each part optional. */
const HOST = /^([^/]*)(?:\/([^/]+))?(?:\/\/([^/]+))?$/
const MECHANISMS = new Set(['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists'])

/** Warnings about an SPF record, which starts with `v=spf1` (RFC 7208). */
export function checkSpf(text: string): PolicyWarning[] {
  if (!VERSION.test(text)) {
    return [
      warn('spf_version', 'the text must begin with "v=spf1" and a space, or it is ignored (RFC 7208, 4.5).'),
    ]
  }
  const terms = parseTerms(text)
  return [...terms.flatMap(checkTerm), ...checkEnd(terms), ...checkRepeats(terms), ...checkLookups(terms)]
}

function checkTerm(term: Term): PolicyWarning[] {
  const { text, name, argument } = term
  if (term.modifier) return checkModifier(term)
  if (!MECHANISMS.has(name))
    return [
      warn(
        'spf_mechanism',
        `${shown(text)} is not a valid mechanism, so the whole record fails (RFC 7208, 4.6.1).`,
        {
          term: text,
        },
      ),
    ]
  if (name === 'all') {
    if (argument !== null) return [warn('spf_all_argument', '"all" takes no argument (RFC 7208, 5.1).')]
    if (!allowsAll(term)) return []
    return [warn('spf_all_open', '"+all" allows anyone to send; use "-all" or "~all" (RFC 7208, 5.1).')]
  }
  if (name === 'ip4' || name === 'ip6') return checkNetwork(term)
  const warnings = checkHost(term)
  if (name === 'ptr')
    warnings.push(warn('spf_ptr', '"ptr" is slow and unreliable; remove it (RFC 7208, 5.5).'))
  return warnings
}

function checkModifier({ text, name, qualifier, argument }: Term): PolicyWarning[] {
  if (MECHANISMS.has(name))
    return [warn('spf_colon', `${shown(text)} needs ":" instead of "=" (RFC 7208, 4.6.1).`, { term: text })]
  if (name === 'v')
    return [
      warn('spf_version_twice', '"v=spf1" appears twice; merge all terms into one list (RFC 7208, 4.5).'),
    ]
  if (qualifier !== '')
    return [
      warn('spf_qualifier', `${shown(text)} must not begin with ${shown(qualifier)} (RFC 7208, 6).`, {
        term: text,
        qualifier,
      }),
    ]
  if (name !== 'redirect' && name !== 'exp') return []
  return isDomainSpec(argument ?? '')
    ? []
    : [warn('spf_domain', `${shown(text)} needs a domain name (RFC 7208, 6).`, { term: text })]
}

/** RFC 7208 section 5.6: an address, or a network with its prefix length. */
function checkNetwork({ text, name, argument }: Term): PolicyWarning[] {
  const [address = '', length, ...more] = (argument ?? '').split('/')
  const max = name === 'ip4' ? 32 : 128
  const valid = name === 'ip4' ? isIpv4(address) : isIpv6(address)
  if (valid && more.length === 0 && isPrefixLength(length, max)) return []
  const example = name === 'ip4' ? 'ip4:192.0.2.0/24' : 'ip6:2001:db8::/32'
  return [
    warn('spf_network', `${shown(text)} is not valid; use the form "${example}" (RFC 7208, 5.6).`, {
      term: text,
      example,
    }),
  ]
}

const isPrefixLength = (text: string | undefined, max: number): boolean =>
  text === undefined || (/^[0-9]{1,3}$/.test(text) && Number(text) <= max)

/** include and exists need a name (5.2, 5.7); a and mx may have `/24`, `//64` or both (5.3, 5.4). */
function checkHost({ text, name, argument }: Term): PolicyWarning[] {
  const [, host = '', four, six] = HOST.exec(argument ?? '') ?? ['', '/']
  const hasName = argument !== null && !argument.startsWith('/')
  const needsName = name === 'include' || name === 'exists'
  if (isIpAddress(host))
    return [
      warn('spf_address', `${shown(text)} contains an address; use ip4 or ip6 (RFC 7208, 5.6).`, {
        term: text,
      }),
    ]
  if ((hasName || needsName) && !isDomainSpec(host)) {
    return [warn('spf_domain', `${shown(text)} needs a domain name (RFC 7208, 4.8).`, { term: text })]
  }
  const mayHaveLength = name === 'a' || name === 'mx' || (four ?? six) === undefined
  if (mayHaveLength && isPrefixLength(four, 32) && isPrefixLength(six, 128)) return []
  return [warn('spf_prefix', `${shown(text)} has an invalid prefix length (RFC 7208, 5.3).`, { term: text })]
}

/** A name, possibly with macros ("%{i}.example.com", section 7), which are only checked for their form. */
function isDomainSpec(text: string): boolean {
  if (text.includes('%')) return /^(?:[!-$&-~]|%[%_-]|%\{[a-z][0-9]*r?[.+,/_=-]*\})+$/i.test(text)
  const name = toAsciiName(text)
  return name.ok && name.name.includes('.')
}

/** Without "all" or "redirect", unlisted senders are neutral (4.7); "all" ends the list (5.1, 6.1). */
function checkEnd(terms: Term[]): PolicyWarning[] {
  const all = terms.findIndex((term) => term.name === 'all' && !term.modifier)
  const redirect = terms.some((term) => term.name === 'redirect' && term.modifier)
  if (all === -1) {
    return redirect
      ? []
      : [
          warn(
            'spf_end',
            'the record ends without "all" or "redirect"; add "-all" or "~all" (RFC 7208, 4.7).',
          ),
        ]
  }
  const warnings: PolicyWarning[] = []
  if (redirect)
    warnings.push(
      warn('spf_redirect_ignored', '"redirect" is ignored because the record has "all" (RFC 7208, 6.1).'),
    )
  const later = terms.slice(all + 1).find((term) => !term.modifier)
  if (later !== undefined)
    warnings.push(
      warn('spf_after_all', `${shown(later.text)} after "all" is ignored (RFC 7208, 5.1).`, {
        term: later.text,
      }),
    )
  return warnings
}

function checkRepeats(terms: Term[]): PolicyWarning[] {
  const count = (name: string) => terms.filter((term) => term.modifier && term.name === name).length
  const repeated = ['redirect', 'exp'].filter((name) => count(name) > 1)
  return repeated.map((name) =>
    warn('spf_repeated', `"${name}" appears twice, so the whole record fails (RFC 7208, 6).`, { term: name }),
  )
}

/** Section 4.6.4. Lookups of included records count too, so this is a lower bound. */
function checkLookups(terms: Term[]): PolicyWarning[] {
  const lookups = countLookups(terms)
  if (lookups <= MAX_LOOKUPS) return []
  return [
    warn(
      'spf_lookups',
      `the record needs ${lookups} DNS lookups; with more than ${MAX_LOOKUPS} it fails (RFC 7208, 4.6.4).`,
      { count: lookups, maximum: MAX_LOOKUPS },
    ),
  ]
}
