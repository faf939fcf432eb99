import type { DnsCode } from '../text/codes.ts'
import { shown } from '../text/messages.ts'
import { decodePunycode } from './punycode.ts'

/**
 * Internationalized labels: mapped by UTS #46 (non-transitional, with joiner and bidi checks), then limited
 * to what IDNA 2008 allows (RFC 5891 section 4.2, RFC 5892).
 */

export type LabelResult = { ok: true; label: string } | { ok: false; reason: string; code: DnsCode }

const LDH_UNDERSCORE = /^[a-z0-9_-]+$/
const OTHER_ASCII = /[[\0-\x7f]--[a-z0-9_\-]]/v

/** RFC 5892 sections 2.1 and 2.6: letters, digits, marks and a few others. */
const VALID =
  /^[[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\p{Script=Cherokee}\u06FD\u06FE\u0F0B\u3007\-_]--\p{Default_Ignorable_Code_Point}]$/v

/** RFC 5892 sections 2.4, 2.6 and 2.9: blocks and characters excluded from those. */
const EXCLUDED = [
  [0x0640, 0x0640],
  [0x07fa, 0x07fa],
  [0x1100, 0x11ff],
  [0x20d0, 0x20ff],
  [0x302e, 0x302f],
  [0x3031, 0x3035],
  [0x303b, 0x303b],
  [0xa960, 0xa97f],
  [0xd7b0, 0xd7ff],
  [0x1d100, 0x1d24f],
] as const

function isValid(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  return VALID.test(character) && !EXCLUDED.some(([first, last]) => code >= first && code <= last)
}

/** RFC 5892 appendix A: characters allowed only in some contexts; joiners are checked during mapping. */
const IN_CONTEXT: Record<string, (before: string, after: string, label: string) => boolean> = {
  '\u00B7': (before, after) => before.endsWith('l') && after.startsWith('l'),
  '\u0375': (_, after) => /^\p{Script=Greek}/u.test(after),
  '\u05F3': (before) => /\p{Script=Hebrew}$/u.test(before),
  '\u05F4': (before) => /\p{Script=Hebrew}$/u.test(before),
  '\u30FB': (_before, _after, label) => /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(label),
  '\u200C': () => true,
  '\u200D': () => true,
}
const ARABIC_DIGITS = /[\u0660-\u0669]/
const EXTENDED_ARABIC_DIGITS = /[\u06F0-\u06F9]/

/** The `xn--` form of a non-ASCII label, or plain ASCII if it maps to that. */
export function encodeLabel(input: string): LabelResult {
  // The mapping uses a URL, in which "%2e", "/" and "?" have a meaning.
  const foreign = OTHER_ASCII.exec(input.toLowerCase())?.[0]
  if (foreign !== undefined) return refuse(foreign)
  const ascii = toAscii(input)
  const label = ascii === null ? null : ascii.startsWith('xn--') ? decodeLabel(ascii) : ascii
  const wrong = label === null ? null : disallowedIn(label)
  if (ascii === null || label === null || wrong !== null) {
    const culprit = Array.from(input).find((typed) => !isAllowed(typed)) ?? wrong
    if (culprit !== null) return refuse(culprit)
    return {
      ok: false,
      code: 'name_character',
      reason: 'a label has a combination of characters that is not allowed in a domain name',
    }
  }
  if (/^-|-$/.test(label))
    return { ok: false, code: 'label_hyphen', reason: 'a label begins or ends with a hyphen' }
  if (/^..--/u.test(label))
    return { ok: false, code: 'label_hyphen', reason: 'a label has "--" in the third and fourth position' }
  return { ok: true, label: ascii }
}

/** The Unicode form of an `xn--` label, or null if the label isn't its only valid encoding. */
export function decodeLabel(label: string): string | null {
  const unicode = decodePunycode(label.slice('xn--'.length))
  return unicode !== null && toAscii(unicode) === label ? unicode : null
}

/** A following letter label avoids addresses: alone, "１２７" would be the address 0.0.0.127. */
function toAscii(label: string): string | null {
  const url = `http://${label}.a`
  // Not URL.parse, which Safari 17 lacks.
  const ascii = URL.canParse(url) ? new URL(url).hostname : ''
  return ascii.endsWith('.a') && LDH_UNDERSCORE.test(ascii.slice(0, -2)) ? ascii.slice(0, -2) : null
}

/** Whether a typed character, before mapping, is allowed in a label at all. */
const isAllowed = (typed: string): boolean =>
  Array.from(typed.normalize('NFKC').toLowerCase()).every(
    (character) => isValid(character) || Object.hasOwn(IN_CONTEXT, character),
  )

function disallowedIn(label: string): string | null {
  let before = ''
  for (const character of label) {
    const rule = IN_CONTEXT[character]
    const after = label.slice(before.length + character.length)
    if (rule ? !rule(before, after, label) : !isValid(character)) return character
    before += character
  }
  const [mixed] = EXTENDED_ARABIC_DIGITS.exec(label) ?? []
  return mixed !== undefined && ARABIC_DIGITS.test(label) ? mixed : null
}

function refuse(character: string): LabelResult {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return {
    ok: false,
    code: 'name_character',
    reason: `${shown(character)} (U+${code}) is not allowed in a name`,
  }
}
