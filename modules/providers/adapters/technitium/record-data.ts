import type { JsonValue } from '../../../../db/tables/index.ts'
import { relativeName } from '../../../../dns/names/names.ts'
import { quoteBytes, unescapeBytes } from '../../../../dns/text/strings.ts'
import { showParameter } from '../../../../dns/types/fields/service-parameters.ts'
import { readType, typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { txtFromText, txtToText } from '../../../../dns/types/txt.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import type { Member, UnmanagedRecord, Zone } from '../../contract.ts'
import type { HeldRecord } from '../../shared/edited-records.ts'
import { isObject, textOf } from '../../client/json.ts'
import type { RawRecord } from './client.ts'
import { PARAMETERS, WORDS, wordsOf } from './words.ts'

type Parameters = Record<string, string | number | boolean>

/** Those that are texts, without quotes. */
const TEXTS = new Set(['value', 'naptrFlags', 'naptrServices', 'naptrRegexp', 'uri'])

/** Of these there is one at a name: to say a new one changes it. */
const SINGLE: ReadonlySet<RecordType> = new Set(['CNAME', 'DNAME'])

/** What answers call it. */
const shownAs = (parameter: string): string =>
  parameter.replace(/^(?:sshfp|tlsa|naptr|uri)([A-Z])/, (_, first: string) => first.toLowerCase())

const renewed = (parameter: string): string =>
  parameter === 'aname' ? 'newAName' : `new${parameter[0]?.toUpperCase()}${parameter.slice(1)}`

/** The parameters that say a canonical value. */
export function writeData(type: RecordType, value: string): Parameters {
  if (type === 'TXT') return { text: txtToText(value) }
  const words = wordsOf(type, value)
  return Object.fromEntries(
    (PARAMETERS[type] ?? []).map((parameter, at) => [
      parameter,
      parameter === 'svcParams' ? writeBinding(words.slice(at)) : writeWord(parameter, words[at] ?? ''),
    ]),
  )
}

function writeWord(parameter: string, word: string): string {
  const known = WORDS[parameter]?.[Number(word)]
  if (known !== undefined) return known
  if (TEXTS.has(parameter)) return unescapeBytes(word)?.toString() ?? word
  // A name; the root is nothing but its dot.
  return word.replace(/([^.\\])\.$/, '$1')
}

const writeBinding = (pairs: string[]): string =>
  pairs.map((pair) => pair.replace('=', '|')).join('|') || 'false'

/** The parameters that say which record is meant: as it is spelled there. */
export function identify({ type, rData }: RawRecord): Parameters {
  const known = readType(type)
  const given = (PARAMETERS[known ?? 'A'] ?? []).map((parameter) => {
    const value = rData[shownAs(parameter)]
    if (parameter === 'svcParams') return [parameter, pairsOf(value).flat().join('|') || 'false'] as const
    const text = String(value)
    if (WORDS[parameter] !== undefined) return [parameter, text.replaceAll('_', '-')] as const
    return [parameter, isNameOf(known, parameter) ? text || '.' : text] as const
  })
  return { ...Object.fromEntries(given), ...(isSplit(rData) && { splitText: true }) }
}

/** The parameters that bring it to another value; where that is the same it stays as it is spelled. */
export function renew(raw: RawRecord, type: RecordType, value: string): Parameters {
  const before = identify(raw)
  if (readData(type, raw.rData) === value) return before
  const wanted = writeData(type, value)
  if (SINGLE.has(type)) return wanted
  const after = Object.entries(wanted).map(([parameter, one]) => [renewed(parameter), one] as const)
  return { ...before, ...Object.fromEntries(after) }
}

/** The canonical value; null when it is none of that type. */
function readData(type: RecordType, rData: RawRecord['rData']): string | null {
  if (type === 'TXT') {
    const text = textOf(rData['text'])
    if (!isSplit(rData)) return txtFromText(text)
    return typeOf(type).read(
      text
        .split('\n')
        .map((line) => quoteBytes(Buffer.from(line)))
        .join(' '),
    )
  }
  const parameters = PARAMETERS[type]
  if (parameters === undefined) return null
  return typeOf(type).read(parameters.map((one) => readWord(type, one, rData[shownAs(one)])).join(' '))
}

function readWord(type: RecordType, parameter: string, value: unknown): string {
  if (parameter === 'svcParams')
    return pairsOf(value)
      .map(([key, text]) => showParameter(key, text))
      .join(' ')
  const text = typeof value === 'number' ? String(value) : textOf(value)
  if (TEXTS.has(parameter)) return quoteBytes(Buffer.from(text))
  const known = Object.entries(WORDS[parameter] ?? {}).find(
    ([, word]) => word.toUpperCase() === text.replaceAll('_', '-').toUpperCase(),
  )
  return known?.[0] ?? (isNameOf(type, parameter) ? text || '.' : text)
}

const pairsOf = (value: unknown): [key: string, text: string][] =>
  Object.entries(isObject(value) ? value : {}).map(([key, text]) => [key, textOf(text)])

/** The root, as a name, is shown as nothing. */
const isNameOf = (type: RecordType | null, parameter: string): boolean =>
  type !== null && typeOf(type).fields[PARAMETERS[type]?.indexOf(parameter) ?? -1]?.kind === 'name'

/** Each line of the text is a string. */
const isSplit = (rData: RawRecord['rData']): boolean => rData['splitText'] === true

/** What an update resets that does not say it. */
export const writeRest = (
  ttl: number | null,
  { comment = '', disabled = false, extra }: Member,
): Parameters => ({
  ...(ttl !== null && { ttl }),
  comments: comment,
  disable: disabled,
  ...(isObject(extra) && (extra as Parameters)),
})

/** What signing a zone adds, and the SOA, which is read by itself. */
const OWN = new Set(['SOA', 'RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'DNSKEY'])

/** The record as ours, or as one that is not managed; null for what the server makes. */
export function readRecord(raw: RawRecord, zone: Zone): HeldRecord | UnmanagedRecord | null {
  const absolute = readName(raw.name)
  const name = absolute === null ? null : relativeName(absolute, zone.name)
  if (name === null || OWN.has(raw.type)) return null
  const type = readType(raw.type)
  const value = type === null ? null : readData(type, raw.rData)
  if (type === null || value === null)
    return { name, type: raw.type, ttl: raw.ttl, value: JSON.stringify(raw.rData) }
  const extra = extraOf(raw)
  const member: Member = {
    value,
    ...(raw.disabled === true && { disabled: true }),
    comment: raw.comments ?? '',
    ...(extra !== null && { extra }),
  }
  return { id: '', name, type, ttl: raw.ttl, member }
}

/** When it is deleted by itself, and hints that the server fills in. */
function extraOf({ expiryTtl = 0, rData }: RawRecord): JsonValue | null {
  const hints = ['autoIpv4Hint', 'autoIpv6Hint'].filter((hint) => rData[hint] === true)
  if (expiryTtl === 0 && hints.length === 0) return null
  return { ...(expiryTtl > 0 && { expiryTtl }), ...Object.fromEntries(hints.map((hint) => [hint, true])) }
}
