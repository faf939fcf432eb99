/** Of what was parsed: an object, and neither a list nor null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Of what was parsed: a text; '' for anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The value of a JSON text (RFC 8259); undefined when it is none, as no value of JSON is. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
