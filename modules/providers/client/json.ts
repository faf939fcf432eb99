import { inSlices } from '../../../plugins/http/event-loop.ts'
/** Returns whether a parsed value is an object, not a list or null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a parsed string; '' for anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Parses JSON (RFC 8259); undefined if it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Characters examined before yielding. */
const PIECE = 64 * 1024

const [COMMA, BRACKET, BRACE] = [0x2c, 0x5b, 0x7b]

/**
 * Returns whether a large JSON text (RFC 8259) may have more values than that. Checked before parsing, which
 * can't be interrupted and needs fifty bytes for a value of two: counts the characters that precede values,
 * including those in strings.
 */
export async function hasMoreValues(text: string, maxValues: number): Promise<boolean> {
  let values = 0
  await inSlices(offsets(text.length), (from) => {
    const end = Math.min(from + PIECE, text.length)
    for (let i = from; i < end; i++) {
      const sign = text.charCodeAt(i)
      if (sign === COMMA || sign === BRACKET || sign === BRACE) values++
    }
    return values <= maxValues
  })
  return values > maxValues
}

function* offsets(length: number): Generator<number> {
  for (let from = 0; from < length; from += PIECE) yield from
}
