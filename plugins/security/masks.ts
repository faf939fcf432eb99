const LONG_ENOUGH_TO_HINT = 16
export const DOTS = '••••'

/** At most the last four characters, enough to tell two secrets apart. */
export const maskSecret = (secret: string): string =>
  DOTS + (secret.length >= LONG_ENOUGH_TO_HINT ? secret.slice(-4) : '')

/** At most the first and last four characters; most of it stays hidden. */
export function maskMiddle(text: string): string {
  const shown = Math.min(4, Math.floor(text.length / 4))
  return text.slice(0, shown) + DOTS + (shown === 0 ? '' : text.slice(-shown))
}

/** The first character and the domain. */
export const maskEmail = (address: string): string => address.replace(/^(.).*(?=@)/, '$1***')

/** Returns whether a text, or a text in an object or list, contains a mask. */
export const isMasked = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(isMasked)
    : typeof value === 'string' && value.includes(DOTS)
