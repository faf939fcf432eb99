import { shown } from '../../text/messages.ts'
import { toAsciiName } from '../../names/names.ts'
import { closingQuote, decodeUtf8, quoteBytes, unescapeBytes } from '../../text/strings.ts'
import { bytesOfText } from '../../text/text.ts'
import type { RecordData } from '../values.ts'
import { defineType, type Field } from '../define.ts'
import { uint8 } from '../fields/numbers.ts'
import { longText } from '../fields/texts.ts'
import { readNumber } from '../numbers.ts'
import { accepted, refused, type ValueCheck } from '../values.ts'
import { Unreadable } from '../words.ts'

const FORM = 'CAA must be "<flag> <tag> <value>", for example \'0 issue "letsencrypt.org"\''
const MAX_VALUE = 2048

const TITLES = {
  issue: 'May issue certificates',
  issuewild: 'May issue wildcard certificates',
  issuemail: 'May issue certificates for mail (S/MIME)',
  issuevmc: 'May issue certificates for logos',
  iodef: 'Where to send reports',
  contactemail: 'Email address of the contact',
  contactphone: 'Phone number of the contact',
}

type TagCheck = (value: string) => { ok: true; value: string } | { ok: false; reason: string }

/** The tags of RFC 8659 (issue, issuewild, iodef), RFC 9495 (issuemail), and of the CA/Browser Forum. */
const TAGS: Record<string, TagCheck> = {
  issue: checkIssuer,
  issuewild: checkIssuer,
  issuemail: checkIssuer,
  issuevmc: checkIssuer,
  iodef: checkIodef,
  contactemail: (value) =>
    matches(value, /^[^\s@]+@[^\s@]+$/, 'contactemail must be an address such as "hostmaster@example.com"'),
  contactphone: (value) =>
    matches(value, /^\+[0-9][0-9 ().-]*$/, 'contactphone must be a number such as "+1-555-0100"'),
}

/**
 * Who may issue certificates, `<flag> <tag> <value>`; the value may be quoted, with `\"` and `\\` in it.
 * Canonical: lower-case tag, quoted value, otherwise byte for byte as given.
 */
function check(value: string): ValueCheck {
  const parts = splitCaa(value)
  if (parts === null || parts.bytes === null) return refused('caa_form', FORM)
  const { flag, tag } = parts
  if (flag === null) return refused('caa_flag', 'The flag of a CAA must be a number from 0 to 255, usually 0')
  const checkTag = Object.hasOwn(TAGS, tag) ? TAGS[tag] : undefined
  if (checkTag === undefined) {
    return refused('caa_tag', `${shown(tag)} is not a CAA tag; use one of ${Object.keys(TAGS).join(', ')}`)
  }
  const text = decodeUtf8(parts.bytes)
  if (text === null || text.length > MAX_VALUE || /\p{Cc}/u.test(text)) {
    return refused('caa_value', `The value of a CAA must be a single line of at most ${MAX_VALUE} characters`)
  }
  const result = checkTag(text)
  if (!result.ok) return refused('caa_value', result.reason)
  if (/[^ -~]/.test(result.value)) return refused('caa_value', 'The value of a CAA must be ASCII')
  return accepted(`${flag} ${tag} ${quoteBytes(Buffer.from(result.value))}`)
}

function matches(value: string, pattern: RegExp, reason: string): ReturnType<TagCheck> {
  return pattern.test(value) ? { ok: true, value } : { ok: false, reason: `CAA ${reason}` }
}

/**
 * RFC 8659 section 4.2: `[issuer-domain-name] [";" parameters]`; a parameter is `tag=value`. A domain with a
 * final dot or an underscore matches no issuer, so nobody could issue.
 */
function checkIssuer(value: string): ReturnType<TagCheck> {
  if (value.trim() === '') {
    return {
      ok: false,
      reason: 'A CAA needs the name of an issuer, or ";" to forbid all issuers: \'0 issue ";"\'',
    }
  }
  const [domain = '', ...parameters] = value.split(';')
  const issuer = domain.trim()
  const name = issuer === '' ? null : toAsciiName(issuer)
  if (name !== null && !name.ok)
    return { ok: false, reason: `The issuer of a CAA is not valid: ${name.reason}` }
  if (name?.name.includes('_') === true) {
    return {
      ok: false,
      reason: `The issuer of a CAA is not valid: ${shown(issuer)} has an underscore, which is not allowed in a domain name`,
    }
  }
  // A trailing ";" is common and accepted everywhere.
  const wrong = parameters.find((text) => text.trim() !== '' && !isParameter(text.trim()))
  if (wrong !== undefined) {
    const shape = '"tag=value", for example "validationmethods=dns-01"'
    return { ok: false, reason: `${shown(wrong.trim())} is not a valid CAA parameter; use the form ${shape}` }
  }
  // Otherwise unchanged: records are compared byte by byte.
  const needsForm = name !== null && (/[^ -~]/.test(issuer) || issuer.endsWith('.'))
  return { ok: true, value: needsForm ? value.replace(issuer, () => name.name) : value }
}

function isParameter(text: string): boolean {
  const at = text.indexOf('=')
  const tag = text.slice(0, at).trim()
  return at > 0 && /^[a-z0-9][a-z0-9-]*$/i.test(tag) && /^[!-~]*$/.test(text.slice(at + 1).trim())
}

/** RFC 8659 section 4.4: where to send reports, a mailto, http or https URL. */
function checkIodef(value: string): ReturnType<TagCheck> {
  const mail = /^mailto:[^\s@]+@[^\s@]+$/i.test(value)
  if (mail || (/^https?:\/\/\S+$/i.test(value) && URL.canParse(value))) return { ok: true, value }
  const reason = 'CAA iodef must be a mailto:, http: or https: URL, for example "mailto:security@example.com"'
  return { ok: false, reason }
}

/** `flag` is null above 255; `bytes` is null without a value or with malformed quotes or escapes. */
function splitCaa(text: string): { flag: number | null; tag: string; bytes: Buffer | null } | null {
  const parts = /^([0-9]{1,10})[ \t]+([a-z0-9]+)(?:[ \t]+|$)/i.exec(text.trim())
  if (parts === null) return null
  const [start, flag = '', tag = ''] = parts
  const value = text.trim().slice(start.length)
  return {
    flag: readNumber(flag, 255),
    tag: tag.toLowerCase(),
    bytes: value === '' ? null : readValue(value),
  }
}

function readValue(value: string): Buffer | null {
  if (!value.startsWith('"')) return value.includes('"') ? null : unescapeBytes(value)
  return closingQuote(value, 0) === value.length - 1 ? unescapeBytes(value.slice(1, -1)) : null
}

/** Checks single fields; errors name the field. */
function checkData({ flags, tag, value }: RecordData): ValueCheck {
  const word = (given: unknown) => (typeof given === 'string' ? given : JSON.stringify(given ?? ''))
  const checked = check(`${word(flags)} ${word(tag)} ${quoteBytes(bytesOfText(word(value)))}`)
  if (checked.ok) return checked
  const fieldOf = (code: string) => (code === 'caa_flag' ? 'flags' : code === 'caa_value' ? 'value' : 'tag')
  const errors = checked.errors.map((error) => ({ ...error, path: `data/${fieldOf(error.code)}` as const }))
  return { ok: false, errors }
}

const tagField: Field<string> = {
  info: {
    kind: 'text',
    title: 'Tag',
    help: 'What the record controls',
    choices: Object.entries(TITLES).map(([value, title]) => ({ value, title })),
    example: 'issue',
  },
  read(words) {
    const { raw } = words.next()
    if (!/^[a-z0-9]{1,255}$/i.test(raw)) throw new Unreadable('must be letters and digits')
    return raw.toLowerCase()
  },
  accept: String,
  show: (tag) => tag,
  toWire: (tag, out) => out.string(Buffer.from(tag)),
  fromWire(input) {
    const tag = Buffer.from(input.string()).toString('latin1').toLowerCase()
    if (!/^[a-z0-9]+$/.test(tag)) throw new Unreadable('must be letters and digits')
    return tag
  },
}

export const CAA = defineType({
  type: 'CAA',
  title: 'Certificate authorities',
  help: 'Who may issue certificates for this name and all names below it.',
  rfc: 'RFC 8659',
  fields: {
    flags: uint8({
      title: 'Flags',
      help: '128: issuers that do not know the tag must not issue',
      example: 0,
    }),
    tag: tagField,
    value: longText({ title: 'Value', help: 'The issuer; ";" allows none', example: 'letsencrypt.org' }),
  },
  check,
  checkData,
})
