/** Seconds of each unit. */
const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
const MAX_TTL = 2 ** 31 - 1

/** Whether a word is a TTL: seconds, or with units as in BIND, `1h30m`. */
export const looksLikeTtl = (text: string): boolean =>
  text.length <= 40 && /^(?:[0-9]+|(?:[0-9]+[smhdw])+)$/i.test(text)

/** The seconds of a TTL; null if it is malformed or above 2^31-1 (RFC 2181 section 8). */
export function readTtl(text: string): number | null {
  if (!looksLikeTtl(text)) return null
  let seconds = 0
  for (const [, count, unit = 's'] of text.matchAll(/([0-9]+)([smhdw])?/gi)) {
    seconds += Number(count) * (UNITS[unit.toLowerCase()] ?? 1)
  }
  return seconds <= MAX_TTL ? seconds : null
}
