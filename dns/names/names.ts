import type { DnsCode } from '../text/codes.ts'
import { isIpAddress } from '../addresses/ip.ts'
import { decodeLabel, encodeLabel, type LabelResult } from './idna.ts'
import { shown } from '../text/messages.ts'

/** A name in canonical form (lower case ASCII, no final dot), or a user-facing reason why it isn't valid. */
export type NameResult = { ok: true; name: string } | { ok: false; reason: string; code: DnsCode }

const MAX_NAME = 253
const MAX_LABEL = 63
// A Unicode name may be longer than its ASCII form (IDNA drops characters), but only within limits.
const MAX_INPUT = 1024

// UTS #46 section 2.3: full stops of East Asian keyboards also separate labels.
const FULL_STOPS = /[.\u3002\uFF0E\uFF61]/
const LDH_UNDERSCORE = /^[a-z0-9_-]+$/
const NOT_LDH_UNDERSCORE = /[^a-z0-9_-]/
const ASCII = /^[\0-\x7f]*$/
// RFC 2317 section 4: reverse zones smaller than a /24, named by first address and prefix length.
const CLASSLESS = /^[0-9]{1,3}\/(?:2[4-9]|3[0-2])$/
const REVERSE = /(?:^|\.)in-addr\.arpa\.?$/i

/** `code` identifies the violated rule for programs. */
export const refuseName = (code: DnsCode, reason: string): NameResult => ({ ok: false, reason, code })

/** Whether a label is a number, which a top-level domain never is. */
export const isNumeric = (label = ''): boolean => /^[0-9]+$/.test(label)

/**
 * Any DNS name in canonical form: lower case, no final dot, Unicode labels in punycode (UTS #46). Labels have
 * 1..63 octets of letters, digits, hyphens and underscores, and the whole name at most 253 (RFC 1035 section
 * 2.3.4); below in-addr.arpa, labels such as `0/25` are allowed (RFC 2317). Rejects the root, wildcards and
 * escapes. `parent` is the name that this one is below.
 */
export function toAsciiName(input: string, parent = ''): NameResult {
  if (input === '') return refuseName('name_empty', 'The name must not be empty')
  if (input.length > MAX_INPUT)
    return refuseName('name_too_long', `${shown(input)} is longer than ${MAX_NAME} octets`)
  const labels = input.split(FULL_STOPS)
  if (labels.at(-1) === '') labels.pop()
  const isReverse = REVERSE.test(input) || REVERSE.test(parent)
  const names: string[] = []
  for (const label of labels) {
    const result =
      isReverse && CLASSLESS.test(label) ? { ok: true as const, name: label } : toAsciiLabel(label)
    if (!result.ok) return refuseName(result.code, `${shown(input)} is not a valid name: ${result.reason}`)
    names.push(result.name)
  }
  const name = names.join('.')
  if (name === '') return refuseName('name_empty', `${shown(input)} is not a valid name: it has no labels`)
  if (name.length > MAX_NAME)
    return refuseName('name_too_long', `${shown(input)} is longer than ${MAX_NAME} octets`)
  return { ok: true, name }
}

function toAsciiLabel(input: string): NameResult {
  if (input === '') return refuseName('label_empty', 'a label is empty')
  const encoded: LabelResult = ASCII.test(input)
    ? { ok: true, label: input.toLowerCase() }
    : encodeLabel(input)
  if (!encoded.ok) return encoded
  const { label } = encoded
  if (!LDH_UNDERSCORE.test(label)) {
    const wrong = NOT_LDH_UNDERSCORE.exec(label)?.[0] ?? ''
    return refuseName('name_character', `${shown(wrong)} is not a letter, digit, hyphen or underscore`)
  }
  if (label.length > MAX_LABEL)
    return refuseName('label_too_long', `label ${shown(label)} is longer than ${MAX_LABEL} octets`)
  if (label.startsWith('-') || label.endsWith('-')) {
    return refuseName('label_hyphen', `label ${shown(label)} begins or ends with a hyphen`)
  }
  if (label.startsWith('xn--') && decodeLabel(label) === null) {
    return refuseName('label_punycode', `label ${shown(label)} is not valid punycode`)
  }
  return { ok: true, name: label }
}

/**
 * The display form of a name: `xn--mnchen-3ya.de` as `münchen.de`. Labels that can't be decoded stay
 * unchanged.
 */
export function toUnicodeName(ascii: string): string {
  if (!ascii.includes('xn--')) return ascii
  const decoded = ascii
    .split('.')
    .map((label) => (label.startsWith('xn--') ? decodeLabel(label) : null) ?? label)
  return decoded.join('.')
}

/** Which names a record may point to. */
export interface TargetRules {
  /** For messages: "a CNAME must point to a name". */
  what: string
  /** Allows underscores, because the name isn't a host name (RFC 2181 section 10.3, RFC 952). */
  underscore: boolean
  /** Allows ".", which means "none". */
  root: boolean
}

/**
 * The name that a record points to. It must be a full name of at least two labels: a lone "www" is nearly
 * always meant relative to the zone, but would silently point to the top level.
 */
export function parseHostName(input: string, target: TargetRules): NameResult {
  const text = input.trim()
  if (text === '.')
    return target.root ? { ok: true, name: '.' } : refuseName('name_root', `"." is the root; ${target.what}`)
  if (isIpAddress(text.replace(/\.$/, '')))
    return refuseName('name_is_address', `${shown(text)} is an IP address; ${target.what}`)
  const result = toAsciiName(text)
  if (!result.ok) return result
  const labels = result.name.split('.')
  if (labels.length < 2) {
    return refuseName(
      'name_not_full',
      `${shown(text)} is not a full name; include the domain, for example "www.example.com"`,
    )
  }
  if (isNumeric(labels.at(-1))) {
    return refuseName(
      'name_numeric',
      `${shown(text)} is neither a name nor an address: the last label must not be a number`,
    )
  }
  if (!target.underscore && result.name.includes('_')) {
    return refuseName(
      'name_underscore',
      `${shown(text)} has an underscore, which is not allowed in a host name`,
    )
  }
  return result
}

/**
 * The owner of a record in `zone` (canonical) as stored: relative, `@` for the apex. A full name in the zone
 * is shortened, with or without its final dot; a final dot on any other name means that it is outside the
 * zone. A wildcard must be the whole leftmost label (RFC 4592 section 2.1.1).
 */
export function parseOwner(input: string, zone: string): NameResult {
  const text = input.trim()
  if (text === '')
    return refuseName('name_empty', 'The name must not be empty; use "@" for the domain itself')
  if (text === '@') return { ok: true, name: '@' }
  const wildcard = /^\*(?:$|[.\u3002\uFF0E\uFF61])/.test(text)
  const rest = wildcard ? text.slice(2) : text
  if (rest.includes('*')) {
    return refuseName(
      'name_wildcard',
      `${shown(text)}: "*" must be the whole first label, for example "*.dev"`,
    )
  }
  if (rest === '')
    return text === '*'
      ? ownerIn('*', zone)
      : refuseName('name_outside_zone', `${shown(text)} is outside ${zone}`)
  const result = toAsciiName(rest, zone)
  if (!result.ok) return result
  const name = wildcard ? `*.${result.name}` : result.name
  const relative = relativeName(name, zone)
  if (relative !== null) return { ok: true, name: relative }
  if (FULL_STOPS.test(text.at(-1) ?? ''))
    return refuseName('name_outside_zone', `${shown(text)} is outside ${zone}`)
  return ownerIn(name, zone)
}

/**
 * The same for a name that is always relative, as in zone files (RFC 1035 section 5.1): `www.example.com` in
 * example.com is `www.example.com.example.com`.
 */
export const parseRelativeOwner = (input: string, zone: string): NameResult =>
  parseOwner(`${input.trim()}.${zone}.`, zone)

function ownerIn(name: string, zone: string): NameResult {
  if (name.length + 1 + zone.length <= MAX_NAME) return { ok: true, name }
  return refuseName('name_too_long', `${shown(name)} in ${zone} is longer than ${MAX_NAME} octets`)
}

/** The full name, without final dot, for a record's canonical name; `@` is the zone itself. */
export const absoluteName = (owner: string, zone: string): string =>
  owner === '@' ? zone : `${owner}.${zone}`

/** The canonical name relative to the zone (`@` for the zone itself), or null if it is outside the zone. */
export function relativeName(fqdn: string, zone: string): string | null {
  const name = (fqdn.endsWith('.') ? fqdn.slice(0, -1) : fqdn).toLowerCase()
  if (name === zone) return '@'
  return isBelow(name, zone) ? name.slice(0, -zone.length - 1) : null
}

/** Whether a canonical name is below another, at any depth: `x\.dev` is one label and not below `dev`. */
export function isBelow(name: string, above: string): boolean {
  if (!name.endsWith(`.${above}`)) return false
  // An escaped dot belongs to its label, unless the backslash is itself escaped.
  const [escapes = ''] = /(?<!\\)\\*$/.exec(name.slice(0, -above.length - 1)) ?? []
  return escapes.length % 2 === 0
}
