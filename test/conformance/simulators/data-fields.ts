import { quoteBytes, splitTokens, unescapeBytes } from '../../../dns/text/strings.ts'
import type { Body } from './answers.ts'

/* The data of records as objects with a field for each of its parts. */

/**
 * `quoted`: text without its quotes and escapes. `name`: with the final dot; `bareName`: without.
 * `rest`: all that is left, as it is written. An object: words for numbers.
 */
export type Kind =
  | 'number'
  | 'meters'
  | 'text'
  | 'quoted'
  | 'name'
  | 'bareName'
  | 'rest'
  | Readonly<Record<string, number>>

/** The fields of a type, in the order of a master file. */
export type Fields = Readonly<Record<string, Kind>>

export const isName = (kind: Kind | undefined) => kind === 'name' || kind === 'bareName'
export const isNumber = (kind: Kind | undefined) => kind === 'number' || kind === 'meters'

/** Of data as a master file has it. */
export function readFields(fields: Fields, rdata: string): Body {
  const tokens = (splitTokens(rdata, { pairs: true }) ?? []).map(({ raw }) => String(unescapeBytes(raw)))
  return Object.fromEntries(
    Object.entries(fields).map(([field, kind], i) => {
      if (kind === 'rest') return [field, rdata.split(' ').slice(i).join(' ')]
      return [field, readField(kind, tokens[i] ?? '')]
    }),
  )
}

function readField(kind: Kind, token: string): unknown {
  if (isNumber(kind)) return Number(token.replace(/m$/, ''))
  if (kind === 'bareName') return token === '.' ? token : token.replace(/\.$/, '')
  if (typeof kind === 'string') return token
  return Object.keys(kind).find((word) => String(kind[word]) === token) ?? token
}

/** As a master file has it. */
export const writeFields = (fields: Fields, data: Body): string =>
  Object.entries(fields)
    .map(([field, kind]) => writeField(kind, data[field]))
    .join(' ')
    .trim()

export function writeField(kind: Kind, value: unknown): string {
  const text = String(value)
  if (kind === 'meters') return `${text}m`
  if (kind === 'quoted') return quoteBytes(Buffer.from(text))
  if (isName(kind)) return text.endsWith('.') ? text : `${text}.`
  return typeof kind === 'string' ? text : String(kind[text])
}
