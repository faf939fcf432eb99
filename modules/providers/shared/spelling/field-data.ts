import { quoteBytes, splitTokens, unescapeBytes } from '../../../../dns/text/strings.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'

/*
 * Data of providers that have a field of its own for each part of a record: numbers as such, names without the final dot,
 * texts without quotes and escapes.
 */

/** Names of a provider's fields by type, in the order of presentation data. */
export type FieldNames = Partial<Record<RecordType, readonly string[]>>

/** Several names, with spaces in between. */
export const namesIn = (names: string): readonly string[] => names.split(' ')

type Kind = 'number' | 'name' | 'text' | 'rest' | 'plain'

/** `rest`: everything left, unchanged. */
function kindOf(type: RecordType, at: number): Kind {
  // Of a LOC, providers have more fields than the type.
  if (type === 'LOC') return 'number'
  const { kind, name } = typeOf(type).fields[at] ?? {}
  if (kind === 'integer') return 'number'
  if (kind === 'name') return 'name'
  if (kind === 'parameters') return 'rest'
  // The tag of a CAA has no quotes in presentation data either.
  return kind === 'text' && name !== 'tag' ? 'text' : 'plain'
}

/** The fields for a canonical value. */
export function splitFields(type: RecordType, value: string, names: readonly string[]) {
  const rdata = typeOf(type).write(value)
  const tokens = splitTokens(rdata, { pairs: true }) ?? []
  return Object.fromEntries(
    names.map((name, at): [string, string | number] => {
      const kind = kindOf(type, at)
      const rest = () => rdata.split(' ').slice(at).join(' ')
      return [name, kind === 'rest' ? rest() : writeField(kind, tokens[at]?.raw ?? '')]
    }),
  )
}

function writeField(kind: Kind, raw: string): string | number {
  // A LOC has directions between its numbers, and some of these have a unit.
  if (kind === 'number') return /^-?[\d.]+m?$/.test(raw) ? Number(raw.replace(/m$/, '')) : raw
  if (kind === 'name') return withoutDot(raw)
  return kind === 'text' ? (unescapeBytes(raw)?.toString() ?? raw) : raw
}

/** The canonical value; null: the data is not of that type. `fieldOf`: the content of a field. */
export function joinFields(
  type: RecordType,
  names: readonly string[],
  fieldOf: (name: string) => unknown,
): string | null {
  const words = names.map((name, at) => {
    const field = fieldOf(name)
    const text = typeof field === 'string' || typeof field === 'number' ? String(field) : ''
    const kind = kindOf(type, at)
    if (kind === 'text') return quoteBytes(Buffer.from(text))
    return kind === 'name' && text === '' ? '.' : text
  })
  return typeOf(type).read(words.join(' '))
}

/** A name without its final dot, except the root. */
export const withoutDot = (name: string): string => (name === '.' ? name : name.replace(/\.$/, ''))
