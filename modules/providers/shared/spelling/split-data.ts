import { quoteBytes, splitTokens, unescapeBytes } from '../../../../dns/text/strings.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { txtFromText, txtToText } from '../../../../dns/types/txt.ts'

/*
 * Data of providers that keep the numbers of a record in separate fields, names without the final dot, and a TXT as plain
 * text.
 */

type NumberField = 'priority' | 'weight' | 'port'

export interface SplitData {
  data: string
  priority?: number
  weight?: number
  port?: number
}

/** The leading numbers with a field of their own; the others precede the name. */
export type Split = Partial<Record<RecordType, readonly NumberField[]>>

export const PRIORITY: Split = { MX: ['priority'], SRV: ['priority'] }
export const NUMBERS: Split = { MX: ['priority'], SRV: ['priority', 'weight', 'port'] }

/** The fields for a canonical value. */
export function splitData(type: RecordType, value: string, split: Split): SplitData {
  if (type === 'TXT') return { data: txtToText(value) }
  const rdata = typeOf(type).write(value)
  const fields = split[type] ?? []
  const words = rdata.split(' ')
  const data = fields.length === 0 ? rdata : words.slice(fields.length).join(' ')
  const numbers = Object.fromEntries(fields.map((field, at) => [field, Number(words[at])]))
  return { ...numbers, data: endsInName(type) ? withoutDot(data) : data }
}

/** Numbers as providers send them. */
type Fields = Record<NumberField, number | null | undefined>

/** The canonical value; null: the data is not of that type. The name `@` is the zone itself. */
export function joinData(
  type: RecordType,
  { data, ...given }: { data: string } & Partial<Fields>,
  split: Split,
  zoneName: string,
): string | null {
  if (type === 'TXT') return txtFromText(data)
  const numbers = (split[type] ?? []).map((field) => given[field] ?? '')
  const name = data === '@' && endsInName(type) ? zoneName : data
  return typeOf(type).read([...numbers, name].join(' '))
}

export interface CaaFields {
  flags: number
  tag: string
  /** The value as plain text. */
  text: string
}

/** The fields of a canonical CAA. */
export function splitCaa(value: string): CaaFields {
  const [flags, tag, text] = (splitTokens(value) ?? []).map(({ raw }) => raw)
  return { flags: Number(flags), tag: tag ?? '', text: unescapeBytes(text ?? '')?.toString() ?? '' }
}

/** The canonical CAA; null: not valid. */
export const joinCaa = ({ flags, tag, text }: CaaFields): string | null =>
  typeOf('CAA').read(`${flags} ${tag} ${quoteBytes(Buffer.from(text))}`)

const endsInName = (type: RecordType): boolean => typeOf(type).fields.at(-1)?.kind === 'name'

/** Keeps the dot of the root. */
const withoutDot = (data: string): string => data.replace(/([^ ])\.$/, '$1')
