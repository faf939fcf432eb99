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
