import type { JsonValue } from '../../../../db/tables/index.ts'
import { quoteBytes, unescapeBytes } from '../../../../dns/text/strings.ts'
import { showParameter } from '../../../../dns/types/fields/service-parameters.ts'
import { readType, typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { txtFromText, txtToText } from '../../../../dns/types/txt.ts'
import type { Member } from '../../contract.ts'
import { isObject, textOf } from '../../client/json.ts'
import type { RawRecord } from './client.ts'
import { PARAMETERS, WORDS, wordsOf } from './words.ts'

type Parameters = Record<string, string | number | boolean>

/** Parameters that hold text without quotes. */
const TEXTS = new Set(['value', 'naptrFlags', 'naptrServices', 'naptrRegexp', 'uri'])

/** A name has one of these, so an update states only the new data. */
const SINGLE: ReadonlySet<RecordType> = new Set(['CNAME', 'DNAME'])

/** Name of a parameter in responses. */
const shownAs = (parameter: string): string =>
  parameter.replace(/^(?:sshfp|tlsa|naptr|uri)([A-Z])/, (_, first: string) => first.toLowerCase())

/** Name of the parameter for new data. */
const renewed = (parameter: string): string =>
  parameter === 'aname' ? 'newAName' : `new${parameter[0]?.toUpperCase()}${parameter.slice(1)}`

/** The parameters for a canonical value. */
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
  // Names have no final dot, except the root.
  return word.replace(/([^.\\])\.$/, '$1')
}

const writeBinding = (pairs: string[]): string =>
  pairs.map((pair) => pair.replace('=', '|')).join('|') || 'false'

/** The parameters that identify an existing record, in its own spelling. */
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

/** The parameters that give an existing record another value. */
export function renew(raw: RawRecord, type: RecordType, value: string): Parameters {
  const wanted = writeData(type, value)
  if (SINGLE.has(type)) return wanted
  const after = Object.entries(wanted).map(([parameter, one]) => [renewed(parameter), one] as const)
  return { ...identify(raw), ...Object.fromEntries(after) }
}

/** The canonical value; null: the data is not of that type. */
export function readData(type: RecordType, rData: RawRecord['rData']): string | null {
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

/** Whether the parameter is a name: there, an empty text is the root. */
const isNameOf = (type: RecordType | null, parameter: string): boolean =>
  type !== null && typeOf(type).fields[PARAMETERS[type]?.indexOf(parameter) ?? -1]?.kind === 'name'

/** Each line of the text is a string. */
const isSplit = (rData: RawRecord['rData']): boolean => rData['splitText'] === true

/** The other parameters. An update resets those that are missing. */
export const writeRest = (
  ttl: number | null,
  { comment = '', disabled = false, extra }: Member,
): Parameters => ({
  ...(ttl !== null && { ttl }),
  comments: comment,
  disable: disabled,
  ...(isObject(extra) && (extra as Parameters)),
})

/** Data that every write repeats: the expiry of the record, and hints that the server fills in. */
export function extraOf({ expiryTtl = 0, rData }: RawRecord): { extra?: JsonValue } {
  const hints = ['autoIpv4Hint', 'autoIpv6Hint'].filter((hint) => rData[hint] === true)
  if (expiryTtl === 0 && hints.length === 0) return {}
  const expiry = expiryTtl > 0 ? { expiryTtl } : {}
  return { extra: { ...expiry, ...Object.fromEntries(hints.map((hint) => [hint, true])) } }
}
